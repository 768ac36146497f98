"""Accepted bundles, and an attack for every way to be refused."""

import struct
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from bot.adapters.git.inspection import HEAD_REF, TreeDelta, judge_links, parse_header
from bot.adapters.git.mirror_git import MirrorGit
from bot.core.values.candidate import BundleRefusal, BundleRules, ImportedHead, RefusalCode
from bot.core.values.ids import Sha
from bot.core.values.repository import RepositoryFacts
from bot.ports import UserError
from tests.adapters import packs
from tests.adapters.workshop import Workshop, git, recipe_of

PROTECTED = (".github/", "*.lock", "!free.lock", "/docs/rules.md")


class Import:
    """Imports bundles, and compares the mirror before and after."""

    def __init__(self, mirror: MirrorGit, facts: RepositoryFacts, start: Sha) -> None:
        self.mirror, self.facts, self.start = mirror, facts, start
        mirror.fetch(facts)

    def objects(self) -> list[Path]:
        """Every object file in the mirror."""
        return sorted((self.mirror._mirrors.at(self.facts.id) / "objects").rglob("*"))

    def of(self, bundle: bytes, **rules: int) -> ImportedHead | BundleRefusal:
        """Import; a refusal must leave the mirror unchanged."""
        before = self.objects()
        asked = BundleRules(start_sha=self.start, protected=PROTECTED, **rules)
        answer = self.mirror.import_bundle(self.facts, bundle, asked)
        if isinstance(answer, BundleRefusal):
            assert self.objects() == before, "nothing of a refused bundle reaches the mirror"
        return answer

    def refused(self, bundle: bytes, **rules: int) -> tuple[RefusalCode, tuple[str, ...]]:
        """The code and paths of a refusal."""
        answer = self.of(bundle, **rules)
        assert isinstance(answer, BundleRefusal), answer
        assert answer.sentence
        return answer.code, answer.paths

    def kept_out(self, bundle: bytes, **rules: int) -> tuple[RefusalCode, tuple[str, ...]]:
        """The code and paths of what was dropped; neither is in the head, nor are its objects."""
        answer = self.of(bundle, **rules)
        assert isinstance(answer, ImportedHead), answer
        assert answer.refused is not None
        assert answer.refused.sentence
        made = self.mirror.commit(self.facts, recipe_of(answer.tree, self.start))
        changed = self.mirror.changed_paths(self.facts, self.start, made)
        assert changed == answer.paths
        assert not set(changed).intersection(answer.refused.paths)
        return answer.refused.code, answer.refused.paths


@pytest.fixture
def door(shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts) -> Import:
    """The import of bundles that stand on main."""
    return Import(mirror, facts, shop.head())


def test_a_valid_bundle_becomes_a_tree_in_the_mirror(
    shop: Workshop, door: Import, facts: RepositoryFacts, mirror: MirrorGit
) -> None:
    (shop.tree / "src" / "link").symlink_to("../README.md")
    shop.commit("One", {"src/cart.py": "total = 1\n", "secret.txt": "regretted"})
    shop.commit("Two", {"docs/käse.md": "k", "secret.txt": None, "free.lock": "f"})
    bundle = shop.bundle(door.start)
    answer = door.of(bundle)
    assert answer == ImportedHead(
        tree=Sha(git(shop.tree, "rev-parse", "HEAD^{tree}")),
        paths=("docs/käse.md", "free.lock", "src/cart.py", "src/link"),
    )
    assert isinstance(answer, ImportedHead)
    assert mirror.files(facts, answer.tree, ("docs",)) == {"docs/käse.md": b"k"}
    assert not mirror.has(facts, shop.head()), "the agent's commits stay outside"
    regretted = git(shop.tree, "hash-object", "--stdin", stdin=b"regretted")
    assert not mirror.has(facts, Sha(regretted)), "and so does what is only in their history"
    made = mirror.commit(facts, recipe_of(answer.tree, door.start))
    assert mirror.changed_paths(facts, door.start, made) == answer.paths
    assert door.of(bundle) == answer, "again is the same"


