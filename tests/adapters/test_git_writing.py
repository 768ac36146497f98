"""Trees and commits are byte for byte the same on every machine and every time."""

import multiprocessing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from bot.adapters.git.mirror_git import MirrorGit
from bot.core.values.ids import Sha
from bot.core.values.repository import RepositoryFacts
from bot.ports import UserError
from tests.adapters.workshop import Workshop, facts_of, git, recipe_of


def test_the_same_recipe_gives_the_same_commit_on_any_machine(
    shop: Workshop,
    mirror: MirrorGit,
    facts: RepositoryFacts,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recipe = recipe_of(mirror.tree_of(facts, shop.head()), shop.head())
    made = mirror.commit(facts, recipe)
    elsewhere = MirrorGit(tmp_path / "elsewhere", lambda _: "", protocols=("file",))
    for name, value in (
        *(("TZ", "Asia/Kathmandu"), ("GIT_AUTHOR_NAME", "Eve"), ("LC_ALL", "de_DE.ISO-8859-1")),
        *(("GIT_COMMITTER_DATE", "1 +0100"), ("GIT_CONFIG_GLOBAL", "/etc/passwd")),
    ):
        monkeypatch.setenv(name, value)
    assert elsewhere.commit(facts, recipe) == made == mirror.commit(facts, recipe)
    said = git(tmp_path / "mirrors" / "7.git", "cat-file", "commit", made)
    who = "headgate[bot] <99+headgate[bot]@users.noreply.github.com> 1774747800 +0000"
    assert said.split("\n") == [
        *(f"tree {recipe.tree}", f"parent {recipe.parents[0]}"),
        *(f"author {who}", f"committer {who}", "", "Add a cart", "", "For übermorgen."),
    ]


def test_a_commit_of_a_missing_tree_is_refused(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    with pytest.raises(UserError):
        mirror.commit(facts, recipe_of(Sha("2" * 40), shop.head()))
    with pytest.raises(UserError):
        mirror.edit_tree(facts, Sha("2" * 40), {"a": b"b"})


def test_editing_keeps_modes_and_drops_empty_folders(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    (shop.tree / "run.sh").write_text("#!/bin/sh\n")
    (shop.tree / "run.sh").chmod(0o755)
    (shop.tree / "link").symlink_to("README.md")
    head = shop.commit("Start", {"a/b/c.md": "c", "a.md": "a", "z/1.md": "1", "z/2.md": "2"})
    shop.publish()
    edited = mirror.edit_tree(
        facts,
        head,
        {
            **{"run.sh": b"#!/bin/bash\n", "link": b"no link", "a/b/c.md": None},
            **{"z/1.md": None, "new/deep/file.md": b"\x00\xff", "README.md/below.md": b"b"},
            **{"missing/file.md": None, "also-missing.md": None},
        },
    )
    folder = mirror_folder(mirror, facts)
    listed = git(folder, "ls-tree", "-r", "-t", edited).replace("\t", " ").split("\n")
    found = {line.split(" ")[3]: line.split(" ")[0] for line in listed}
    assert found == {
        **{"README.md": "040000", "README.md/below.md": "100644", "a.md": "100644"},
        **{"link": "100644", "new": "040000", "new/deep": "040000", "z": "040000"},
        **{"new/deep/file.md": "100644", "run.sh": "100755", "src": "040000"},
        **{"src/cart.py": "100644", "z/2.md": "100644"},
    }
    assert git(folder, "fsck", "--strict", "--no-dangling") == ""
    assert mirror.files(facts, edited, ("new",)) == {"new/deep/file.md": b"\x00\xff"}
    assert mirror.edit_tree(facts, head, {}) == mirror.tree_of(facts, head)
    every = dict.fromkeys(mirror.blobs(facts, head, ("",)))
    assert mirror.edit_tree(facts, head, {**every, "link": None}) == (
        "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    )


@pytest.mark.parametrize(
    "path", ["", "/a", "a/", "a//b", "../a", "a/./b", ".git/config", "x/.GIT/y", "a\nb", "a\0b"]
)
def test_invalid_paths_are_refused(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts, path: str
) -> None:
    with pytest.raises(UserError):
        mirror.edit_tree(facts, shop.head(), {path: b"x"})


def test_a_path_cannot_be_a_file_and_a_folder(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    with pytest.raises(UserError, match="at the same time"):
        mirror.edit_tree(facts, shop.head(), {"a": b"x", "a/b": b"y"})


NAMES = st.sampled_from(["a", "a.b", "a-b", "b", "ab", "ü"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)


@pytest.fixture(scope="module")
def playground(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workshop, MirrorGit]:
    """One repository for many examples."""
    folder = tmp_path_factory.mktemp("playground")
    made = MirrorGit(folder / "mirrors", lambda _: "", protocols=("file",))
    return Workshop.opened(folder / "remote"), made


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    before=st.dictionaries(PATHS, st.binary(max_size=40), max_size=6),
    edits=st.dictionaries(PATHS, st.none() | st.binary(max_size=40), max_size=6),
)
def test_an_edited_tree_equals_the_one_that_git_writes(
    playground: tuple[Workshop, MirrorGit],
    before: dict[str, bytes],
    edits: dict[str, bytes | None],
) -> None:
    def clash(paths: list[str]) -> bool:
        return any(one != two and two.startswith(f"{one}/") for one in paths for two in paths)

    kept = {
        path: content
        for path, content in before.items()
        if not any(f"{path}/".startswith(f"{edited}/") for edited in edits)
    }
    written = {path: content for path, content in edits.items() if content is not None}
    if clash([*before]) or clash([*kept, *written]) or clash([*edits]):
        return
    shop, mirror = playground
    facts = facts_of(shop.file_url)
    base = mirror.edit_tree(facts, Sha(git(shop.tree, "rev-parse", "HEAD")), {"src/cart.py": None})
    start = mirror.edit_tree(facts, base, before)
    mine = mirror.edit_tree(facts, start, edits)
    index = {"README.md": b"# Shop\n", **kept, **written}
    assert mirror.files(facts, mine, ("",)) == index
    again = mirror.edit_tree(facts, base, {**kept, **written})
    assert again == mine, "the way there does not matter"


def mirror_folder(mirror: MirrorGit, facts: RepositoryFacts) -> Path:
    return mirror._mirrors.at(facts.id)


def make_everything(folder: Path, url: str, head: Sha, numbers: list[int]) -> list[Sha]:
    """Run by each process, on shared mirrors."""
    mirror = MirrorGit(folder, lambda _: "", protocols=("file",))
    facts = facts_of(url)
    made = []
    for number in numbers:
        mirror.fetch(facts)
        tree = mirror.edit_tree(facts, head, {f"n/{number}.md": str(number).encode()})
        made.append(mirror.commit(facts, recipe_of(tree, head)))
    return made


@pytest.mark.slow
def test_two_processes_can_share_the_mirrors(shop: Workshop, tmp_path: Path) -> None:
    for number in range(20):
        shop.publish(f"HEAD:refs/heads/branch-{number}")
    job = (tmp_path / "mirrors", shop.file_url, shop.head(), list(range(12)))
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        one, other = pool.starmap(make_everything, [job, job])
    assert one == other
    git(tmp_path / "mirrors" / "7.git", "fsck", "--strict", "--no-dangling")
    assert not list((tmp_path / "mirrors").glob("7-*"))
