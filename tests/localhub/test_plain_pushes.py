"""localhub handles plain pushes as git does, and leaves all others to git."""

import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from pathlib import Path

import pytest

from bot.localhub.git_store import GitStore, Signature, scrubbed_environment
from bot.localhub.github_json import ZERO_SHA
from bot.localhub.plain_pushes import received
from bot.localhub.rules import RefMove
from bot.localhub.tree_edits import FileChange
from bot.localhub.update_hook import install_hooks
from tests.testkit.house import TestClock

ME = Signature("Ada", "ada@example.org", TestClock().now())
MAIN, TOPIC, OTHER, NEW = (f"refs/heads/{name}" for name in ("main", "topic", "other", "new/one"))
LEDGER = "refs/headgate/ledger"
CI = ".github/workflows/ci.yml"
ABLE = ("report-status-v2", "side-band-64k", "object-format=sha1", "agent=git/2.0")
# Joined here, so that no push of this file looks like a push of a token.
TOKEN = b"ghp_" + b"a1B2c3D4e5" * 3 + b"f6G7h8"
# What the hub asks of an App's push.
RULES = (f"*\tworkflows\t{MAIN}", "*\tcontents\t")


class Desk:
    """Where somebody works, and the server's repository."""

    def __init__(self, folder: Path) -> None:
        install_hooks(folder / "hooks")
        self.server = GitStore.create(folder / "shop.git", "main", folder / "hooks")
        self.first = _commit(self.server, {CI: b"on: push\n", "a.txt": b"a\n"})
        for ref in (MAIN, TOPIC, OTHER):
            self.server.run(["update-ref", ref, self.first])
        shutil.copytree(self.server.folder, folder / "desk.git")
        self.work = GitStore(folder / "desk.git")
        self.folder = folder

    def commit(self, files: Mapping[str, bytes | None], *parents: str) -> str:
        return _commit(self.work, files, *parents)

    def asks(
        self, moves: Sequence[RefMove], able: Sequence[str] = ABLE, more: Sequence[bytes] = ()
    ) -> bytes:
        """The request of a push."""
        lines = [f"{move.before} {move.after} {move.ref}".encode() for move in moves]
        lines[0] += b"\0 " + " ".join(able).encode()
        packets = [f"{len(line) + 4:04x}".encode() + line for line in [*lines, *more]]
        tips = [move.after for move in moves if not move.deletes]
        wanted = "\n".join([*tips, "--not", self.first, ""]).encode()
        arguments = ["pack-objects", "--revs", "--thin", "--stdout", "-q"]
        return b"".join([*packets, b"0000", self.work.run(arguments, wanted) if tips else b""])

    def told_by_git(self, asked: bytes, lines: Sequence[str]) -> tuple[bytes, GitStore]:
        """git's answer, and what it made of a copy of the repository."""
        folder = self.folder / "copy.git"
        shutil.copytree(self.server.folder, folder)
        done = subprocess.run(
            ["git", "receive-pack", "--stateless-rpc", str(folder)],
            input=asked,
            capture_output=True,
            check=True,
            env={**scrubbed_environment(), "LOCALHUB_RULES": "\n".join(lines)},
        )
        return done.stdout, GitStore(folder)

    def told_here(self, asked: bytes, lines: Sequence[str] = RULES) -> bytes | None:
        return received(self.server, self.server.read_refs(), asked, lines)


