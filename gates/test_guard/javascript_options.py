"""Options of tests in JavaScript: which leave one out, and which try it again when it fails."""

from collections.abc import Callable, Iterator

from gates.test_guard.found_test import Mark
from gates.test_guard.tokens import Kind, Tokens, closing

_OPTIONS = frozenset({"retry", "retries"})
# `vi.setConfig({retry: 3})`, `test.describe.configure({retries: 3})`, `Cypress.config("retries", 3)`.
_SETS = frozenset({"setConfig", "configure", "config"})


MARKS = {
    "skip": Mark.SKIPPED,
    "todo": Mark.SKIPPED,
    "expectFailure": Mark.EXPECTED_TO_FAIL,
    "skipIf": Mark.SKIPPED,
    "runIf": Mark.CONDITIONAL,
    "only": Mark.ONLY,
    "fails": Mark.EXPECTED_TO_FAIL,
    "failing": Mark.EXPECTED_TO_FAIL,
}


def marks_of_options(body: Tokens) -> frozenset[Mark]:
    """`it("…", {skip: true}, …)`, and `it("…", …, {retry: 3})`."""
    marks = frozenset[Mark]()
    for options in _options_of(body):
        marks |= _marks_of_object(options)
    return marks


def _marks_of_object(options: Tokens) -> frozenset[Mark]:
    said = {
        token.text: value.text
        for token, sign, value in zip(options, options[1:], options[2:], strict=False)
        if sign.text == ":"
    }
    # `{ skip }`: whatever it is, it is no `false` that stands there.
    said |= {
        token.text: ""
        for before, token, after in zip(
            (None, *options), options, (*options[1:], None), strict=False
        )
        if (before is None or before.text == ",") and (after is None or after.text == ",")
    }
    again = {Mark.TRIED_AGAIN} if _says_again(options) else set()
    return frozenset(again).union(
        MARKS[name] for name, value in said.items() if name in MARKS and value != "false"
    )


def _options_of(body: Tokens) -> Iterator[Tokens]:
    """The objects among the arguments that follow a test's name, each without its braces."""
    at = 0
    while at < len(body):
        is_sign = body[at].kind is Kind.SIGN
        if is_sign and body[at].text in {"(", "[", "{"}:
            end = closing(body, at)
            if body[at].text == "{" and at and body[at - 1].text == ",":
                yield body[at + 1 : end]
            at = end
        at += 1


def _says_again(inside: Tokens) -> bool:
    """Whether options, `retry: 2`, ask for another try."""
    return any(text != "0" for text in _tries_said(inside))


def _tries_said(inside: Tokens) -> Iterator[str]:
    three = zip(inside, inside[1:], inside[2:], strict=False)
    return (
        c.text
        for a, b, c in three
        if a.text.strip("\"'") in _OPTIONS
        and (b.text == ":" or (b.text == "," and a.kind is Kind.STRING))
    )


def tries_of_options(body: Tokens) -> int:
    """How often a test may fail, as the options behind its name say in a number."""
    return max((_number(text) for one in _options_of(body) for text in _tries_said(one)), default=0)


def tries_behind(tokens: Tokens, start: int, end: int) -> int:
    """What `.retries(2)` in a test's call, or behind it, says."""
    told = (at for at in range(start, min(end, len(tokens))) if is_told_again(tokens, at))
    return max((_number(tokens[at + 2].text) for at in told), default=0)


def tries_of_blocks(tokens: Tokens) -> list[int]:
    """For each place, how often the tests of its blocks may fail: by `this.retries(2)`, `jest.retryTimes(2)` and what
    is set for all.
    """
    opened: list[int] = [0]
    most: dict[int, int] = {}
    for at, token in enumerate(tokens[:-2]):
        if token.kind is Kind.SIGN and token.text == "{":
            opened.append(at)
        elif token.kind is Kind.SIGN and token.text == "}" and len(opened) > 1:
            opened.pop()
        for text in _tries_for_all(tokens, at):
            most[opened[-1]] = max(most.get(opened[-1], 0), _number(text))
    found = [0] * len(tokens)
    for start, count in most.items():
        end = closing(tokens, start) if start else len(tokens)
        found[start:end] = [max(one, count) for one in found[start:end]]
    return found


def _tries_for_all(tokens: Tokens, at: int) -> Iterator[str]:
    if sets_for_all(tokens, at):
        yield from _tries_said(tokens[at : closing(tokens, at + 1)])
    elif (tokens[at].text == "retryTimes" and tokens[at + 1].text == "(") or (
        is_told_again(tokens, at) and tokens[at - 2].text == "this"
    ):
        yield tokens[at + 2].text


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 1


def is_told_again(tokens: Tokens, at: int) -> bool:
    """`this.retries(2)`, and `.retries(2)` behind a test's call."""
    words = [one.text for one in tokens[at : at + 4]]
    return (
        words[:2] == ["retries", "("]
        and words[2:3] != ["0"]
        and at > 0
        and tokens[at - 1].text == "."
    )


def told_blocks(tokens: Tokens) -> Iterator[tuple[int, int]]:
    """The blocks whose tests are tried again, because `this.retries(2)` stands in them."""
    return blocks_with(
        tokens, lambda at: is_told_again(tokens, at) and tokens[at - 2].text == "this"
    )


def blocks_with(tokens: Tokens, is_said: Callable[[int], bool]) -> Iterator[tuple[int, int]]:
    """The innermost blocks around each place where something is said; 0 begins that of the whole file."""
    opened: list[int] = [0]
    found: set[int] = set()
    for at, token in enumerate(tokens):
        if token.kind is Kind.SIGN and token.text == "{":
            opened.append(at)
        elif token.kind is Kind.SIGN and token.text == "}" and len(opened) > 1:
            opened.pop()
        elif is_said(at):
            found.add(opened[-1])
    for start in found:
        yield start, closing(tokens, start) if start else len(tokens)


def sets_for_all(tokens: Tokens, at: int) -> bool:
    """Whether what is called here makes it so for a whole file."""
    if (
        tokens[at].text not in _SETS
        or tokens[at + 1].text != "("
        or not at
        or tokens[at - 1].text != "."
    ):
        return False
    return _says_again(tokens[at + 2 : closing(tokens, at + 1)])