def test_a_bundle_of_the_whole_history_is_accepted(shop: Workshop, door: Import) -> None:
    shop.commit("One", {"a.md": "a"})
    git(shop.tree, "update-ref", HEAD_REF, "HEAD")
    file = shop.tree / ".git" / "whole"
    git(shop.tree, "bundle", "create", "--quiet", str(file), HEAD_REF)
    assert isinstance(door.of(file.read_bytes()), ImportedHead)


def test_a_start_missing_in_the_mirror_is_an_error_not_a_refusal(
    shop: Workshop, door: Import
) -> None:
    shop.commit("One", {"a.md": "a"})
    bundle = shop.bundle(door.start)
    door.start = Sha("1" * 40)
    with pytest.raises(UserError):
        door.of(bundle)


def test_invalid_bytes_are_unreadable(shop: Workshop, door: Import) -> None:
    shop.commit("One", {"a.md": "a" * 5_000})
    bundle = shop.bundle(door.start)
    header, _, pack = bundle.partition(b"\n\n")
    broken = bytearray(bundle)
    broken[-30] ^= 0xFF
    filtered = bundle.replace(
        b"# v2 git bundle\n", b"# v3 git bundle\n@object-format=sha1\n@filter=blob:none\n"
    )
    for one in (
        *(b"", b"PACK", b"# v2 git bundle\n", header, header + b"\n\n", bundle[:-40]),
        *(bytes(broken), filtered, bundle.replace(b"heads/headgate", b"heads/headgatf")),
        header + b"\n\nPACK" + pack[4:8] + struct.pack(">I", 2) + pack[12:],
        bundle.replace(b"# v2", b"# v4"),
    ):
        assert door.refused(one)[0] is RefusalCode.UNREADABLE


def test_a_tip_whose_objects_are_missing_is_unreadable(shop: Workshop, door: Import) -> None:
    tree = b"100644 a\0" + b"\x11" * 20
    who = "Eve <eve@example.org> 1 +0000"
    commit = (
        f"tree {packs.object_id('tree', tree)}\nparent {door.start}\n"
        f"author {who}\ncommitter {who}\n\nx\n"
    ).encode()
    entries = packs.entry(packs.COMMIT, commit), packs.entry(packs.TREE, tree)
    tip = packs.object_id("commit", commit)
    assert door.refused(bundle_of(door, tip, *entries))[0] is RefusalCode.UNREADABLE
    assert door.refused(bundle_of(door, "1" * 40, *entries))[0] is RefusalCode.UNREADABLE


def bundle_of(door: Import, tip: str, *entries: bytes) -> bytes:
    header = f"# v2 git bundle\n-{door.start} \n{tip} {HEAD_REF}\n\n"
    return header.encode() + packs.pack(*entries)


def test_an_oversized_bundle_is_refused_unread(shop: Workshop, door: Import) -> None:
    shop.commit("One", {"a.md": "a"})
    bundle = shop.bundle(door.start)
    assert door.refused(bundle, bundle_bytes_max=len(bundle) - 1)[0] is RefusalCode.TOO_LARGE
    header, _, pack = bundle.partition(b"\n\n")
    swollen = header + b"\n\nPACK" + pack[4:8] + b"\xff\xff\xff\xff" + pack[12:]
    assert door.refused(swollen)[0] is RefusalCode.TOO_LARGE


def test_large_files_and_many_files_are_refused(shop: Workshop, door: Import) -> None:
    shop.commit("Large", {"large.bin": b"\0" * 5_000, "small.md": "s"})
    bundle = shop.bundle(door.start)
    assert door.kept_out(bundle, file_bytes_max=4_999) == (RefusalCode.TOO_LARGE, ("large.bin",))
    assert door.refused(bundle, file_bytes_max=0)[0] is RefusalCode.TOO_LARGE, "nothing is left"
    assert door.refused(bundle, files_changed_max=1)[0] is RefusalCode.TOO_LARGE
    assert isinstance(door.of(bundle, file_bytes_max=5_000, files_changed_max=2), ImportedHead)


