"""localhub writes trees and commits byte for byte as git does."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.localhub.git_store import GitStore, Signature
from bot.localhub.tree_edits import FileChange, GitError

AT = datetime(2026, 1, 1, tzinfo=UTC)
ME = Signature("Ada", "ada@example.org", AT)


@pytest.fixture
def git(tmp_path: Path) -> GitStore:
    return GitStore.create(tmp_path / "shop.git", "main", tmp_path / "hooks")


def _by_git(git: GitStore, base: str | None, changes: list[FileChange]) -> str:
    index = {"GIT_INDEX_FILE": str(git.folder / "index")}
    git.run(["read-tree", base or "--empty"], environment=index)
    rows = []
    for one in changes:
        gone = f"0 {'0' * 40}\t{one.path}\0"
        kept = f"{one.mode} {git.write_blob(one.content or b'')}\t{one.path}\0"
        rows.append(gone if one.content is None else kept)
    git.run(["update-index", "-z", "--index-info"], "".join(rows).encode(), index)
    return git.run(["write-tree"], environment=index).decode().strip()


FILES = [
    FileChange(path, path.encode(), mode)
    for path, mode in (
        *(("a", "100644"), ("b/c", "100755"), ("b/d/e", "100644"), ("b.txt", "100644")),
        *(("b-", "120000"), ("ä ö/ü", "100644"), ("z/only", "100644")),
    )
]


@pytest.mark.parametrize(
    "changes",
    [
        [],
        [FileChange("a", b"other"), FileChange("b/d/new", b"new")],
        [FileChange("z/only", None)],
        [FileChange("b/c", None), FileChange("b/d/e", None)],
        [FileChange("a/below", b"a file becomes a folder")],
        [FileChange("b", b"a folder becomes a file")],
        [FileChange("b", None), FileChange("nowhere/at/all", None), FileChange("a/b", None)],
        [FileChange("x", b"1"), FileChange("x/y", b"2"), FileChange("x", None)],
        [FileChange(one.path, None) for one in FILES],
    ],
)
def test_a_changed_tree_is_the_one_that_git_makes(git: GitStore, changes: list[FileChange]) -> None:
    base = git.changed_tree(None, FILES)
    assert base == _by_git(git, None, FILES)
    assert git.changed_tree(base, changes) == _by_git(git, base, changes)
    assert git.attempt(["fsck", "--strict"]).returncode == 0


@pytest.mark.parametrize(
    "path", ["", "/a", "a//b", "../a", "a/./b", ".git/config", "a/.GIT", "git~1"]
)
def test_a_path_that_git_cannot_check_out_is_refused(git: GitStore, path: str) -> None:
    with pytest.raises(GitError):
        git.changed_tree(None, [FileChange(path, b"")])


@pytest.mark.parametrize(
    "name", ["Ada", "dependabot[bot]", " Ada L., ", '"Ada" <x>', "A\nda", "Jürgen <3", "a.b."]
)
def test_a_commit_is_the_one_that_git_makes(git: GitStore, name: str) -> None:
    tree = git.changed_tree(None, FILES)
    first = git.commit_tree(tree, [], "One", ME, ME)
    who = Signature(name, "<ada@example.org>", AT)
    made = git.commit_tree(tree, [first, first], "A message\n\nwith more", who, ME)
    told = {"GIT_AUTHOR_NAME": name, "GIT_AUTHOR_EMAIL": who.email, "GIT_COMMITTER_NAME": ME.name}
    told |= {"GIT_COMMITTER_EMAIL": ME.email, "GIT_AUTHOR_DATE": "1767225600 +0000"}
    told |= {"GIT_COMMITTER_DATE": "1767225600 +0000"}
    asked = ["commit-tree", tree, "-p", first, "-p", first]
    assert made == git.run(asked, b"A message\n\nwith more", told).decode().strip()


def test_a_commit_needs_an_author(git: GitStore) -> None:
    with pytest.raises(GitError, match="empty ident name"):
        git.commit_tree(git.changed_tree(None, FILES), [], "", Signature(" . ", "", AT), ME)


def test_packed_objects_are_read(git: GitStore) -> None:
    tree = git.changed_tree(None, FILES)
    sha = git.commit_tree(tree, [], "One", ME, ME)
    git.run(["update-ref", "refs/heads/main", sha])
    git.run(["repack", "-a", "-d", "-q"])
    again = GitStore(git.folder)
    assert not (git.folder / "objects" / sha[:2] / sha[2:]).exists()
    assert again.commit(sha).tree == tree
    assert again.read_file(sha, "b/d/e") == b"b/d/e"
    assert sorted(again.names_in(sha, "b")) == ["c"]
