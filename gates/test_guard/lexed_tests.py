"""Tests in JavaScript, TypeScript, Go and Rust, found among tokens.

Each language says where its tests are and what asserts in it; blocks that cannot be reached and
failures that are caught count for nothing, as in Python.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from gates.test_guard.found_test import (
    Assertion,
    FoundTest,
    Helpers,
    Mark,
    Strength,
    TestFile,
)
from gates.test_guard.go_recover import defers_one_of, named_recovers, recovers_in_silence
from gates.test_guard.go_suites import marks_of_methods, suites_run
from gates.test_guard.javascript_options import MARKS, is_told_again, marks_of_options, told_blocks
from gates.test_guard.lexed_assertions import assertions
from gates.test_guard.lexed_blocks import is_waited_for, living, skips
from gates.test_guard.lexed_conditions import Conditions, conditions, filled_lists, name_before
from gates.test_guard.lexed_file import marks_of_file, never_started, put_in_place
from gates.test_guard.lexed_names import Names, functions, go_functions
from gates.test_guard.lexed_product import Product
from gates.test_guard.lexed_rows import said_by_rows
from gates.test_guard.rust_equality import equal_by_tests
from gates.test_guard.rust_files import declared, doctests
from gates.test_guard.tokens import (
    Kind,
    Language,
    Token,
    Tokens,
    attributes_at,
    closing,
    comment_above,
    covered,
    next_opens,
    tokens_of,
)


def read_lexed(path: str, source: str, language: Language) -> TestFile:
    """The tests of a file; never raises."""
    tokens = tokens_of(source, language)
    if tokens is None:
        return TestFile(path, is_readable=False)
    blocks = list(_BLOCKS[language](tokens))
    if language is Language.GO:
        blocks += _go_examples(tokens, source)
    if marks := marks_of_file(path, source, tokens, language):
        blocks = [replace(block, marks=block.marks | marks) for block in blocks]
    is_inside = covered(
        len(source), [(one.body[0].start, one.body[-1].end) for one in blocks if one.body]
    )
    filled = filled_lists(tokens, language)
    helpers = Helpers(
        {
            name: said
            for name, body in functions(tokens, language)
            if not is_inside[body[0].start]
            and (said := tuple(assertions(body, language, conditions(body, language, filled))))
        },
        _waiting(tokens) if language is Language.JAVASCRIPT else frozenset(),
    )
    seen: Counter[str] = Counter()
    names = Names.of(tokens, language)
    product = Product.of(path, tokens, language)
    tests = []
    for block in blocks:
        seen[block.name] += 1
        number = seen[block.name]
        name = block.name if number == 1 else f"{block.name} #{number}"
        under = conditions(block.body, language, filled)
        found = _found(path, source, replace(block, name=name), language, helpers, under)
        said = product.marked(found.assertions, block.body)
        by_rows = said_by_rows(said, block.first, block.body, tokens, language)
        found = replace(found, by_rows=tuple(by_rows), assertions=said)
        tests.append(names.put_into(found, block.body))
    if language is Language.RUST:
        tests += doctests(path, source)
    return TestFile(
        path,
        tuple(tests),
        put_in_place=_put_in_place(path, tokens, language),
        declared=declared(tokens) if language is Language.RUST else frozenset(),
        suites_run=suites_run(tokens) if language is Language.GO else frozenset(),
        around=" ".join(one.text for one in tokens if not is_inside[one.start]),
    )


def _put_in_place(path: str, tokens: Tokens, language: Language) -> tuple[tuple[str, int], ...]:
    found = put_in_place(tokens, language)
    return (*found, *equal_by_tests(path, tokens)) if language is Language.RUST else found


def _waiting(tokens: Tokens) -> frozenset[str]:
    """Names of functions that are `async`: they fail where somebody waits for them."""
    three = zip(tokens, tokens[1:], tokens[2:], strict=False)
    return frozenset(
        c.text if b.text == "function" else a.text
        for a, b, c in three
        if (a.text, b.text) == ("async", "function") or (b.text, c.text) == ("=", "async")
    )


@dataclass(frozen=True)
class _Block:
    name: str
    first: Token
    body: Tokens
    marks: frozenset[Mark] = frozenset()
    cases: int = 1
    expected: tuple[Assertion, ...] = ()
    rows: int | None = None
    suite: str = ""


def _found(
    path: str,
    source: str,
    block: _Block,
    language: Language,
    helpers: Helpers,
    under: Conditions,
) -> FoundTest:
    reached = living(block.body, language)
    called = [
        replace(one, is_conditional=one.is_conditional or under.over(token.start))
        for at, (token, after) in enumerate(pairwise(reached))
        if token.kind is Kind.WORD and after.text == "("
        if token.text not in helpers.waiting or is_waited_for(reached, at)
        for one in helpers.called([token.text])
    ]
    end = block.body[-1] if block.body else block.first
    marks = block.marks | ({Mark.SKIPPED} if skips(block.body, language) else frozenset())
    return FoundTest(
        path=path,
        name=block.name,
        line=block.first.line,
        body=" ".join(token.text for token in block.body),
        said="\n".join(
            (
                block.name,
                comment_above(source, block.first.start),
                source[block.first.start : end.end],
            )
        ),
        assertions=(*block.expected, *assertions(reached, language, under), *called),
        marks=marks,
        cases=block.cases,
        rows=block.rows,
        is_empty=not any(t.kind is Kind.WORD and t.text not in _NO_EFFECT for t in block.body),
        line_end=end.line + end.text.count("\n"),
        head=_head(source, block),
        suite=block.suite,
    )


def _head(source: str, block: _Block) -> str:
    """What stands before the body, without layout and the test's name."""
    start = block.body[0].start if block.body else block.first.end
    name = block.name.rpartition("::")[2].partition(" #")[0]
    return " ".join(source[block.first.start : start].replace(name, "").split())