def test_the_total_size_of_changed_files_is_limited(shop: Workshop, door: Import) -> None:
    shop.commit("Bombs", {f"{number}.bin": b"%d" % number * 9_000 for number in range(9)})
    bundle = shop.bundle(door.start)
    refused = door.refused(bundle, bundle_bytes_max=len(bundle), file_bytes_max=10_000)
    assert refused[0] is RefusalCode.TOO_LARGE


def test_a_bundle_on_another_base_is_refused(shop: Workshop, door: Import) -> None:
    git(shop.tree, "checkout", "--quiet", "--orphan", "other")
    shop.commit("Root", {"a.md": "a"})
    git(shop.tree, "update-ref", HEAD_REF, "HEAD")
    file = shop.tree / ".git" / "other"
    git(shop.tree, "bundle", "create", "--quiet", str(file), HEAD_REF)
    assert door.refused(file.read_bytes())[0] is RefusalCode.OTHER_BASE
    root = shop.head()
    shop.commit("Child", {"b.md": "b"})
    assert door.refused(shop.bundle(root))[0] is RefusalCode.OTHER_BASE, "a base unknown to us"


def test_an_older_base_and_an_older_tip_are_refused(shop: Workshop, door: Import) -> None:
    first = door.start
    door.start = shop.commit("Second", {"b.md": "b"})
    shop.publish()
    door.mirror.fetch(door.facts)
    git(shop.tree, "checkout", "--quiet", "-b", "older", first)
    shop.commit("On the first", {"a.md": "a"})
    assert door.refused(shop.bundle(first))[0] is RefusalCode.OTHER_BASE
    git(shop.tree, "update-ref", HEAD_REF, first)
    file = shop.tree / ".git" / "old"
    git(shop.tree, "bundle", "create", "--quiet", str(file), HEAD_REF)
    assert door.refused(file.read_bytes())[0] is RefusalCode.OTHER_BASE


def test_a_merge_of_other_history_is_refused(shop: Workshop, door: Import) -> None:
    git(shop.tree, "checkout", "--quiet", "-b", "side")
    shop.commit("Aside", {"side.md": "s"})
    git(shop.tree, "checkout", "--quiet", "main")
    shop.commit("Ahead", {"ahead.md": "a"})
    git(shop.tree, "merge", "--quiet", "--no-ff", "-m", "Merge", "side")
    assert door.refused(shop.bundle(door.start))[0] is RefusalCode.OTHER_BASE


def test_a_bundle_without_changes_is_empty(shop: Workshop, door: Import) -> None:
    shop.commit("Nothing", {})
    assert door.refused(shop.bundle(door.start))[0] is RefusalCode.EMPTY
    shop.commit("There", {"a.md": "a"})
    shop.commit("And back", {"a.md": None})
    assert door.refused(shop.bundle(door.start))[0] is RefusalCode.EMPTY
    git(shop.tree, "update-ref", HEAD_REF, door.start)
    file = shop.tree / ".git" / "same"
    git(shop.tree, "bundle", "create", "--quiet", str(file), HEAD_REF)
    assert door.refused(file.read_bytes())[0] is RefusalCode.EMPTY


@pytest.mark.parametrize(
    "path",
    [
        *(".github/workflows/ci.yml", ".GitHub/x", "deep/poetry.lock", "docs/rules.md"),
        *(".github", "deep/.github/x", "DOCS/Rules.md"),
    ],
)
def test_protected_paths_are_refused(shop: Workshop, door: Import, path: str) -> None:
    shop.commit("Edit", {path: "mine"})
    assert door.refused(shop.bundle(door.start)) == (RefusalCode.PROTECTED_PATH, (path,))
    shop.commit("More", {"ok.md": "o"})
    assert door.kept_out(shop.bundle(door.start)) == (RefusalCode.PROTECTED_PATH, (path,))


def test_own_files_on_a_protected_path_must_be_plain_files(shop: Workshop, door: Import) -> None:
    own = (".github/own/tasks.md", ".github/own/design.md")
    rules = BundleRules(start_sha=door.start, protected=PROTECTED, artefacts=own)
    shop.commit(
        "Edit", {own[0]: "- [x] 1", ".github/own/more.md": "m", ".github/OWN/tasks.md": "m"}
    )
    (shop.tree / own[1]).symlink_to("../../README.md")
    shop.commit("Link", {"src/x": "x"})

    answer = door.mirror.import_bundle(door.facts, shop.bundle(door.start), rules)

    assert isinstance(answer, ImportedHead)
    assert answer.paths == (own[0], "src/x")
    assert answer.refused is not None
    assert set(answer.refused.paths) == {
        *(own[1], ".github/own/more.md", ".github/OWN/tasks.md"),
    }


