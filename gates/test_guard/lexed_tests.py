"""Tests in JavaScript, TypeScript, Go and Rust, found among tokens.

Each language says where its tests are and what asserts in it; blocks that cannot be reached and
failures that are caught count for nothing, as in Python.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from gates.test_guard.found_block import Block
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
from gates.test_guard.javascript_assertions import in_ava, told_by_ava
from gates.test_guard.javascript_methods import called_name, methods
from gates.test_guard.javascript_tests import javascript_tests
from gates.test_guard.lexed_asserted import asserted_by
from gates.test_guard.lexed_assertions import assertions
from gates.test_guard.lexed_blocks import is_waited_for, living, skips
from gates.test_guard.lexed_conditions import Conditions, conditions, filled_lists
from gates.test_guard.lexed_file import marks_of_file, put_in_place
from gates.test_guard.lexed_names import Names, functions, go_functions
from gates.test_guard.lexed_product import Product
from gates.test_guard.lexed_rows import said_by_rows
from gates.test_guard.rust_equality import equal_by_tests, modules_of_tests
from gates.test_guard.rust_files import declared, doctests
from gates.test_guard.rust_macros import gives_away, macros, throwing_away
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
    if language is Language.RUST and (names_away := throwing_away(tokens)):
        blocks = [
            replace(one, marks=one.marks | {Mark.CONDITIONAL})
            if gives_away(one.body, names_away)
            else one
            for one in blocks
        ]
    is_inside = covered(
        len(source), [(one.body[0].start, one.body[-1].end) for one in blocks if one.body]
    )
    filled = filled_lists(tokens, language)
    called = [*functions(tokens, language)]
    called += macros(tokens) if language is Language.RUST else ()
    called += methods(tokens) if language is Language.JAVASCRIPT else ()
    helpers = Helpers(
        asserted_by(
            ((name, body) for name, body in called if not is_inside[body[0].start]),
            language,
            filled,
        ),
        _waiting(tokens) if language is Language.JAVASCRIPT else frozenset(),
    )
    seen: Counter[str] = Counter()
    names = Names.of(tokens, language)
    outside = [one for one in tokens if not is_inside[one.start]]
    product = Product.of(path, tokens, language, _of_tests(path, outside, language))
    is_of_ava = language is Language.JAVASCRIPT and in_ava(tokens)
    tests = []
    for block in blocks:
        seen[block.name] += 1
        number = seen[block.name]
        name = block.name if number == 1 else f"{block.name} #{number}"
        under = conditions(block.body, language, filled)
        found = _found(path, source, replace(block, name=name), language, helpers, under)
        if is_of_ava:
            found = replace(found, assertions=tuple(map(told_by_ava, found.assertions)))
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
        around=" ".join(one.text for one in outside),
    )


def _of_tests(path: str, outside: Tokens, language: Language) -> Tokens:
    """What stands around tests and is no product: all of a file of tests, in Rust the modules for them."""
    if language is not Language.RUST or "tests" in path.split("/"):
        return outside
    return [token for start, end in modules_of_tests(outside) for token in outside[start : end + 1]]


def _put_in_place(path: str, tokens: Tokens, language: Language) -> tuple[tuple[str, int], ...]:
    found = put_in_place(tokens, language)
    return (*found, *equal_by_tests(path, tokens)) if language is Language.RUST else found


def _waiting(tokens: Tokens) -> frozenset[str]:
    """Names of functions that are `async`: they fail where somebody waits for them."""
    three = zip(tokens, tokens[1:], tokens[2:], strict=False)
    return frozenset(_named_to_wait(*one) for one in three) - {""}


def _named_to_wait(one: Token, two: Token, three: Token) -> str:
    """`check` of `async function check`, of `check = async` and `check: async`, and of a method `async check(`."""
    if one.text == "async" and two.kind is Kind.WORD:
        is_method = three.text == "(" and two.text != "function"
        return two.text if is_method else three.text if two.text == "function" else ""
    return one.text if three.text == "async" and two.text in {"=", ":"} else ""


def _found(
    path: str,
    source: str,
    block: Block,
    language: Language,
    helpers: Helpers,
    under: Conditions,
) -> FoundTest:
    reached = living(block.body, language)
    called = [
        replace(one, is_conditional=one.is_conditional or under.over(token.start))
        for at, (token, after) in enumerate(pairwise(reached))
        if token.kind is Kind.WORD and after.text in {"(", "!"}
        if token.text not in helpers.waiting or is_waited_for(reached, _start_of_call(reached, at))
        for one in helpers.called([called_name(reached, at, helpers.asserted)])
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
        head=_head(source, block),
        suite=block.suite,
        tries=block.tries,
    )


def _start_of_call(reached: Tokens, at: int) -> int:
    is_member = at > 1 and reached[at - 1].text == "." and reached[at - 2].kind is Kind.WORD
    return at - 2 if is_member else at


def _head(source: str, block: Block) -> str:
    """What stands before the body, without layout and the test's name."""
    start = block.body[0].start if block.body else block.first.end
    name = block.name.rpartition("::")[2].partition(" #")[0]
    return " ".join(source[block.first.start : start].replace(name, "").split())


_NO_EFFECT = frozenset({"async", "function", "t", "done", "true", "false", "return", "_"})

_GO_TEST = re.compile(r"(?:Test|Fuzz)(?:[^a-z]\w*)?")


def _go(tokens: Tokens) -> Iterator[Block]:
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
            yield Block(name, first, body, marks, cases, rows=_go_rows(body), suite=suite)


_GO_OUTPUT = re.compile(r"//\s*(?:unordered )?output:([^}]*)", re.IGNORECASE)


def _go_examples(tokens: Tokens, source: str) -> Iterator[Block]:
    """Functions whose output `go test` compares with a comment at their end."""
    for name, body, first in go_functions(tokens):
        said = _GO_OUTPUT.search(source, body[0].start, body[-1].end)
        if name.startswith("Example") and said:
            output = " ".join(said[1].split())
            words = frozenset(output.replace("//", "").split())
            yield Block(name, first, body, expected=(Assertion(output, words, Strength.VALUE),))


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


def _rust(tokens: Tokens) -> Iterator[Block]:
    at = 0
    under = 0
    next_open = next_opens(tokens)
    while at < len(tokens):
        marks: set[Mark] = {Mark.CONDITIONAL} if at < under else set()
        expected: tuple[Assertion, ...] = ()
        tries = 0
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
                tries = max((int(one) for one in words if one.isdecimal()), default=1)
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
            said = frozenset(marks)
            yield Block(name, tokens[at], body, said, cases, expected=expected, tries=tries)
        at = place


_BLOCKS = {Language.JAVASCRIPT: javascript_tests, Language.GO: _go, Language.RUST: _rust}
