"""Reading trees and history from a mirror."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.adapters.git.mirror_git import MirrorGit
from bot.core.values.candidate import MergeConflict, MergedTree
from bot.core.values.ids import Ref, Sha
from bot.core.values.repository import RepositoryFacts
from bot.ports import Retryable, UserError
from tests.adapters.workshop import Workshop, git

NOWHERE = Sha("1" * 40)


def test_files_are_found_only_at_and_below_a_prefix(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    (shop.tree / "specs").mkdir()
    (shop.tree / "specs" / "link.md").symlink_to("../README.md")
    head = shop.commit(
        "Specs",
        {"specs/ä b.md": "# A\n", "specs-old/b.md": "# B\n", "specs.md": "", "one\n.md": ""},
    )
    shop.publish()
    mirror.fetch(facts)
    assert mirror.files(facts, head, ("specs/",)) == {"specs/ä b.md": b"# A\n"}
    assert mirror.files(facts, head, ("specs", "specs.md")).keys() == {"specs/ä b.md", "specs.md"}
    tree = mirror.tree_of(facts, head)
    every = mirror.blobs(facts, tree, ("",))
    assert every.keys() == {
        *("README.md", "src/cart.py", "specs/ä b.md", "specs-old/b.md", "specs.md", "one\n.md")
    }
    assert every["README.md"] == git(shop.tree, "rev-parse", "HEAD:README.md")
    assert mirror.blobs(facts, tree, ()) == {}
    assert mirror.links(facts, tree) == {"specs/link.md": "../README.md"}
    assert mirror.files(facts, head, ("nothing/here",)) == {}


def test_changed_paths_are_read_commit_by_commit(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    shop.commit("Two", {"ä\nb.py": "x", "src/cart.py": "total = 2\n"})
    shop.commit("Nothing", {})
    head = shop.commit("One", {"one.py": "1"})
    shop.publish()
    mirror.fetch(facts)

    assert mirror.changed_together(facts, head, 3) == (
        ("one.py",),
        (),
        ("src/cart.py", "ä\nb.py"),
    )
    assert mirror.changed_together(facts, head, 1) == (("one.py",),)


def test_history_lists_first_parent_commits_with_their_changed_paths(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    start = shop.head()
    second = shop.commit("Second", {":colon.md": "x", "src/cart.py": "total = 1\n"})
    git(shop.tree, "checkout", "--quiet", "-b", "side", start)
    side = shop.commit("Aside", {"side/ö.md": "s"})
    git(shop.tree, "checkout", "--quiet", "main")
    git(shop.tree, "merge", "--quiet", "--no-ff", "-m", "Merge side", "side")
    merged = shop.head()
    empty = shop.commit("Nothing: at all", {})
    shop.publish()
    mirror.fetch(facts)

    line = mirror.history(facts, start, empty)
    assert line is not None
    assert [(one.sha, one.subject, one.paths) for one in line] == [
        (second, "Second", (":colon.md", "src/cart.py")),
        (merged, "Merge side", ("side/ö.md",)),
        (empty, "Nothing: at all", ()),
    ]
    assert line[1].parents == (second, side)
    assert line[0].author == "Ada"
    assert line[0].tree == mirror.tree_of(facts, second)
    assert abs((datetime.now(UTC) - line[0].committed_at).total_seconds()) < 60
    assert mirror.history(facts, empty, empty) == ()
    assert mirror.history(facts, side, empty) is None, "not on main's own line"
    assert mirror.history(facts, empty, start) is None, "the wrong way round"
    assert mirror.history(facts, NOWHERE, empty) is None
    with pytest.raises(UserError):
        mirror.history(facts, start, NOWHERE)


def test_history_is_none_after_a_force_push(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    start = shop.head()
    lost = shop.commit("Lost", {"a": "1"})
    shop.publish()
    mirror.fetch(facts)
    git(shop.tree, "reset", "--quiet", "--hard", start)
    new = shop.commit("New", {"a": "2"})
    shop.publish()
    mirror.fetch(facts)
    assert mirror.history(facts, lost, new) is None
    assert mirror.has(facts, new)


def test_merging_gives_a_tree_or_the_files_in_conflict(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    start = shop.head()
    ours = shop.commit("Ours", {"src/cart.py": "total = 1\n", "b.txt": "ours", "new.txt": "n"})
    git(shop.tree, "checkout", "--quiet", "-b", "theirs", start)
    fits = shop.commit("Fits", {"README.md": "# The shop\n"})
    clashes = shop.commit("Clashes", {"src/cart.py": "total = 2\n", "b.txt": "theirs"})
    shop.publish("main:refs/heads/main")
    shop.publish("theirs:refs/heads/theirs")
    mirror.fetch(facts)

    merged = mirror.merge(facts, ours, fits)
    assert isinstance(merged, MergedTree)
    assert mirror.changed_paths(facts, ours, merged.tree) == ("README.md",)
    conflict = mirror.merge(facts, ours, clashes)
    assert isinstance(conflict, MergeConflict)
    assert conflict.files == ("b.txt", "src/cart.py")
    assert b"<<<<<<<" in mirror.files(facts, conflict.tree, ("b.txt",))["b.txt"]
    with pytest.raises(UserError):
        mirror.merge(facts, ours, NOWHERE)


def test_merging_unrelated_histories_is_refused_with_gits_message(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    main = shop.head()
    git(shop.tree, "checkout", "--quiet", "--orphan", "other")
    other = shop.commit("Other", {"x": "y"})
    shop.publish("other:refs/heads/other")
    mirror.fetch(facts)
    with pytest.raises(UserError, match="unrelated histories"):
        mirror.merge(facts, main, other)


def test_fetch_updates_branches_and_our_refs_and_prunes_deleted_ones(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts, tmp_path: Path
) -> None:
    shop.publish("HEAD:refs/headgate/heads/1")
    shop.publish("HEAD:refs/heads/refs/heads/main")
    shop.publish("HEAD:refs/pull/1/head")
    mirror.fetch(facts)
    folder = tmp_path / "mirrors" / "7.git"
    assert git(folder, "for-each-ref", "--format=%(refname)").split() == [
        *("refs/headgate/heads/1", "refs/heads/main", "refs/heads/refs/heads/main")
    ]
    git(shop.origin, "update-ref", "-d", "refs/headgate/heads/1")
    mirror.fetch(facts)
    assert "headgate" not in git(folder, "for-each-ref")
    assert mirror.remote_ref(facts, Ref("refs/heads/main")) == shop.head()
    assert mirror.remote_ref(facts, Ref("refs/heads/mai")) is None
    assert mirror.remote_ref(facts, Ref("refs/headgate/heads/1")) is None


def test_few_files_are_listed_once_and_many_each_time(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts, tmp_path: Path
) -> None:
    head = shop.commit("Notes", {f"notes/{n}.md": "\n" for n in range(600)})
    shop.publish()
    listed = mirror.blobs(facts, head, ("src",))
    assert len(mirror.blobs(facts, head, ("notes",))) == 600
    shutil.rmtree(tmp_path / "mirrors" / "7.git")
    shutil.rmtree(shop.origin)
    assert listed.keys() == {"src/cart.py"}
    assert mirror.blobs(facts, head, ("src",)) == listed
    with pytest.raises((UserError, Retryable)):
        mirror.blobs(facts, head, ("notes",))


def test_a_small_tree_is_listed_only_once(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts, tmp_path: Path
) -> None:
    head = shop.commit("Notes", {"notes/a.md": "a", "notes-of-others/b.md": "b", "notes.md": "c"})
    shop.publish()
    assert mirror.blobs(facts, head, ("src",)).keys() == {"src/cart.py"}
    shutil.rmtree(tmp_path / "mirrors" / "7.git")
    shutil.rmtree(shop.origin)
    assert mirror.blobs(facts, head, ("notes/",)).keys() == {"notes/a.md"}
    assert mirror.blobs(facts, head, ("notes", "notes.md")).keys() == {"notes/a.md", "notes.md"}
    assert len(mirror.blobs(facts, head, ("",))) == 5
    assert mirror.blobs(facts, head, ()) == {}


def test_objects_of_a_recreated_mirror_are_looked_up_again(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts, tmp_path: Path
) -> None:
    mirror.fetch(facts)
    assert mirror.has(facts, shop.head())
    assert mirror.has(facts, shop.head())
    shutil.rmtree(tmp_path / "mirrors" / "7.git")
    assert not mirror.has(facts, shop.head())


def test_a_mirror_without_its_configuration_is_still_readable(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts, tmp_path: Path
) -> None:
    mirror.fetch(facts)
    (tmp_path / "mirrors" / "7.git" / "config").unlink()
    assert mirror.has(facts, shop.head())
    assert not mirror.has(facts, NOWHERE)


def test_a_deleted_mirror_is_recreated(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts, tmp_path: Path
) -> None:
    mirror.fetch(facts)
    shutil.rmtree(tmp_path / "mirrors" / "7.git")
    assert not mirror.has(facts, shop.head())
    assert mirror.files(facts, shop.head(), ("README.md",)) == {"README.md": b"# Shop\n"}


@pytest.mark.parametrize("damage", ["object", "packed refs", "stale lock", "HEAD"])
def test_a_damaged_mirror_is_replaced(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts, tmp_path: Path, damage: str
) -> None:
    mirror.fetch(facts)
    folder = tmp_path / "mirrors" / "7.git"
    if damage == "object":
        for file in (folder / "objects").glob("??/*"):
            file.chmod(0o644)
            file.write_bytes(b"")
    elif damage == "packed refs":
        (folder / "packed-refs").write_text("rubbish\n")
    elif damage == "stale lock":
        (folder / "refs" / "heads" / "main.lock").touch()
    else:
        (folder / "HEAD").write_text("rubbish")
    head = shop.commit("More", {"more.md": "m"})
    shop.publish()
    assert mirror.files(facts, head, ("more.md", "README.md")).keys() == {"more.md", "README.md"}
    mirror.fetch(facts)
    assert mirror.history(facts, head, head) == ()


@pytest.mark.slow
def test_repacking_a_mirror_keeps_commits_that_are_not_pushed(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts, tmp_path: Path
) -> None:
    objects = tmp_path / "mirrors" / "7.git" / "objects"
    many = {f"{number}.md": f"{number}".encode() for number in range(9_000)}
    tree = mirror.edit_tree(facts, shop.head(), many)
    assert len(list((objects / "17").glob("*"))) > 27
    mirror.fetch(facts)
    assert list((objects / "17").glob("*")) == []
    assert len(mirror.blobs(facts, tree, ("",))) == 9_002
    (objects / "17" / ("0" * 38)).parent.mkdir(exist_ok=True)
    for number in range(40):
        (objects / "17" / f"{number:038x}").write_bytes(b"")
    mirror.fetch(facts)
    assert mirror.files(facts, shop.head(), ("README.md",)) == {"README.md": b"# Shop\n"}
