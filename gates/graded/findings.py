"""What a model says of a diff, and what of it is believed: findings whose quote stands at their line."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

MESSAGE_CHARACTERS = 600
# A shorter quote stands in any file by chance, and shows no circle.
_TELLING = 8


class _Strict:
    __pydantic_config__ = {"extra": "forbid"}


class Grade(StrEnum):
    """How much is wrong, the least first."""

    MINOR = "minor"
    MAJOR = "major"
    CRITICAL = "critical"

    def blocks(self, least: "Grade") -> bool:
        order = tuple(Grade)
        return order.index(self) >= order.index(least)


@dataclass(frozen=True, kw_only=True)
class ReviewFinding(_Strict):
    """`quote` stood at `line` of `path` when it was found. `undoes`: the id of an earlier finding
    whose fix it complains of."""

    id: str
    path: str
    line: int
    quote: str
    grade: Grade
    message: str
    undoes: str = ""
    is_open: bool = True

    def repeats(self, other: "ReviewFinding") -> bool:
        mine, its = self.quote.strip(), other.quote.strip()
        return self.path == other.path and mine == its and len(mine) >= _TELLING


# JSON that is none, is of another form, or holds a number or a depth that no machine can.
_UNREADABLE = (ValueError, KeyError, TypeError, OverflowError, RecursionError)


@dataclass(frozen=True, kw_only=True)
class ReadChunk:
    """An answer about a chunk: the files that it accounts for, and findings without ids."""

    files: tuple[str, ...]
    findings: tuple[ReviewFinding, ...]


@dataclass(frozen=True, kw_only=True)
class StillThere:
    id: str
    is_closed: bool
    line: int
    quote: str


def read_chunk(text: str) -> ReadChunk | None:
    """None: it is no answer of the form."""
    try:
        said = json.loads(text)
        findings = tuple(
            ReviewFinding(
                id="",
                path=str(one["path"]),
                line=int(one["line"]),
                quote=str(one["quote"]),
                grade=Grade(one["severity"]),
                message=str(one["message"])[:MESSAGE_CHARACTERS],
                undoes=str(one["undoes"]),
            )
            for one in said["findings"]
        )
        return ReadChunk(files=tuple(str(path) for path in said["files"]), findings=findings)
    except _UNREADABLE:
        return None


def read_still_there(text: str) -> tuple[StillThere, ...] | None:
    """None: it is no answer of the form."""
    try:
        return tuple(
            StillThere(
                id=str(one["id"]),
                is_closed=one["closed"] is True,
                line=int(one["line"]),
                quote=str(one["quote"]),
            )
            for one in json.loads(text)["earlier"]
        )
    except _UNREADABLE:
        return None


def stands_at(quote: str, line: int, lines: Sequence[str]) -> bool:
    """Whether the quote is in the file letter by letter, and begins at this line."""
    if not quote.strip() or not 1 <= line <= len(lines):
        return False
    first, *others = quote.split("\n")
    there = lines[line - 1 : line + len(others)]
    return first in there[0] and quote in "\n".join(there)


def line_with(quote: str, lines: Sequence[str]) -> int:
    return next((at for at in range(1, len(lines) + 1) if stands_at(quote, at, lines)), 0)


def believed(
    found: Sequence[ReviewFinding],
    shown: Mapping[str, Collection[int]],
    texts: Mapping[str, Sequence[str]],
) -> tuple[ReviewFinding, ...]:
    """The findings at lines that were shown, whose quote stands there."""
    return tuple(
        one
        for one in found
        if one.line in shown.get(one.path, ()) and stands_at(one.quote, one.line, texts[one.path])
    )


def settled(
    earlier: ReviewFinding, said: StillThere, lines: Sequence[str]
) -> tuple[ReviewFinding, bool]:
    """The finding after an answer, and whether the answer was believed.

    That it is open is believed where the new quote, or the old one, is in the file.
    """
    if said.is_closed:
        return replace(earlier, is_open=False), True
    if stands_at(said.quote, said.line, lines):
        return replace(earlier, line=said.line, quote=said.quote), True
    if line := line_with(earlier.quote, lines):
        return replace(earlier, line=line), True
    return replace(earlier, is_open=False), False
