"""Texts that may make a regular expression try again and again, made from its own parts."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, product
from re import Pattern, _constants as op, _parser as parser  # type: ignore[attr-defined]
from typing import Any

_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
_ONCE_MAX = 40
# A repeat of fewer times has a largest cost, whatever the text.
_ENDLESS = 2_000
# What does not fit, in a line and behind it.
_ENDS = ("\0", "\n!")


@dataclass(frozen=True)
class Nasty:
    """A text of any length: a head, a unit again and again, and an end that does not fit."""

    head: str
    unit: str
    end: str

    def of(self, size: int) -> str:
        """Some `size` characters of it."""
        return self.head + self.unit * (size // len(self.unit) + 1) + self.end


def may_cost(pattern: Pattern[Any], *, at_one_place: bool) -> bool:
    """One endless repeat costs more than a text's length only where each place is a beginning."""
    return sum(_endless(_parsed(pattern))) >= (2 if at_one_place else 1)


def nasty_texts(pattern: Pattern[Any], units_max: int) -> Iterator[Nasty]:
    """What the pattern's repeats accept, behind what leads there; its beginnings; its letters."""
    tree = _parsed(pattern)
    whole = _example(tree)
    letters = list(dict.fromkeys([*islice(_letters(tree), 12), " ", "\n", "a", "1"]))
    repeats = list(_repeats(tree, ""))
    for head, bodies in repeats:
        for unit, end in product(bodies, _ENDS):
            yield Nasty(head, unit, end)
    heads = list(dict.fromkeys(["", *(head for head, _ in repeats)]))
    units = [
        *(body for _, bodies in repeats for body in bodies),
        *letters,
        *(part for part in (whole, whole + "\n", whole[:-1] + " ") if part.strip("\0")),
        *(whole[:cut] for cut in range(2, min(len(whole), 12))),
        *(a + b for a, b in product(letters[:4], letters[:4]) if a != b),
    ]
    for unit in [unit for unit in dict.fromkeys(units) if unit][:units_max]:
        for head in heads[:3]:
            yield Nasty(head, unit, "\0")


def _parsed(pattern: Pattern[Any]) -> Any:  # noqa: ANN401
    source = pattern.pattern
    written = source.decode("latin-1") if isinstance(source, bytes) else source
    return parser.parse(written, pattern.flags if isinstance(source, str) else 0)


def _endless(tree: Iterable[Any]) -> Iterator[int]:
    for code, given in tree:
        if code in _REPEATS and given[1] > _ENDLESS:
            yield 1
        for inner in _inside(code, given):
            yield from _endless(inner)


def _repeats(tree: Iterable[Any], head: str) -> Iterator[tuple[str, list[str]]]:
    """A text that leads to each repeated part, and texts that fit the part."""
    for code, given in tree:
        if code in _REPEATS:
            yield head, _variants(given[2])
        for inner in _inside(code, given):
            yield from _repeats(inner, head)
        head += _example([(code, given)])


def _inside(code: object, given: Any) -> list[Any]:  # noqa: ANN401
    if code in _REPEATS:
        return [given[2]]
    if code is op.SUBPATTERN:
        return [given[3]]
    if code is op.ATOMIC_GROUP:
        return [given]
    if code is op.BRANCH:
        return list(given[1])
    return [given[1]] if code in (op.ASSERT, op.ASSERT_NOT) else []


def _example(tree: Iterable[Any]) -> str:
    """A short text that fits, more or less."""
    return "".join(_ones(code, given)[0] for code, given in tree)


def _ones(code: object, given: Any) -> list[str]:  # noqa: ANN401
    """Texts for one part; the first is short."""
    if code is op.LITERAL:
        return [chr(given)]
    if code is op.NOT_LITERAL:
        return ["b" if given == ord("a") else "a"]
    if code is op.ANY:
        return ["a", " "]
    if code is op.IN:
        return _of_class(given)
    if code in _REPEATS:
        least, _, inner = given
        once = _example(inner)
        return [once * min(least, _ONCE_MAX), once * max(1, min(least, _ONCE_MAX))]
    if code in (op.ASSERT, op.ASSERT_NOT, op.AT, op.GROUPREF, op.GROUPREF_EXISTS):
        return [""]
    return [_example(inner) for inner in _inside(code, given)] or [""]


_KINDS = {
    op.CATEGORY_DIGIT: "1",
    op.CATEGORY_SPACE: " \n",
    op.CATEGORY_WORD: "a",
    op.CATEGORY_NOT_SPACE: "a",
    op.CATEGORY_NOT_WORD: ".",
    op.CATEGORY_NOT_DIGIT: "a",
}


def _of_class(given: list[tuple[object, Any]]) -> list[str]:
    said = ""
    for code, value in given:
        if code is op.LITERAL:
            said += chr(value)
        elif code is op.RANGE:
            said += chr(value[0])
        elif code is op.CATEGORY:
            said += _KINDS[value]
    if given[0][0] is op.NEGATE:
        return [c for c in 'a1 .-`"\n' if c not in said] or ["x"]
    return list(said)


def _variants(tree: Iterable[Any], most: int = 6) -> list[str]:
    texts = [""]
    for code, given in tree:
        choices = _variants(given[3]) if code is op.SUBPATTERN else _ones(code, given)[:4]
        texts = [text + choice for text in texts for choice in choices or [""]][:most]
    return [text for text in texts if text]


def _letters(tree: Iterable[Any]) -> Iterator[str]:
    for code, given in tree:
        if code in (op.LITERAL, op.NOT_LITERAL, op.IN):
            yield from _ones(code, given)[:4]
        for inner in _inside(code, given):
            yield from _letters(inner)
