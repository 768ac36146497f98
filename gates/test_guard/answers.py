"""Product code that may hold the answers of its tests, and nothing that works them out."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from gates.test_guard.compare import Pair
from gates.test_guard.found_test import Strength

_LITERAL = r"(?:-?\b\d+(?:\.\d+)?\b|\"[^\"\n]{1,200}\"|'[^'\n]{1,200}'|`[^`\n]{1,200}`)"
_LITERALS = re.compile(_LITERAL)
# What is asked of a value, and what is given for it: in one line or in two.
_ASKED = re.compile(rf"(?:={{2,3}} *|\bcase +)({_LITERAL})|({_LITERAL}) *(?:={{2,3}}|=>|:)")
_GIVEN = re.compile(rf"(?:\breturn +|=> *|: *)({_LITERAL})(?! *[-+*/%<>&|.])")
_ANSWERS = re.compile(
    rf"(?:(?:}} *)?(?:else +)?(?:if|elif|case)\b[^\n]*(?:={{2,3}} *{_LITERAL}|{_LITERAL} *={{2,3}}).*"
    rf"|case +{_LITERAL}.*"
    rf"|return +{_LITERAL} *;?|(?:{_LITERAL}|_) *(?:=>|:) *{_LITERAL} *,?|return +(?:\w+(?:\.get)?[\[(]|[{{\[]).*[\])] *;?)"
)
# Lines that compute nothing.
_FRAMES = re.compile(
    r"(?:(?:pub |export |async |default |static )*(?:def|func|fn|function|class|impl|struct|import|from|use|package)\b.*"
    r"|(?:const |let |var )?\w+(?: *+:[^=]*+)? *+:?= *+[{(\[]|(?:switch|match)\b.*|(?:} *)?else *[:{]?|default *:"
    r"|[\s{}()\[\],;:]*|(?://|#|/?\*|\"\"\").*)"
)
_GIVES = re.compile(r"(?:const |let |var )?(\w+)(?: *: *[\w\[\]]+)? *:?= *[^=].*")
_TRIVIAL = frozenset({"0", "1", "-1"})
_LINES_MAX = 400


@dataclass(frozen=True)
class Answer:
    """A value that is given for another one, as a new test has both."""

    path: str
    line: int
    test: str
    asked: str
    given: str


def answers(product: Mapping[str, tuple[str, str]], pairs: Iterable[Pair]) -> Iterator[Answer]:
    """Those that a change adds, where it adds to its product next to nothing else. Texts are before and after."""
    told = list(_told(pairs))
    found: list[Answer] = []
    for path, (before, after) in product.items():
        added = list(_added(before, after))
        if len(added) > _LINES_MAX or not all(
            _ANSWERS.fullmatch(t) or _FRAMES.fullmatch(t) or _is_unused(t, added) for _, t in added
        ):
            return
        found += _in(path, added, told) if told else ()
    yield from found


def _is_unused(text: str, added: list[tuple[int, str]]) -> bool:
    """Whether a line gives a value to a name that no other line has: then it works out nothing."""
    named = _GIVES.match(text)
    return named is not None and not any(
        re.search(rf"\b{named[1]}\b", other) for _, other in added if other != text
    )


def _told(pairs: Iterable[Pair]) -> Iterator[tuple[str, frozenset[str]]]:
    """New tests, each with the values of one assertion."""
    for pair in pairs:
        known = {(one.name, one.body) for one in pair.before.tests}
        for test in pair.after.tests:
            if (test.name, test.body) in known:
                continue
            for said in test.assertions:
                values = frozenset(map(_plain, _LITERALS.findall(said.text)))
                if said.strength is Strength.VALUE and len(values) > 1:
                    yield f"{test.path}::{test.name}", values


def _added(before: str, after: str) -> Iterator[tuple[int, str]]:
    known = Counter(line.strip() for line in before.split("\n"))
    for number, line in enumerate(after.split("\n"), 1):
        text = line.strip()
        if known[text]:
            known[text] -= 1
        elif text:
            yield number, text


def _in(
    path: str, added: list[tuple[int, str]], told: list[tuple[str, frozenset[str]]]
) -> Iterator[Answer]:
    asked: list[str] = []
    for number, text in added:
        here = [_plain(a or b) for a, b in _ASKED.findall(text)]
        asked = here or asked
        for given in (_plain(one) for one in _GIVEN.findall(text)):
            for test, values in told:
                one = next((a for a in asked if a != given and {a, given} <= values), None)
                if one is not None and not {one, given} <= _TRIVIAL:
                    yield Answer(path, number, test, one, given)
                    break


def _plain(literal: str) -> str:
    return literal.strip("\"'`")