def _commit(git: GitStore, files: Mapping[str, bytes | None], *parents: str) -> str:
    base = git.commit(parents[0]).tree if parents else None
    tree = git.changed_tree(base, [FileChange(path, content) for path, content in files.items()])
    return git.commit_tree(tree, parents, f"Change {sorted(files)}", ME, ME)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def _plain_moves(desk: Desk, name: str) -> list[RefMove]:
    first = desk.first
    one, two = desk.commit({"b/c.txt": b"c\n"}, first), desk.commit({"d.txt": b"d\n"}, first)
    match name:
        case "one commit":
            return [RefMove(MAIN, first, one)]
        case "a merge on a new branch beside another ref":
            merge = desk.commit({"d.txt": b"d\n"}, one, two)
            return [RefMove(NEW, ZERO_SHA, merge), RefMove("refs/x/y/1", ZERO_SHA, one)]
        case "nothing new":
            return [RefMove(NEW, ZERO_SHA, first)]
        case "another history":
            return [RefMove(LEDGER, ZERO_SHA, desk.commit({"ledger": b"1\n"}))]
        case "backwards":
            return [RefMove(TOPIC, first, desk.commit({CI: b"on: push\n"}))]
        case "two deleted":
            return [RefMove(TOPIC, first, ZERO_SHA), RefMove(OTHER, first, ZERO_SHA)]
        case _:
            raise ValueError(name)


@pytest.mark.parametrize("able", [ABLE, ("report-status", "atomic", "quiet")])
@pytest.mark.parametrize(
    "name",
    [
        *("one commit", "a merge on a new branch beside another ref", "nothing new"),
        *("another history", "backwards", "two deleted"),
    ],
)
def test_a_plain_push_is_answered_and_kept_as_by_git(
    desk: Desk, name: str, able: tuple[str, ...]
) -> None:
    asked = desk.asks(_plain_moves(desk, name), able)
    told, copy = desk.told_by_git(asked, RULES)
    assert desk.told_here(asked) == told
    assert desk.server.read_refs() == copy.read_refs()
    assert desk.server.run(["fsck", "--strict"]) == copy.run(["fsck", "--strict"])
    assert not list(desk.server.folder.glob("incoming-*"))


WORK: dict[str, Callable[[Desk], str]] = {
    "a token": lambda desk: desk.commit({"key": b"x\n" + TOKEN}, desk.first),
    "a token that is gone again": lambda desk: desk.commit(
        {"key": None}, desk.commit({"key": TOKEN}, desk.first)
    ),
    "another workflow": lambda desk: desk.commit({CI: b"on: pull_request\n"}, desk.first),
    "another workflow that is gone again": lambda desk: desk.commit(
        {CI: b"on: push\n"}, desk.commit({CI: b"on: pull_request\n"}, desk.first)
    ),
    "no workflow any more": lambda desk: desk.commit({CI: None}, desk.first),
    "many objects": lambda desk: desk.commit({f"{number}": b"%d" % number for number in range(98)}),
    "many commits": lambda desk: reduce(
        lambda sha, number: desk.commit({"a": b"%d" % number}, sha), range(9), desk.first
    ),
}


@pytest.mark.parametrize("name", WORK)
def test_commits_that_the_hook_may_refuse_are_left_to_the_hook(desk: Desk, name: str) -> None:
    asked = desk.asks([RefMove(TOPIC, desk.first, WORK[name](desk))])
    assert desk.told_here(asked) is None
    assert desk.server.read_refs()[TOPIC] == desk.first


MOVES: dict[str, Callable[[str, str], list[RefMove]]] = {
    "the default branch deleted": lambda first, fine: [RefMove(MAIN, first, ZERO_SHA)],
    "the default branch beside another": lambda first, fine: [
        RefMove(TOPIC, first, fine),
        RefMove(MAIN, first, fine),
    ],
    "the same ref twice": lambda first, fine: [RefMove(NEW, ZERO_SHA, fine)] * 2,
    "from another place": lambda first, fine: [RefMove(TOPIC, fine, first)],
    "to where it is": lambda first, fine: [RefMove(TOPIC, first, first)],
    "forty digits": lambda first, fine: [RefMove(f"refs/heads/{'a' * 40}", ZERO_SHA, fine)],
    "a long name": lambda first, fine: [RefMove(f"refs/heads/{'long/' * 60}x", ZERO_SHA, fine)],
    "a name that git does not take": lambda first, fine: [RefMove(f"{NEW}.lock", ZERO_SHA, fine)],
}


