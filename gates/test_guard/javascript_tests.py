"""Calls in JavaScript and TypeScript that are tests, and the suites that they stand in."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from gates.test_guard.found_block import Block
from gates.test_guard.found_test import Mark
from gates.test_guard.javascript_options import (
    MARKS,
    blocks_with,
    is_told_again,
    marks_of_options,
    told_blocks,
    tries_behind,
    tries_of_blocks,
    tries_of_options,
)
from gates.test_guard.lexed_blocks import skips
from gates.test_guard.lexed_conditions import name_before
from gates.test_guard.lexed_file import never_started
from gates.test_guard.tokens import Kind, Language, Tokens, closing, covered

_TESTS = frozenset({"it", "test", "specify", "xit", "xtest", "fit", "xspecify"})
_SUITES = frozenset({"describe", "suite", "context", "xdescribe", "fdescribe", "xcontext"})
_RECEIVERS = frozenset({"t", "suite", "test", "ctx"})


def javascript_tests(tokens: Tokens) -> Iterator[Block]:
    suites: list[tuple[int, _Call, frozenset[Mark]]] = []
    is_skipped = covered(len(tokens), _skipping_hooks(tokens))
    is_tried_again = covered(len(tokens), told_blocks(tokens))
    is_apart = covered(len(tokens), never_started(tokens))
    told = tries_of_blocks(tokens)
    lists = _Lists(tokens)
    for at, token in enumerate(tokens):
        while suites and at > suites[-1][0]:
            suites.pop()
        if token.kind is not Kind.WORD or token.text not in _TESTS | _SUITES:
            continue
        before = tokens[at - 1].text if at else ""
        if before == "." and not (at > 1 and tokens[at - 2].text in _RECEIVERS):
            continue
        call = _call_at(tokens, at, lists)
        if call is None:
            continue
        names = tuple(suite.name for _, suite, _ in suites)
        marks = call.marks.union(*(marks for _, _, marks in suites))
        if is_apart[at]:
            marks |= {Mark.CONDITIONAL}
        if token.text in _SUITES:
            none = frozenset() if call.cases else frozenset({Mark.SKIPPED})
            suites.append((call.end, call, call.marks | none))
        else:
            # `it("says so")` alone is a test that is still to be written.
            marks = marks if len(call.body) > 1 else marks | {Mark.SKIPPED}
            marks |= {Mark.SKIPPED} if is_skipped[at] else set()
            places = range(at, min(call.end + 3, len(tokens)))
            if is_tried_again[at] or any(is_told_again(tokens, place) for place in places):
                marks |= {Mark.TRIED_AGAIN}
            tries = max(
                tries_behind(tokens, at, call.end + 3),
                call.tries,
                *(suite.tries for _, suite, _ in suites),
                told[at],
            )
            name = "::".join((*names, call.name))
            yield Block(name, token, call.body, marks, call.cases, tries=tries)


def _skipping_hooks(tokens: Tokens) -> Iterator[tuple[int, int]]:
    """The blocks in which something that runs before each test skips it."""
    return blocks_with(
        tokens,
        lambda at: (
            tokens[at].text in {"before", "beforeEach", "beforeAll"}
            and at + 1 < len(tokens)
            and tokens[at + 1].text == "("
            and skips(tokens[at + 1 : closing(tokens, at + 1)], Language.JAVASCRIPT)
        ),
    )


@dataclass(frozen=True)
class _Call:
    """`test.only.each([…])("name", …)`: its name, marks, rows and the tokens after the name."""

    name: str
    marks: frozenset[Mark]
    cases: int
    body: Tokens
    end: int
    tries: int


class _Lists:
    """How many rows the lists have that are given a name."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._starts = {
            name_before(tokens, at): at + 1
            for at, (token, after) in enumerate(pairwise(tokens))
            if token.text == "=" and after.text == "["
        }
        self._rows: dict[int, int] = {}
        self._objects = {
            name_before(tokens, at): at + 1
            for at, (token, after) in enumerate(pairwise(tokens))
            if token.text == "=" and after.text == "{"
        }

    def with_options(self, body: Tokens) -> Tokens:
        """What follows a test's name, with options that have a name where they are meant."""
        at = self._objects.get(body[1].text) if len(body) > 2 and body[2].text == "," else None
        if at is None:
            return body
        return (body[0], *self._tokens[at : closing(self._tokens, at) + 1])

    def rows(self, argument: Tokens) -> int:
        """Those of a list that stands here, or of one by its name; 1 for what nobody knows."""
        start = self._starts.get(argument[0].text) if len(argument) == 1 else None
        if start is None:
            return _rows(argument)
        if start not in self._rows:
            end = closing(self._tokens, start)
            self._rows[start] = _rows(self._tokens[start : end + 1])
        return self._rows[start]


def _after_type(tokens: Tokens, at: int) -> int:
    """Where `<[number, string]>` has ended, if one begins here."""
    depth = 0
    for place in range(at, min(at + _TYPE_TOKENS_MAX, len(tokens))):
        if tokens[place].text != "=>":
            depth += tokens[place].text.count("<") - tokens[place].text.count(">")
        if depth <= 0:
            return place + 1 if place > at else at
    return at


_TYPE_TOKENS_MAX = 40


def _call_at(tokens: Tokens, at: int, lists: _Lists) -> _Call | None:
    word = tokens[at].text
    marks = set()
    if word.startswith("x"):
        marks.add(Mark.SKIPPED)
    elif word.startswith("f"):
        marks.add(Mark.ONLY)
    cases = 1
    place = at + 1
    while place + 1 < len(tokens) and tokens[place].text == ".":
        modifier = tokens[place + 1].text
        marks |= {MARKS[modifier]} if modifier in MARKS else set()
        place += 2
        if modifier in {"each", "for"}:
            place = _after_type(tokens, place)
        if modifier in {"each", "for"} and place < len(tokens):
            if tokens[place].kind is Kind.STRING:
                cases = max(tokens[place].text.count("\n") - 1, 1)
                place += 1
            else:
                end = closing(tokens, place)
                cases = lists.rows(tokens[place + 1 : end])
                place = end + 1
        elif modifier in {"skipIf", "runIf"} and place < len(tokens):
            place = closing(tokens, place) + 1
    if place + 1 >= len(tokens) or tokens[place].text != "(":
        return None
    if tokens[place + 1].kind is not Kind.STRING:
        return None
    end = closing(tokens, place)
    name = tokens[place + 1].text[1:-1]
    body = tokens[place + 2 : end + 1]
    options = lists.with_options(body)
    marks |= marks_of_options(options)
    return _Call(name, frozenset(marks), cases, body, end, tries_of_options(options))


def _rows(argument: Tokens) -> int:
    """How many different elements a list has that stands in the code; 1 for a name."""
    if not argument or argument[0].text != "[":
        return 1
    if [one.text for one in argument] == ["[", "]"]:
        return 0
    depth = 0
    rows: list[list[str]] = [[]]
    for token in argument[1 : closing(argument, 0)]:
        if token.kind is Kind.SIGN and token.text in "([{":
            depth += 1
        elif token.kind is Kind.SIGN and token.text in ")]}":
            depth -= 1
        if token.text == "," and depth == 0:
            rows.append([])
        else:
            rows[-1].append(token.text)
    return max(len({tuple(row) for row in rows if row}), 1)
