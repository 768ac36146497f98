"""A candidate's diff as a model is shown it: in chunks, each of a size that is read with care.

Every changed file is in a chunk; what cannot be shown is `TooMuch`, and nothing is cut off.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from gates.unseen import spelled_out

CHUNK_CHARACTERS = 40_000
CHUNKS_MAX = 24
# A diff of more files is too long for a model.
FILES_MAX = 300
_CONTEXT = 6
# Where more lines changed in one place, those before and those after are shown one after the other.
_COMPARED_MAX = 1_000_000


@dataclass(frozen=True, kw_only=True)
class ChangedFile:
    """A file on base and on the candidate; None: there is none there, or it is no regular file."""

    path: str
    before: bytes | None
    after: bytes | None


@dataclass(frozen=True, kw_only=True)
class Part:
    """Lines of one file as they are shown; `lines` are the numbers of the candidate's among them."""

    path: str
    text: str
    lines: frozenset[int]


@dataclass(frozen=True, kw_only=True)
class Chunk:
    parts: tuple[Part, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(part.path for part in self.parts))

    @property
    def text(self) -> str:
        return "\n".join(
            f"file {json.dumps(p.path, ensure_ascii=False)}\n{p.text}" for p in self.parts
        )

    @property
    def digest(self) -> str:
        return digest(self.text)


@dataclass(frozen=True)
class TooMuch:
    sentence: str


Contents = Mapping[str, bytes]


def changed_files(
    paths: Sequence[str], read: Callable[[tuple[str, ...]], tuple[Contents, Contents]]
) -> tuple[ChangedFile, ...]:
    """The files of a diff; `read` gives the regular ones of them before and after. Where there are too many,
    they are named and not read."""
    before, after = read(tuple(paths)) if len(paths) <= FILES_MAX else ({}, {})
    return tuple(
        ChangedFile(path=path, before=before.get(path), after=after.get(path)) for path in paths
    )


def chunks_of(files: Iterable[ChangedFile]) -> tuple[Chunk, ...] | TooMuch:
    """The whole diff; a file that does not fit into one chunk goes on in the next."""
    chunks: list[list[Part]] = []
    room = 0
    for file in files:
        if file.before is None and file.after is None:
            return TooMuch(f"{file.path} is not a regular file, or there are too many files.")
        rows = _rows(file)
        whole = sum(len(text) + 1 for _, text in rows)
        if room < whole <= CHUNK_CHARACTERS:
            room = 0
        held: list[tuple[int, str]] = []
        for row in rows:
            size = len(row[1]) + 1
            if size > CHUNK_CHARACTERS:
                return TooMuch(f"{file.path} has a line of {size:,} characters.")
            if size > room:
                _close(chunks, file.path, held)
                chunks.append([])
                room = CHUNK_CHARACTERS
            held.append(row)
            room -= size
        _close(chunks, file.path, held)
        if len(chunks) > CHUNKS_MAX:
            return TooMuch(f"The diff is longer than {CHUNKS_MAX * CHUNK_CHARACTERS:,} characters.")
    return tuple(Chunk(parts=tuple(parts)) for parts in chunks)


def lines_of(content: bytes | None) -> tuple[str, ...] | None:
    """A text's lines, with bytes that are no UTF-8 and what nobody sees spelled out; None where it is no text."""
    if content is None or b"\0" in content:
        return None
    text = spelled_out(content.decode(errors="backslashreplace"))
    return tuple(text.removesuffix("\n").split("\n")) if text else ()


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _close(chunks: list[list[Part]], path: str, held: list[tuple[int, str]]) -> None:
    if held:
        text = "\n".join(text for _, text in held)
        lines = frozenset(number for number, _ in held if number)
        chunks[-1].append(Part(path=path, text=text, lines=lines))
        held.clear()


def _rows(file: ChangedFile) -> list[tuple[int, str]]:
    """What is shown of a file, each row with its line on the candidate; 0: it has none."""
    before, after = lines_of(file.before), lines_of(file.after)
    is_text = (file.before is None or before is not None) and (
        file.after is None or after is not None
    )
    if not is_text:
        return [(0, f"(no text: {_named(file.before)} before, {_named(file.after)} now)")]
    if after is None:
        return [(0, "(deleted)"), *_removed(before or ())]
    rows = _compared(before or (), after)
    return rows or [(0, "(its lines are the same; its mode or last line end is not)")]


def _named(content: bytes | None) -> str:
    return (
        "none"
        if content is None
        else f"{len(content):,} bytes, {hashlib.sha256(content).hexdigest()}"
    )


def _removed(lines: Iterable[str]) -> list[tuple[int, str]]:
    return [(0, f"-       {line}") for line in lines]


def _numbered(mark: str, lines: Sequence[str], first: int, end: int) -> list[tuple[int, str]]:
    return [(at + 1, f"{mark}{at + 1:>6} {lines[at]}") for at in range(first, end)]


def _compared(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, str]]:
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    tail = 0
    while tail < min(len(before), len(after)) - same and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    old, new = before[same : len(before) - tail], after[same : len(after) - tail]
    if not old and not new:
        return []
    if len(old) * len(new) > _COMPARED_MAX:
        ranges = [(0, len(old), 0, len(new))]
    else:
        codes = SequenceMatcher(None, old, new).get_opcodes()
        ranges = [(i, j, k, m) for code, i, j, k, m in codes if code != "equal"]
    rows: list[tuple[int, str]] = []
    shown = 0
    begins = [*(k for _, _, k, _ in ranges[1:]), len(after)]
    for (i, j, k, m), later in zip(ranges, begins, strict=True):
        start = max(shown, same + k - _CONTEXT)
        if start > shown and rows:
            rows.append((0, "..."))
        rows += _numbered(" ", after, start, same + k)
        rows += _removed(old[i:j])
        rows += _numbered("+", after, same + k, same + m)
        # The lines after it, up to the next place where something changed.
        shown = min(same + m + _CONTEXT, same + later, len(after))
        rows += _numbered(" ", after, same + m, shown)
    return rows
