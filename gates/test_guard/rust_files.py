"""Tests of Rust that are no functions: examples in its documentation, and modules in files of their own."""

import re
from collections.abc import Iterator

from gates.test_guard.found_test import Assertion, FoundTest, Mark, Strength
from gates.test_guard.lexed_assertions import ASSERTING_CRATES
from gates.test_guard.tokens import Tokens

_DOC_LINE = re.compile(r"^\s*//[/!](?!/) ?(.*)$")
_FENCE = re.compile(r"^\s*(?:```+|~~~+)\s*(.*)$")
_ITEM = re.compile(r"\b(?:fn|struct|enum|trait|mod|impl|macro_rules!|const|static|type)\s+(\w+)")
# Words of a fence that leave an example a test (rustdoc, "Documentation tests").
_STILL_TESTS = re.compile(r"(?:rust|should_panic|edition\d+|standalone_crate|\s|,)*")
_ASSERTS = re.compile(
    rf"\b(?:assert\w*|panic|unreachable)!|(?:{'|'.join(sorted(ASSERTING_CRATES))})::assert_\w+\("
)
_STOPS = re.compile(r"^#?\s*(?:return|std::process::exit\b)")


def doctests(path: str, source: str) -> Iterator[FoundTest]:
    """The examples in comments of documentation that rustdoc would run, in the order of the file."""
    lines = source.split("\n")
    seen: dict[str, int] = {}
    at = 0
    while at < len(lines):
        match = _DOC_LINE.match(lines[at])
        fence = _FENCE.match(match[1]) if match else None
        if fence is None:
            at += 1
            continue
        first, words, body = at, fence[1], list[str]()
        at += 1
        while at < len(lines) and (line := _DOC_LINE.match(lines[at])):
            at += 1
            if _FENCE.match(line[1]):
                break
            body.append(line[1].strip())
        item = _item_below(lines, at)
        seen[item] = seen.get(item, 0) + 1
        number = f" #{seen[item]}" if seen[item] > 1 else ""
        example = _example(path, f"doc of {item}{number}", first + 1, words, body)
        # A text that is never run and asserts nothing is no test.
        if example.assertions or not example.marks:
            yield example


def _example(path: str, name: str, line: int, words: str, body: list[str]) -> FoundTest:
    stops = next((i for i, one in enumerate(body) if _STOPS.match(one)), len(body))
    said = [one for one in _at_once(body[:stops]) if _ASSERTS.match(one)]
    is_test = _STILL_TESTS.fullmatch(words) is not None
    return FoundTest(
        path=path,
        name=name,
        line=line,
        body="\n".join(body),
        said="\n".join((name, *body)),
        assertions=tuple(
            Assertion(one, frozenset(re.findall(r"\w+", one)) - {"assert_eq"}, Strength.VALUE)
            for one in said
        ),
        marks=frozenset() if is_test else frozenset({Mark.SKIPPED}),
    )


# A text that its line does not end goes on in the next one.
_TEXT = re.compile(r'"(?:\\.|[^"\\])*+"?')
_RUNS_AT_ONCE = re.compile(
    r"(?:async\s+)?fn\s+main\b.*\{|.*\bblock_on\(async(?:\s+move)?\s*\{$"
    r"|for\b[^{]*\bin\s+(?:&?(?:vec!)?\[[^\]]|0\.\.=?[1-9]|1\.\.(?:=[1-9]|[2-9]|1\d))[^{]*\{$"
)


def _at_once(body: list[str]) -> Iterator[str]:
    """The lines that run as the example does: in no block but its `main`, one that is waited for, and rows."""
    depth = 0
    for line in (one.removeprefix("# ").strip() for one in body):
        if depth <= 0:
            yield line
        bare = _TEXT.sub("", line)
        depth += bare.count("{") - bare.count("}") - bool(_RUNS_AT_ONCE.match(bare))


def _item_below(lines: list[str], at: int) -> str:
    for line in lines[at : at + 40]:
        if _DOC_LINE.match(line):
            continue
        if found := _ITEM.search(line):
            return found[1]
    return "the file"


def declared(tokens: Tokens) -> frozenset[str]:
    """The modules in files of their own that are compiled for tests: `#[cfg(test)] mod tests;`."""
    found = set()
    for at, token in enumerate(tokens[:-2]):
        if token.text == "mod" and tokens[at + 2].text == ";":
            before = [one.text for one in tokens[max(at - 8, 0) : at]]
            if before[-7:-1] == ["#", "[", "cfg", "(", "test", ")"] or (
                before[-1:] == ["]"] and "test" in before
            ):
                found.add(tokens[at + 1].text)
    return frozenset(found)
