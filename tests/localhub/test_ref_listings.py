"""localhub lists refs byte for byte as git does."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.localhub.git_store import GitStore, Signature
from bot.localhub.ref_advertisements import pushers_refs, readers_refs
from bot.localhub.tree_edits import FileChange
from tests.testkit.house import TestClock

ME = Signature("Ada", "ada@example.org", TestClock().now())
ASKED = ("peel\n", "symrefs\n", "unborn\n")


def _asks(*arguments: str) -> bytes:
    lines = ["command=ls-refs\n", "agent=git/2.0", "object-format=sha1"]
    packets = [f"{len(line) + 4:04x}{line}" for line in lines] + ["0001"]
    packets += [f"{len(line) + 4:04x}{line}" for line in arguments]
    return "".join([*packets, "0000"]).encode()


@pytest.fixture
def git(tmp_path: Path) -> GitStore:
    return GitStore.create(tmp_path / "shop.git", "main", tmp_path / "hooks")


def _commit(git: GitStore, text: str) -> str:
    tree = git.changed_tree(None, [FileChange("a/b.txt", text.encode())])
    return git.commit_tree(tree, [], text, ME, ME)


def _told_by_git(git: GitStore, asked: bytes) -> bytes:
    arguments = ["upload-pack", "--stateless-rpc", str(git.folder)]
    return git.run(arguments, asked, {"GIT_PROTOCOL": "version=2"})


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ASKED,
        (*ASKED, "ref-prefix refs/heads/\n"),
        ("symrefs\n", "ref-prefix HEAD\n", "ref-prefix refs/heads/main\n"),
        ("ref-prefix refs/nothing\n",),
    ],
)
@pytest.mark.parametrize("refs", [(), ("refs/heads/other",), ("refs/heads/main", "refs/x/y")])
def test_refs_are_listed_for_readers_as_by_git(
    git: GitStore, arguments: tuple[str, ...], refs: tuple[str, ...]
) -> None:
    for ref in refs:
        git.run(["update-ref", ref, _commit(git, ref)])
    asked = _asks(*arguments)
    assert readers_refs(git, asked) == _told_by_git(git, asked)


@pytest.mark.parametrize("is_packed", [False, True])
@pytest.mark.parametrize(
    "refs", [(), ("refs/heads/main",), ("refs/heads/m", "refs/a/b", "refs/z/z")]
)
def test_refs_are_listed_for_a_push_as_by_git(
    git: GitStore, refs: tuple[str, ...], is_packed: bool
) -> None:
    for ref in refs:
        git.run(["update-ref", ref, _commit(git, ref)])
    if is_packed and refs:
        git.run(["pack-refs", "--all"])
        git.run(["update-ref", refs[0], _commit(git, "later")])
    told = git.run(["receive-pack", "--stateless-rpc", "--advertise-refs", str(git.folder)])
    assert pushers_refs(git) == told


def test_git_itself_peels_tags_and_answers_other_requests(git: GitStore) -> None:
    git.run(["update-ref", "refs/tags/v1", _commit(git, "one")])
    assert readers_refs(git, _asks("peel\n")) is None
    assert readers_refs(git, _asks().replace(b"ls-refs", b"fetch..")) is None


def test_a_ref_packed_during_a_listing_is_still_listed(
    git: GitStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    git.run(["update-ref", "refs/heads/main", _commit(git, "one")])
    before = git.read_refs()
    walk = os.walk

    def slowly(folder: Path) -> Iterator[tuple[str, list[str], list[str]]]:
        for found in list(walk(folder)):
            git.run(["pack-refs", "--all"])
            yield found

    monkeypatch.setattr("bot.localhub.git_store.os.walk", slowly)
    assert git.read_refs() == before != {}