def test_refused_files_leave_no_objects_in_the_mirror(
    shop: Workshop, door: Import, facts: RepositoryFacts, mirror: MirrorGit
) -> None:
    shop.commit("Edit", {".github/x.yml": "mine alone", "src/cart.py": None, "ok.md": "o"})
    (shop.tree / "out").symlink_to("/etc/passwd")
    shop.commit("Link", {})
    answer = door.of(shop.bundle(door.start))
    assert isinstance(answer, ImportedHead)
    assert answer.paths == ("ok.md", "src/cart.py")
    assert answer.refused is not None
    assert answer.refused.paths == (".github/x.yml", "out")
    assert "`.github/x.yml` is protected" in answer.refused.sentence
    assert "`out` points outside the tree" in answer.refused.sentence
    assert mirror.files(facts, answer.tree, ("",)) == {"README.md": b"# Shop\n", "ok.md": b"o"}
    for text in (b"mine alone", b"/etc/passwd"):
        blob = git(shop.tree, "hash-object", "--stdin", stdin=text)
        assert not mirror.has(facts, Sha(blob))
    assert door.of(shop.bundle(door.start)) == answer, "again is the same"


def test_a_kept_file_may_not_displace_a_restored_protected_file(
    shop: Workshop, door: Import
) -> None:
    door.start = shop.commit("Lock", {"deep/poetry.lock": "kind"})
    shop.publish()
    door.mirror.fetch(door.facts)
    shop.commit("Replace", {"deep/poetry.lock": None})
    (shop.tree / "deep").rmdir()
    shop.commit("By a file", {"deep": "a file"})
    code, paths = door.refused(shop.bundle(door.start))
    assert (code, paths) == (RefusalCode.PROTECTED_PATH, ("deep/poetry.lock",))


KEY = "AKIA" + "IOSFODNN7EXAMPLE"


def test_a_file_with_a_secret_is_kept_out_and_named_without_it(
    shop: Workshop, door: Import, facts: RepositoryFacts, mirror: MirrorGit
) -> None:
    shop.commit("Key", {"deploy.env": f"\nID={KEY}\n", "ok.md": "o"})
    assert door.kept_out(shop.bundle(door.start)) == (RefusalCode.HOLDS_A_KEY, ("deploy.env",))
    answer = door.of(shop.bundle(door.start))
    assert isinstance(answer, ImportedHead)
    assert answer.refused is not None
    assert answer.refused.sentence == "`deploy.env` holds a secret (AWS Access Key in line 2)."
    blob = git(shop.tree, "hash-object", "deploy.env")
    assert not mirror.has(facts, Sha(blob)), "it is not in the mirror either"
    shop.commit("Only the key", {"ok.md": None})
    assert door.refused(shop.bundle(door.start))[0] is RefusalCode.HOLDS_A_KEY


def test_a_secret_already_on_main_is_not_blamed_on_the_agent(shop: Workshop, door: Import) -> None:
    door.start = shop.commit("A fixture", {"fixture.txt": f"{KEY}\n", "big.txt": "b" * 9_000})
    shop.publish()
    door.mirror.fetch(door.facts)
    shop.commit("Edit", {"fixture.txt": f"{KEY}\nmore\n", "a.md": "a", "z.md": "z"})
    answer = door.of(shop.bundle(door.start))
    assert isinstance(answer, ImportedHead)
    assert (answer.paths, answer.refused) == (("a.md", "fixture.txt", "z.md"), None)
    shop.commit("Another", {"fixture.txt": f"{KEY}\n{KEY[:-1]}F\n"})
    assert door.kept_out(shop.bundle(door.start)) == (RefusalCode.HOLDS_A_KEY, ("fixture.txt",))


