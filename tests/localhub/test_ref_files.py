"""localhub moves refs by their files as git does, and leaves to git what is not plain."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.localhub.git_store import GitStore, Signature
from bot.localhub.github_json import ZERO_SHA
from bot.localhub.ref_files import Step, moved_by_files
from bot.localhub.tree_edits import FileChange, GitError
from tests.testkit.house import TestClock

ME = Signature("Ada", "ada@example.org", TestClock().now())
MAIN, TOPIC, NEW = "refs/heads/main", "refs/heads/team/topic", "refs/heads/new/one"


def _commit(git: GitStore, text: str) -> str:
    tree = git.changed_tree(None, [FileChange("a.txt", text.encode())])
    return git.commit_tree(tree, [], text, ME, ME)


@pytest.fixture
def git(tmp_path: Path) -> GitStore:
    git = GitStore.create(tmp_path / "shop.git", "main", tmp_path / "hooks")
    for ref in (MAIN, TOPIC):
        git.run(["update-ref", ref, _commit(git, "one")])
    return git


PLAIN: dict[str, Callable[[str, str], list[Step]]] = {
    "moved": lambda one, two: [(MAIN, two, one)],
    "moved wherever it was": lambda one, two: [(MAIN, two, None)],
    "made, moved and gone at once": lambda one, two: [
        *((NEW, two, ZERO_SHA), (MAIN, two, one), (TOPIC, ZERO_SHA, one)),
    ],
    "made where one was": lambda one, two: [("refs/pull/1/head", one, None)],
}
LEFT: dict[str, Callable[[str, str], list[Step]]] = {
    "from another place": lambda one, two: [(MAIN, two, two)],
    "made twice": lambda one, two: [(MAIN, two, ZERO_SHA)],
    "one of two from another place": lambda one, two: [(MAIN, two, one), (TOPIC, two, two)],
    "below a ref": lambda one, two: [(f"{MAIN}/below", two, ZERO_SHA)],
    "above a ref": lambda one, two: [("refs/heads/team", two, ZERO_SHA)],
    "above a ref, wherever it was": lambda one, two: [("refs/heads/team", two, None)],
    "no object": lambda one, two: [(MAIN, "1" * 40, one)],
    "no name": lambda one, two: [("refs/heads/a..b", two, ZERO_SHA)],
    "a lock's name": lambda one, two: [("refs/heads/a.lock", two, ZERO_SHA)],
    "twice": lambda one, two: [(MAIN, two, one), (MAIN, two, one)],
}


def _as_git_does(git: GitStore, steps: list[Step], copy: Path) -> tuple[bool, dict[str, str]]:
    shutil.copytree(git.folder, copy)
    lines = [f"update {ref} {after} {before or ''}".rstrip() for ref, after, before in steps]
    script = "\n".join(["start", *lines, "prepare", "commit", ""]).encode()
    other = GitStore(copy)
    return other.attempt(["update-ref", "--stdin"], script).returncode == 0, other.read_refs()


@pytest.mark.parametrize("name", PLAIN)
def test_refs_are_moved_as_by_git_without_running_git(
    git: GitStore, tmp_path: Path, name: str
) -> None:
    steps = PLAIN[name](_commit(git, "one"), _commit(git, "two"))
    is_done, refs = _as_git_does(git, steps, tmp_path / "copy.git")
    assert (moved_by_files(git.folder, steps), is_done) == (True, True)
    assert git.read_refs() == refs
    folders = {path.relative_to(git.folder) for path in git.folder.glob("refs/**/*")}
    copied = tmp_path / "copy.git"
    assert folders == {path.relative_to(copied) for path in copied.glob("refs/**/*")}


@pytest.mark.parametrize("name", LEFT)
def test_ref_updates_that_git_refuses_are_refused_without_effect(
    git: GitStore, tmp_path: Path, name: str
) -> None:
    steps = LEFT[name](_commit(git, "one"), _commit(git, "two"))
    before = git.read_refs()
    assert _as_git_does(git, steps, tmp_path / "copy.git")[0] is False
    assert git.move_refs(steps) is False
    assert git.read_refs() == before
    assert not list(git.folder.glob("refs/**/*.lock"))
    with pytest.raises(GitError):
        git.set_ref("refs/heads/team", _commit(git, "two"))


@pytest.mark.parametrize("name", ["a lock's name", "no name"])
def test_unusual_ref_names_are_left_to_git(git: GitStore, name: str) -> None:
    assert not moved_by_files(git.folder, LEFT[name](_commit(git, "one"), _commit(git, "two")))


def test_a_branch_names_a_commit_and_a_tag_any_object(git: GitStore) -> None:
    blob = git.write_blob(b"a\n")
    assert git.move_refs([("refs/heads/blob", blob, ZERO_SHA)]) is False
    assert git.move_refs([("refs/tags/blob", blob, ZERO_SHA)]) is True


def test_packed_refs_are_moved_by_git(git: GitStore) -> None:
    git.run(["pack-refs", "--all"])
    two = _commit(git, "two")
    assert moved_by_files(git.folder, [(MAIN, two, None)]) is False
    assert git.move_refs([(MAIN, two, _commit(git, "one")), (TOPIC, ZERO_SHA, None)]) is True
    assert git.read_refs() == {MAIN: two}


def test_a_locked_ref_is_not_moved(git: GitStore) -> None:
    lock = git.folder / f"{TOPIC}.lock"
    lock.touch()
    two = _commit(git, "two")
    before = git.read_refs()
    assert moved_by_files(git.folder, [(MAIN, two, None), (TOPIC, two, None)]) is False
    assert git.read_refs() == before
    assert lock.exists()


def test_an_empty_ref_folder_is_replaced_by_a_ref(git: GitStore) -> None:
    (git.folder / "refs/heads/empty/below").mkdir(parents=True)
    assert git.move_refs([("refs/heads/empty", _commit(git, "two"), ZERO_SHA)]) is True