_NO_EFFECT = frozenset({"async", "function", "t", "done", "true", "false", "return", "_"})

_TESTS = frozenset({"it", "test", "specify", "xit", "xtest", "fit", "xspecify"})
_SUITES = frozenset({"describe", "suite", "context", "xdescribe", "fdescribe", "xcontext"})
_RECEIVERS = frozenset({"t", "suite", "test", "ctx"})


def _javascript(tokens: Tokens) -> Iterator[_Block]:
    suites: list[tuple[int, str, frozenset[Mark]]] = []
    is_skipped = covered(len(tokens), _skipping_hooks(tokens))
    is_tried_again = covered(len(tokens), told_blocks(tokens))
    is_apart = covered(len(tokens), never_started(tokens))
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
        names = tuple(name for _, name, _ in suites)
        marks = call.marks.union(*(marks for _, _, marks in suites))
        if is_apart[at]:
            marks |= {Mark.CONDITIONAL}
        if token.text in _SUITES:
            none = frozenset() if call.cases else frozenset({Mark.SKIPPED})
            suites.append((call.end, call.name, call.marks | none))
        else:
            # `it("says so")` alone is a test that is still to be written.
            marks = marks if len(call.body) > 1 else marks | {Mark.SKIPPED}
            marks |= {Mark.SKIPPED} if is_skipped[at] else set()
            places = range(at, min(call.end + 3, len(tokens)))
            if is_tried_again[at] or any(is_told_again(tokens, place) for place in places):
                marks |= {Mark.TRIED_AGAIN}
            yield _Block("::".join((*names, call.name)), token, call.body, marks, call.cases)


def _skipping_hooks(tokens: Tokens) -> Iterator[tuple[int, int]]:
    """The blocks in which something that runs before each test skips it."""
    opened: list[int] = [0]
    found: set[int] = set()
    for at, token in enumerate(tokens):
        if token.kind is Kind.SIGN and token.text == "{":
            opened.append(at)
        elif token.kind is Kind.SIGN and token.text == "}" and len(opened) > 1:
            opened.pop()
        elif (
            token.text in {"before", "beforeEach", "beforeAll"}
            and at + 1 < len(tokens)
            and tokens[at + 1].text == "("
            and skips(tokens[at + 1 : closing(tokens, at + 1)], Language.JAVASCRIPT)
        ):
            found.add(opened[-1])
    for start in found:
        yield start, closing(tokens, start) if start else len(tokens)


@dataclass(frozen=True)
class _Call:
    """`test.only.each([…])("name", …)`: its name, marks, rows and the tokens after the name."""

    name: str
    marks: frozenset[Mark]
    cases: int
    body: Tokens
    end: int


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
    marks |= marks_of_options(lists.with_options(body))
    return _Call(name, frozenset(marks), cases, body, end)


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


_GO_TEST = re.compile(r"(?:Test|Fuzz)(?:[^a-z]\w*)?")


def _go(tokens: Tokens) -> Iterator[_Block]:
    methods = marks_of_methods(tokens)
    calm = named_recovers((name, body) for name, body, _ in go_functions(tokens))
    for name, body, first in go_functions(tokens):
        suite, marks = methods.get(first.start, ("", frozenset()))
        if _GO_TEST.fullmatch(name) and name != "TestMain":
            cases = 1 + sum(
                a.text == "Run" and b.text == "(" and c.kind is Kind.STRING
                for a, b, c in zip(body, body[1:], body[2:], strict=False)
            )
            marks |= {Mark.CONDITIONAL} if defers_one_of(body, calm) else _go_marks(body)
            yield _Block(name, first, body, marks, cases, rows=_go_rows(body), suite=suite)