def test_every_file_of_a_large_bundle_is_scanned(
    shop: Workshop, door: Import, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.adapters.git.bundles._READ_AT_ONCE_BYTES", 10)
    files = {f"{number}.md": f"{number}" * (number + 1) for number in range(9)}
    shop.commit("Much", {**files, "5.env": KEY, "empty.md": ""})
    (shop.tree / "link").symlink_to("5.md")
    shop.commit("Link", {})
    assert door.kept_out(shop.bundle(door.start)) == (RefusalCode.HOLDS_A_KEY, ("5.env",))


@pytest.mark.parametrize(
    ("name", "code"),
    [
        *((name, RefusalCode.LEAVES_THE_TREE) for name in (b".git", b".GIT", b"git~1", b"..")),
        *((name, RefusalCode.LEAVES_THE_TREE) for name in (b".", b".gi\xe2\x80\x8ct")),
        *((name, RefusalCode.FOREIGN_OBJECT) for name in (b"\xff", b"a\\b", b"a\nb", b"x" * 5_000)),
    ],
)
def test_a_name_that_git_refuses_drops_only_its_own_files(
    shop: Workshop,
    door: Import,
    facts: RepositoryFacts,
    mirror: MirrorGit,
    name: bytes,
    code: RefusalCode,
) -> None:
    shop.commit("Good", {"good.md": "g"})
    rows = git(shop.tree, "ls-tree", "HEAD").splitlines()
    entries = [(row.split()[0], row.split()[3].encode(), row.split()[2]) for row in rows]
    inner = shop.object("tree", b"100644 config\0" + bytes.fromhex(shop.object("blob", b"mine")))
    entries = sorted(
        [*entries, ("40000", name, inner)], key=lambda e: e[1] + b"/" * (e[0][0] == "4")
    )
    content = b"".join(
        mode.lstrip("0").encode() + b" " + file + b"\0" + bytes.fromhex(object_id)
        for mode, file, object_id in entries
    )
    tip = shop.commit_tree(shop.object("tree", content), door.start)
    answer = door.of(shop.bundle(door.start, tip))
    assert isinstance(answer, ImportedHead), answer
    assert answer.paths == ("good.md",)
    assert answer.refused is not None
    assert answer.refused.code is code
    shown = f"{name.decode(errors='backslashreplace')}/config"[:500]
    assert answer.refused.paths == (shown,)
    assert mirror.files(facts, answer.tree, ("good.md",)) == {"good.md": b"g"}
    assert not mirror.has(facts, Sha(git(shop.tree, "hash-object", "--stdin", stdin=b"mine")))


def test_a_submodule_is_dropped_and_other_files_stay(shop: Workshop, door: Import) -> None:
    """A clone in the tree that was added with everything else."""
    shop.commit("Good", {"good.md": "g"})
    git(shop.tree, "update-index", "--add", "--cacheinfo", f"160000,{door.start},vendor/lib")
    git(shop.tree, "commit", "--quiet", "-m", "Submodule")
    expected = (RefusalCode.FOREIGN_OBJECT, ("vendor/lib",))
    assert door.kept_out(shop.bundle(door.start)) == expected


def only(door: Import, bundle: bytes, *files: str) -> ImportedHead | BundleRefusal:
    rules = BundleRules(start_sha=door.start, protected=PROTECTED, only=files)
    return door.mirror.import_bundle(door.facts, bundle, rules)


def test_only_requested_files_are_taken_from_a_bundle(
    shop: Workshop, door: Import, facts: RepositoryFacts, mirror: MirrorGit
) -> None:
    shop.commit("More", {"package-lock.json": "{}", "src/cart.py": "mine", ".github/x": "mine"})
    answer = only(door, shop.bundle(door.start), "package-lock.json")
    assert isinstance(answer, ImportedHead)
    assert (answer.paths, answer.refused) == (("package-lock.json",), None)
    assert mirror.files(facts, answer.tree, ("src", "package-lock.json")) == {
        "src/cart.py": b"total = 0\n",
        "package-lock.json": b"{}",
    }


def test_unchanged_requested_files_are_not_refused(
    shop: Workshop, door: Import, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    before = mirror.tree_of(facts, door.start)
    for files in ({}, {"src/cart.py": "mine"}):
        shop.commit("Nothing of it", dict(files))
        answer = only(door, shop.bundle(door.start), "package-lock.json")
        assert answer == ImportedHead(tree=before, paths=())


def test_a_requested_file_must_follow_the_rules(shop: Workshop, door: Import) -> None:
    shop.commit("Lock", {"deep/poetry.lock": "mine", "src/cart.py": "mine"})
    answer = only(door, shop.bundle(door.start), "deep/poetry.lock")
    assert isinstance(answer, BundleRefusal)
    assert answer.code is RefusalCode.PROTECTED_PATH


def test_removing_or_renaming_a_protected_path_is_refused(shop: Workshop, door: Import) -> None:
    door.start = shop.commit("Rules", {"docs/rules.md": "be kind"})
    shop.publish()
    door.mirror.fetch(door.facts)
    shop.commit("Move", {"docs/rules.md": None, "docs/old.md": "be kind"})
    expected = (RefusalCode.PROTECTED_PATH, ("docs/rules.md",))
    assert door.kept_out(shop.bundle(door.start)) == expected


def test_replacing_a_protected_folder_by_a_link_is_refused(shop: Workshop, door: Import) -> None:
    (shop.tree / ".github").symlink_to("src")
    shop.commit("Link", {"src/workflows.md": "x"})
    expected = (RefusalCode.PROTECTED_PATH, (".github",))
    assert door.kept_out(shop.bundle(door.start)) == expected


@pytest.mark.parametrize(
    "target",
    [
        *("/etc/passwd", "../../x", "../README.md/../../..", "x/../../../y", "C:/x", "..\\x"),
        *(".git/config", "../.git/hooks", "../.GIT", "a" * 5_000),
    ],
)
def test_links_out_of_the_tree_are_refused(shop: Workshop, door: Import, target: str) -> None:
    blob = shop.object("blob", target.encode())
    git(shop.tree, "update-index", "--add", "--cacheinfo", f"120000,{blob},src/link")
    git(shop.tree, "commit", "--quiet", "-m", "Link")
    code, paths = door.refused(shop.bundle(door.start))
    assert code is RefusalCode.LEAVES_THE_TREE
    assert paths in (("src/link",), ())


@pytest.mark.parametrize("target", ["../README.md", "cart.py", "./a/b", "../../README.md/x"])
def test_links_inside_the_tree_are_accepted(target: str) -> None:
    delta = TreeDelta(b"src/deep/link", "120000", Sha("1" * 40))
    assert judge_links({delta: target.encode()}) == {}


def test_a_submodule_is_refused(shop: Workshop, door: Import) -> None:
    git(shop.tree, "update-index", "--add", "--cacheinfo", f"160000,{door.start},vendor/lib")
    git(shop.tree, "commit", "--quiet", "-m", "Submodule")
    expected = (RefusalCode.FOREIGN_OBJECT, ("vendor/lib",))
    assert door.refused(shop.bundle(door.start)) == expected


@pytest.mark.parametrize(
    ("name", "code"),
    [
        *((name, RefusalCode.LEAVES_THE_TREE) for name in (b".git", b".GIT", b"git~1", b"..")),
        *((name, RefusalCode.LEAVES_THE_TREE) for name in (b".gi\xe2\x80\x8ct", b"GIT~1 ")),
        *((name, RefusalCode.LEAVES_THE_TREE) for name in (b".git. .", b".git::$INDEX_ALLOCATION")),
        *((name, RefusalCode.LEAVES_THE_TREE) for name in (b".", b"a/b", b"git~2")),
        *((name, RefusalCode.FOREIGN_OBJECT) for name in (b"\xff", b"a\\b", b"a\nb", b"x" * 5_000)),
    ],
)
def test_names_that_some_file_system_reads_as_another_are_refused(
    shop: Workshop, door: Import, name: bytes, code: RefusalCode
) -> None:
    blob = shop.object("blob", b"x")
    inner = shop.object("tree", b"100644 config\0" + bytes.fromhex(blob))
    tree = shop.object("tree", b"40000 " + name + b"\0" + bytes.fromhex(inner))
    bundle = shop.bundle(door.start, shop.commit_tree(tree, door.start))
    answer = door.of(bundle)
    refusal = answer if isinstance(answer, BundleRefusal) else answer.refused
    assert refusal is not None
    assert refusal.code is code
    if isinstance(answer, ImportedHead):
        assert answer.paths == ("README.md", "src/cart.py"), "what was there is gone, as was said"


@pytest.mark.parametrize(
    "content",
    [
        b"100644 a\0%b" + b"100644 a\0%b",
        b"100666 b\0%b" + b"100644 a\0%b",
        b"0100644 a\0%b",
    ],
)
def test_malformed_trees_are_refused(shop: Workshop, door: Import, content: bytes) -> None:
    blob = bytes.fromhex(shop.object("blob", b"x"))
    tree = shop.object("tree", content.replace(b"%b", blob))
    bundle = shop.bundle(door.start, shop.commit_tree(tree, door.start))
    assert door.refused(bundle)[0] in (RefusalCode.FOREIGN_OBJECT, RefusalCode.LEAVES_THE_TREE)


def test_a_folder_without_files_is_refused(shop: Workshop, door: Import) -> None:
    empty = shop.object("tree", b"")
    for name in (b"a", b"README.md"):
        tree = shop.object("tree", b"40000 " + name + b"\0" + bytes.fromhex(empty))
        bundle = shop.bundle(door.start, shop.commit_tree(tree, door.start))
        assert door.refused(bundle)[0] is RefusalCode.FOREIGN_OBJECT


@pytest.mark.parametrize("inside", ["file", "nothing"])
def test_a_tree_bomb_is_refused_quickly(shop: Workshop, door: Import, inside: str) -> None:
    below = shop.object("blob", b"boom")
    mode = b"100644"
    if inside == "nothing":
        below, mode = shop.object("tree", b""), b"40000"
    for _ in range(10):
        entries = (mode + b" %d\0" % name + bytes.fromhex(below) for name in range(10))
        below, mode = shop.object("tree", b"".join(entries)), b"40000"
    tip = shop.commit_tree(below, door.start)
    git(shop.tree, "update-ref", HEAD_REF, tip)
    assert door.refused(shop.bundle(door.start, tip))[0] is RefusalCode.TOO_LARGE


def test_a_delta_bomb_is_refused(shop: Workshop, door: Import) -> None:
    base = packs.entry(packs.BLOB, b"\0" * 0xFFFFFF)
    delta = packs.copies_of(0xFFFFFF, 4_000)
    bomb = packs.entry(packs.OFFSET_DELTA, delta, packs.distance(len(base)))
    bundle = bundle_of(door, "1" * 40, base, bomb)
    assert len(bundle) < 50_000, "64 GB in a few bytes"
    assert door.refused(bundle)[0] is RefusalCode.TOO_LARGE


@given(st.binary(max_size=300))
def test_the_header_parser_never_raises(rubbish: bytes) -> None:
    for start in (b"", b"# v2 git bundle\n", b"# v3 git bundle\n@", b"# v2 git bundle\n-"):
        assert parse_header(start + rubbish) is not None


def test_the_import_runs_without_secrets(
    shop: Workshop, tmp_path: Path, facts: RepositoryFacts, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    seen = tmp_path / "seen"
    program.write_text(f'#!/bin/sh\n(echo "$@"; env) >> {seen}\nexec /usr/bin/git "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    monkeypatch.setenv("HEADGATE_APP_KEY", "the key of the house")
    mirror = MirrorGit(tmp_path / "mirrors", lambda _: "the-token", protocols=("file",))
    door = Import(mirror, facts, shop.head())
    assert "Authorization: Basic" in seen.read_text(), "the talk with the server has it"
    seen.write_text("")
    shop.commit("One", {"a.md": "a"})
    assert isinstance(door.of(shop.bundle(door.start)), ImportedHead)
    said = seen.read_text()
    assert "bundle verify" in said
    assert "the key of the house" not in said
    assert "Authorization" not in said
