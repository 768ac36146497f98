"""How far off an assertion in JavaScript, Go or Rust lets a number be."""

import re
import sys
from collections.abc import Iterator, Mapping
from itertools import pairwise

from gates.test_guard.tokens import Kind, Tokens, closing, parts

# The last of what they are given: a distance, or a share of what is expected.
_DISTANCES = frozenset({"closeTo", "approximately", "InDelta", "InDeltaf", "WithinDuration"})
_SHARES = frozenset({"InEpsilon", "InEpsilonf"})
_NAMED = {"epsilon": 1.0, "max_relative": 10.0, "abs": 1.0, "rel": 10.0}
_BELOW = frozenset({"toBeLessThan", "toBeLessThanOrEqual", "below", "lessThan", "isBelow", "most"})
_NUMBER = re.compile(r"(\d[\d_]*(?:\.\d*)?(?:[eE]-?\d+)?)(?:_?[fiu](?:8|16|32|64|size))?")
_NAMES_MAX = 5


def tolerance(said: Tokens, values: Mapping[str, Tokens]) -> float | None:
    """The largest that it names; what nobody can read has no limit."""
    return max(_sizes(said, values), default=None)


def _sizes(said: Tokens, values: Mapping[str, Tokens]) -> Iterator[float]:
    has_distance = any(
        a.text in {"abs", "Abs"} and b.text == "(" for a, b in pairwise(said)
    ) and any(one.text == "-" for one in said)
    for at, token in enumerate(said[:-2]):
        after = said[at + 1]
        if token.kind is Kind.WORD and after.text == "(":
            given = list(parts(said[at + 2 : closing(said, at + 1)]))
            if token.text == "toBeCloseTo":
                digits = _number(given[1], values) if len(given) > 1 else 2.0
                yield 10.0 ** -max(-300.0, min(digits, 300.0))
            elif token.text in _DISTANCES | _SHARES and len(given) > 1:
                size = _number(_distance(given, token.text), values)
                yield size * (10.0 if token.text in _SHARES else 1.0)
            elif token.text in _BELOW and has_distance and given:
                yield _number(given[-1], values)
        elif token.text in _NAMED and after.text == "=":
            yield _NAMED[token.text] * _number(_up_to_comma(said[at + 2 :]), values)
        elif token.text in {"<", "<=", ">", ">="} and has_distance:
            yield _number(_up_to_comma(said[at + 1 :]), values)


def _distance(given: list[Tokens], name: str) -> Tokens:
    """The argument that says it; a message for people may stand behind."""
    is_go = name.startswith(("In", "Within"))
    at = 2 + (given[0][0].text == "t") if is_go else -1
    return given[at] if at < len(given) else given[-1]


def _up_to_comma(value: Tokens) -> Tokens:
    """What ends where its bracket does, or where another part begins."""
    depth = 0
    for at, token in enumerate(value):
        depth += (token.text in {"(", "[", "{"}) - (token.text in {")", "]", "}"})
        if depth < 0 or (depth == 0 and token.text in {",", "||", "&&", ";"}):
            return value[:at]
        if token.kind is Kind.WORD and token.text == "t":
            return value[:at]
    return value


def _number(value: Tokens, values: Mapping[str, Tokens]) -> float:
    for _ in range(_NAMES_MAX):
        if len(value) != 1 or value[0].text not in values:
            break
        value = values[value[0].text]
    text = "".join(one.text for one in value)
    found = _NUMBER.fullmatch(text.removeprefix("-"))
    if found is None:
        return sys.float_info.max
    try:
        size = float(found[1].replace("_", ""))
    except (ValueError, OverflowError):
        return sys.float_info.max
    return -size if text.startswith("-") else min(size, sys.float_info.max)
