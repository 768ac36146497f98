"""Tests that stand in a file of Rust beside what they test."""

from collections.abc import Iterator
from dataclasses import dataclass

from gates.test_guard.tokens import Language, Tokens, attributes_at, closing, tokens_of

_FOR_TESTS = ["cfg", "(", "test", ")"]


@dataclass(frozen=True)
class _Item:
    start: int
    end: int
    is_test: bool


def inline_tests(source: str) -> tuple[tuple[int, int], ...]:
    """Where items begin and end that are compiled for tests alone, at the top of a file."""
    return tuple((one.start, one.end) for one in _items(source))


def has_bare_tests(source: str) -> bool:
    return any(one.is_test for one in _items(source))


def _items(source: str) -> Iterator[_Item]:
    tokens = tokens_of(source, Language.RUST) or []
    at = 0
    while at < len(tokens):
        attributes, place = attributes_at(tokens, at)
        is_test = any(one[-1:] == ["test"] for one in attributes)
        if is_test or _FOR_TESTS in attributes:
            end = _end_of_item(tokens, place)
            yield _Item(_with_comment(source, tokens[at].start), tokens[end].end, is_test)
            at = end + 1
        elif not attributes and tokens[at].text == "{":
            at = closing(tokens, at) + 1
        else:
            at = max(place, at + 1)


def with_tests_of(other: str, source: str) -> str:
    """A file with the inline tests of another in place of its own."""
    kept, at = [], 0
    for start, end in inline_tests(source):
        kept.append(source[at:start])
        at = end
    tests = (other[start:end] for start, end in inline_tests(other))
    return "\n".join(("".join((*kept, source[at:])), *tests, ""))


def lines_of_tests(source: str) -> frozenset[int]:
    """The numbers of the lines of inline tests, from 1."""
    return frozenset(
        number
        for start, end in inline_tests(source)
        for number in range(source.count("\n", 0, start) + 1, source.count("\n", 0, end) + 2)
    )


def _end_of_item(tokens: Tokens, at: int) -> int:
    is_use = any(token.text == "use" for token in tokens[at : at + 4])
    while at < len(tokens) - 1:
        if tokens[at].text == ";":
            return at
        if tokens[at].text == "{" and not is_use:
            return closing(tokens, at)
        at = closing(tokens, at) + 1 if tokens[at].text in {"(", "[", "{"} else at + 1
    return len(tokens) - 1


def _with_comment(source: str, start: int) -> int:
    """Where the comment right above an item begins."""
    start = source.rfind("\n", 0, start) + 1
    while start > 0:
        line_start = source.rfind("\n", 0, start - 1) + 1
        if not source[line_start:start].lstrip().startswith("//"):
            break
        start = line_start
    return start