@pytest.mark.parametrize("name", MOVES)
def test_ref_moves_that_git_may_refuse_are_left_to_git(desk: Desk, name: str) -> None:
    before = desk.server.read_refs()
    moves = MOVES[name](desk.first, desk.commit({"b.txt": b"b\n"}, desk.first))
    assert desk.told_here(desk.asks(moves)) is None
    assert desk.server.read_refs() == before


@pytest.mark.parametrize(
    ("able", "more", "lines"),
    [
        (ABLE, (), (*RULES, f"{TOPIC}\trefuse\tNo.")),
        (ABLE, (b"push-cert",), RULES),
        ((*ABLE, "push-options"), (), RULES),
        (("side-band-64k",), (), RULES),
    ],
)
def test_pushes_with_other_options_are_left_to_git(
    desk: Desk, able: Sequence[str], more: Sequence[bytes], lines: Sequence[str]
) -> None:
    fine = desk.commit({"b.txt": b"b\n"}, desk.first)
    moves = [RefMove(TOPIC, desk.first, fine)]
    assert desk.told_here(desk.asks(moves, able, more), lines) is None
    assert desk.told_here(desk.asks(moves)) is not None


def test_a_push_with_missing_objects_is_left_to_git(desk: Desk) -> None:
    parent = desk.commit({"b.txt": b"b\n"}, desk.first)
    tip = desk.commit({"c.txt": b"c\n"}, parent)
    asked = desk.asks([RefMove(TOPIC, desk.first, tip)])
    alone = desk.work.run(["pack-objects", "--stdout", "-q"], f"{tip}\n".encode())
    assert desk.told_here(asked[: asked.index(b"PACK")] + alone) is None
    assert desk.server.type_of(tip) is None


def test_a_truncated_push_is_left_to_git(desk: Desk) -> None:
    asked = desk.asks([RefMove(TOPIC, desk.first, desk.commit({"b.txt": b"b\n"}, desk.first))])
    assert [at for at in range(len(asked)) if desk.told_here(asked[:at]) is not None] == []


def test_repositories_that_are_packed_or_share_objects_are_left_to_git(desk: Desk) -> None:
    asked = desk.asks([RefMove(TOPIC, desk.first, desk.commit({"b.txt": b"b\n"}, desk.first))])
    alternates = desk.server.folder / "objects/info/alternates"
    alternates.write_text(f"{desk.work.folder}/objects\n")
    assert desk.told_here(asked) is None
    alternates.unlink()
    desk.server.run(["repack", "-q"])
    assert desk.told_here(asked) is None


def test_a_push_with_an_invalid_object_is_left_to_git(desk: Desk) -> None:
    tip = desk.commit({"b.txt": b"b\n"}, desk.first)
    asked = desk.asks([RefMove(TOPIC, desk.first, tip)])
    lost = desk.work.commit_tree(desk.work.commit(tip).tree, ["1" * 40], "Lost", ME, ME)
    named = desk.work.run(["rev-list", "--objects", "--no-object-names", tip]).decode()
    packed = desk.work.run(["pack-objects", "--stdout", "-q"], f"{named}{lost}\n".encode())
    assert desk.told_here(asked[: asked.index(b"PACK")] + packed) is None


def test_an_annotated_tag_is_left_to_git(desk: Desk) -> None:
    text = f"object {desk.first}\ntype commit\ntag v1\ntagger Ada <a@example.org> 1 +0000\n\nOne\n"
    tag = desk.work.run(["mktag"], text.encode()).decode().strip()
    assert desk.told_here(desk.asks([RefMove("refs/tags/v1", ZERO_SHA, tag)])) is None


def test_a_ref_moved_to_old_commits_with_other_workflows_is_left_to_the_hook(
    desk: Desk,
) -> None:
    other = desk.commit({CI: b"on: pull_request\n"}, desk.first)
    asked = desk.asks([RefMove(TOPIC, desk.first, other)])
    assert desk.told_here(asked, ()) is not None
    assert desk.told_here(desk.asks([RefMove(NEW, ZERO_SHA, other)])) is None
