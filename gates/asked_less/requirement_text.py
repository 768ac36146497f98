"""Requirements that a change words weaker: MUST that becomes SHOULD, and limits in a sentence that gives way.

A line is found again by its words alone, whatever its modal verbs and numbers are now.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from gates.asked_less.weaker import Edited, Less, Weaker

_PROSE = re.compile(r"\.(?:md|mdx|markdown|rst|adoc|txt|feature)$", re.IGNORECASE)
_BINDING = 3
_FORCE = {
    "MUST": _BINDING,
    "SHALL": _BINDING,
    "REQUIRED": _BINDING,
    "SHOULD": 2,
    "RECOMMENDED": 2,
    "MAY": 1,
    "OPTIONAL": 1,
    "CAN": 1,
    "MIGHT": 1,
    "WILL": 1,
}
_MODAL = re.compile(rf"\b({'|'.join(_FORCE)})\b(?: NOT\b)?", re.IGNORECASE)
# As RFC 2119 has it: in small letters they are words like others.
_LOUD = re.compile(r"\b(?:MUST|SHALL|REQUIRED)\b")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_WORD = re.compile(r"[^\W\d_]+|~|#")
# What stands before a number that is an upper or a lower bound.
_UPPER = re.compile(
    r"(?:at most|within|under|below|no more than|no longer than|less than|fewer than|up to|maximum(?: of)?|max|not exceed"
    r"|<=?|≤)\W{0,4}$",
    re.IGNORECASE,
)
_LOWER = re.compile(
    r"(?:at least|no fewer than|no less than|more than|above|over|minimum(?: of)?|min|>=?|≥)\W{0,4}$",
    re.IGNORECASE,
)
_BEFORE_A_NUMBER = 24


@dataclass(frozen=True)
class _Sentence:
    line: int
    text: str
    force: tuple[int, ...]
    numbers: tuple[tuple[float, int], ...]


def is_prose(path: str) -> bool:
    return _PROSE.search(path) is not None


def weakened(edited: Edited) -> Iterator[Weaker]:
    """The binding lines of one file that say the same with less force; never raises."""
    now: defaultdict[str, list[_Sentence]] = defaultdict(list)
    for number, line in edited.added():
        now[_skeleton(line)].append(_sentence(number, line))
    for number, line in edited.removed():
        others = now.get(_skeleton(line))
        if not others or _LOUD.search(line) is None:
            continue
        old, new = _sentence(number, line), others.pop(0)
        if any(a == _BINDING > b for a, b in zip(old.force, new.force, strict=False)):
            yield _found(
                edited,
                new,
                f"This sentence was a requirement, and is now weaker. It was: {old.text}",
            )
        elif any(_gives_way(a, b) for a, b in zip(old.numbers, new.numbers, strict=False)):
            yield _found(
                edited, new, f"The limit in this sentence is now weaker. It was: {old.text}"
            )


def _skeleton(line: str) -> str:
    return " ".join(_WORD.findall(_NUMBER.sub("#", _MODAL.sub("~", line)).lower()))


def _sentence(number: int, line: str) -> _Sentence:
    return _Sentence(
        number,
        line.strip(),
        tuple(_FORCE[found[1].upper()] for found in _MODAL.finditer(line)),
        tuple((float(n[0]), _bound(line, n.start())) for n in _NUMBER.finditer(line)),
    )


def _bound(line: str, at: int) -> int:
    """1 for an upper bound, -1 for a lower one, 0 for any other number."""
    said = line[max(0, at - _BEFORE_A_NUMBER) : at]
    return 1 if _UPPER.search(said) else -1 if _LOWER.search(said) else 0


def _gives_way(old: tuple[float, int], new: tuple[float, int]) -> bool:
    (was, bound), (now, _) = old, new
    return (now - was) * bound > 0


def _found(edited: Edited, new: _Sentence, message: str) -> Weaker:
    return Weaker(Less.REQUIREMENT, edited.path, new.line, message)