_GO_OUTPUT = re.compile(r"//\s*(?:unordered )?output:([^}]*)", re.IGNORECASE)


def _go_examples(tokens: Tokens, source: str) -> Iterator[_Block]:
    """Functions whose output `go test` compares with a comment at their end."""
    for name, body, first in go_functions(tokens):
        said = _GO_OUTPUT.search(source, body[0].start, body[-1].end)
        if name.startswith("Example") and said:
            output = " ".join(said[1].split())
            words = frozenset(output.replace("//", "").split())
            yield _Block(name, first, body, expected=(Assertion(output, words, Strength.VALUE),))


def _go_marks(body: Tokens) -> frozenset[Mark]:
    """Whether what is told of a failure is not the test, as `t` has become something else, or what ends it is caught."""
    if recovers_in_silence(body):
        return frozenset({Mark.CONDITIONAL})
    for at, token in enumerate(body[:-2]):
        if token.text == "t" and body[at - 1].text == "var":
            return frozenset({Mark.CONDITIONAL})
        if token.text != "t" or body[at - 1].text == ".":
            continue
        after = body[at + 1]
        is_other = body[at - 1].text == "(" and after.kind is Kind.WORD
        if is_other or after.text in {":=", "="}:
            return frozenset({Mark.CONDITIONAL})
    return frozenset()


def _go_rows(body: Tokens) -> int | None:
    """The different rows of tables, `[]struct{…}{{…}, {…}}`; None without a table."""
    rows = None
    for at, token in enumerate(body):
        if token.text == "struct" and at + 1 < len(body) and body[at + 1].text == "{":
            opened = closing(body, at + 1) + 1
            if opened < len(body) and body[opened].text == "{":
                inside = body[opened + 1 : closing(body, opened)]
                said, place = set(), 0
                while place < len(inside):
                    if inside[place].text == "{":
                        end = closing(inside, place)
                        said.add(" ".join(one.text for one in inside[place:end]))
                        place = end
                    place += 1
                rows = (rows or 0) + len(said)
    return rows


# The crates `flaky_test`, `retry-test` and `test-retry`.
_RUST_AGAIN = frozenset({"flaky", "flaky_test", "retry", "test_retry", "retry_test"})


# The crates `rstest` and `test-case`.
_RUST_TABLES = frozenset({"rstest", "test_case"})
_RUST_ROWS = frozenset({"case", "test_case"})


def _rust(tokens: Tokens) -> Iterator[_Block]:
    at = 0
    under = 0
    next_open = next_opens(tokens)
    while at < len(tokens):
        marks: set[Mark] = {Mark.CONDITIONAL} if at < under else set()
        expected: tuple[Assertion, ...] = ()
        attributes, place = attributes_at(tokens, at)
        if (
            place + 2 < len(tokens)
            and tokens[place].text == "mod"
            and tokens[place + 2].text == "{"
        ):
            is_for_some = any(a[0] == "cfg" and a[1:] != ["(", "test", ")"] for a in attributes)
            under = max(under, closing(tokens, place + 2)) if is_for_some else under
        if not attributes:
            at += 1
            continue
        is_test = any(
            a[:1] == ["test"]
            or a[0] in _RUST_TABLES
            or a[-1:] == ["test"]
            or "::test" in "".join(a)
            for a in attributes
        )
        for words in attributes:
            if words[0] == "ignore":
                marks.add(Mark.SKIPPED)
            elif words[-1] in _RUST_AGAIN or words[0] in _RUST_AGAIN:
                marks.add(Mark.TRIED_AGAIN)
            elif words[0] == "should_panic":
                marks.add(Mark.EXPECTED_TO_FAIL)
                strength = Strength.VALUE if "expected" in words else Strength.RELATION
                expected += (Assertion(" ".join(words), frozenset(words), strength),)
            elif words[0] in {"cfg", "cfg_attr"} and words[1:] != ["(", "test", ")"]:
                marks.add(Mark.SKIPPED if "ignore" in words else Mark.CONDITIONAL)
        function = next(
            (p for p in range(place, min(place + 8, len(tokens))) if tokens[p].text == "fn"), None
        )
        if is_test and function is not None and function + 1 < len(tokens):
            brace = next_open[function]
            body = tokens[brace : closing(tokens, brace) + 1]
            name = tokens[function + 1].text
            rows = {" ".join(a) for a in attributes if a[0] in _RUST_ROWS}
            cases = max(len(rows), 1)
            yield _Block(name, tokens[at], body, frozenset(marks), cases, expected=expected)
        at = place


_BLOCKS = {Language.JAVASCRIPT: _javascript, Language.GO: _go, Language.RUST: _rust}
