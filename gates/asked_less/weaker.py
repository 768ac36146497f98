"""One place where a change asks for less, and the lines by which it is found."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

# A longer line is data.
LINE_CHARS_MAX = 2_000


class Less(StrEnum):
    REQUIREMENT = "requirement weakened"
    THRESHOLD = "threshold lowered"
    LIMIT = "limit raised"
    CHECK = "check removed"
    RULE = "lint rule off"
    SILENCED = "silenced"


@dataclass(frozen=True)
class Weaker:
    """One finding, at its line of the candidate; 1 where that is gone."""

    less: Less
    path: str
    line: int
    message: str


@dataclass(frozen=True)
class Edited:
    """One file of the diff; a text that is not there is empty."""

    path: str
    before: str
    after: str

    def added(self) -> Iterator[tuple[int, str]]:
        """Lines that the candidate has more often than base, by their numbers."""
        return _beyond(self.after, self.before)

    def removed(self) -> Iterator[tuple[int, str]]:
        """Lines that base has more often than the candidate, by their numbers there."""
        return _beyond(self.before, self.after)


def _beyond(text: str, other: str) -> Iterator[tuple[int, str]]:
    known = Counter(line.strip() for line in other.splitlines())
    for number, line in enumerate(text.splitlines(), 1):
        if known[line.strip()]:
            known[line.strip()] -= 1
        elif line.strip() and len(line) <= LINE_CHARS_MAX:
            yield number, line
