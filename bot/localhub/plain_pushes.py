"""Small pushes that surely break no rule, received with one process where git starts nine.

Whatever is not plain is left to `git receive-pack`, and so is every refusal (gitprotocol-pack).
"""

import hashlib
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.localhub.git_store import GitStore
from bot.localhub.ref_advertisements import packet
from bot.localhub.rules import RefMove
from bot.localhub.update_hook import allows_surely

PUSH_BYTES_MAX = 1024 * 1024
# git keeps what is larger as a pack (`receive.unpackLimit`).
_OBJECTS_MAX = 99
_NO_OBJECTS = b"PACK" + (2).to_bytes(4, "big") + (0).to_bytes(4, "big")
_EMPTY_PACK = _NO_OBJECTS + hashlib.sha1(_NO_OBJECTS, usedforsecurity=False).digest()
# `quiet` and `atomic` ask for nothing that is not done here anyway.
_ABILITIES = {"report-status", "report-status-v2", "side-band-64k", "quiet", "atomic"}
_SAID = ("agent=", "session-id=", "object-format=sha1")
_BAND_BYTES_MAX = 65_515
_HEX = re.compile(b"[0-9a-f]{4}")


@dataclass(frozen=True)
class _Push:
    moves: list[RefMove]
    abilities: set[str]
    pack: bytes

    @property
    def count(self) -> int:
        return int.from_bytes(self.pack[8:12], "big")


def received(
    git: GitStore, refs: Mapping[str, str], asked: bytes, lines: Sequence[str]
) -> bytes | None:
    """What git would answer to this push, after it is done; None where git is to do it, with no ref moved."""
    push = _read(asked)
    if push is None or not _is_plain(git, push):
        return None
    with _unpacked(git, push) as incoming:
        if incoming is None:
            return None
        seen = GitStore(git.folder, incoming)
        if not all(allows_surely(seen, refs, move, lines) for move in push.moves):
            return None
        for place in incoming.glob("??/*"):
            held = git.folder / "objects" / place.parent.name
            held.mkdir(exist_ok=True)
            place.replace(held / place.name)
    is_done = git.move_refs([(move.ref, move.after, move.before) for move in push.moves])
    return _report(push) if is_done else None


def _read(asked: bytes) -> _Push | None:
    """None where the request holds more than moves and a pack."""
    moves, abilities, at = [], set[str](), 0
    while (length_text := asked[at : at + 4]) != b"0000":
        if not _HEX.fullmatch(length_text) or (length := int(length_text, 16)) <= 4:
            return None
        line, _, able = asked[at + 4 : at + length].partition(b"\0")
        words = line.decode(errors="replace").strip().split(" ")
        if len(words) != 3 or len(words[0]) != 40:
            return None
        moves.append(RefMove(words[2], words[0], words[1]))
        abilities |= set(able.decode(errors="replace").split())
        at += length
    return _Push(moves, abilities, asked[at + 4 :])


def _is_plain(git: GitStore, push: _Push) -> bool:
    told = {one for one in push.abilities if not one.startswith(_SAID)}
    names = {move.ref for move in push.moves}
    if told - _ABILITIES or not told & {"report-status", "report-status-v2"}:
        return False
    if any(move.before == move.after for move in push.moves):
        return False
    # Where the default branch moves, other refs of the push are held against it as it is then.
    head = git.head
    if head in names and (len(names) > 1 or push.moves[0].deletes):
        return False
    if all(move.deletes for move in push.moves):
        return True
    is_loose = not any((git.folder / "objects/pack").iterdir())
    is_alone = not (git.folder / "objects/info/alternates").exists()
    is_small = push.pack.startswith(b"PACK") and push.count <= _OBJECTS_MAX
    return is_loose and is_alone and is_small


@contextmanager
def _unpacked(git: GitStore, push: _Push) -> Iterator[Path | None]:
    """A folder with the objects, for as long as nobody else shall see them; None if they are not sound."""
    with tempfile.TemporaryDirectory(prefix="incoming-", dir=git.folder) as name:
        if push.pack in (b"", _EMPTY_PACK):
            yield Path(name)
            return
        known = str(git.folder / "objects")
        places = {"GIT_OBJECT_DIRECTORY": name, "GIT_ALTERNATE_OBJECT_DIRECTORIES": known}
        done = git.attempt(["unpack-objects", "-q", "--strict"], push.pack, places)
        yield None if done.returncode else Path(name)


def _report(push: _Push) -> bytes:
    told = [b"unpack ok\n", *(f"ok {move.ref}\n".encode() for move in push.moves)]
    report = b"".join(map(packet, told)) + b"0000"
    if "side-band-64k" not in push.abilities:
        return report
    pieces = range(0, len(report), _BAND_BYTES_MAX)
    return b"".join(packet(b"\1" + report[at : at + _BAND_BYTES_MAX]) for at in pieces) + b"0000"
