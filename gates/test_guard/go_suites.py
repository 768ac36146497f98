"""Tests of Go that are methods: `go test` calls none of them, and testify those of a suite that a test runs."""

from collections.abc import Iterator
from itertools import pairwise, takewhile

from gates.test_guard.found_test import ANY_SUITE, Mark
from gates.test_guard.lexed_blocks import skips
from gates.test_guard.tokens import Kind, Language, Token, Tokens, closing

_BEFORE_EACH = frozenset({"SetupSuite", "SetupTest", "SetupSubTest", "BeforeTest"})


def receiver(tokens: Tokens, first: Token) -> str:
    """`ShopSuite` of `func (s *ShopSuite) TestOne()`; empty for a function. `tokens` begin at `func`."""
    if not tokens or tokens[0].start != first.start or tokens[1].text != "(":
        return ""
    words = [one.text for one in tokens[2 : closing(tokens, 1)] if one.kind is Kind.WORD]
    return words[-1] if words else ""


def suites_run(tokens: Tokens) -> frozenset[str]:
    """The types that `suite.Run` is given, and those that are parts of them."""
    found = set(_given_to_run(tokens))
    parts = dict(_parts_of_types(tokens))
    left = list(found)
    while left:
        new = parts.get(left.pop(), frozenset()) - found
        found |= new
        left += new
    return frozenset(found)


def _given_to_run(tokens: Tokens) -> Iterator[str]:
    for at in range(len(tokens) - 6):
        if [one.text for one in tokens[at : at + 4]] != ["suite", ".", "Run", "("]:
            continue
        inside = [one.text for one in tokens[at + 4 : closing(tokens, at + 3)]]
        given = inside[inside.index(",") + 1 :] if "," in inside else []
        if given[:2] == ["new", "("]:
            yield given[-2]
        elif given[:1] == ["&"] and "{" in given:
            yield given[given.index("{") - 1]
        else:
            yield ANY_SUITE


def _parts_of_types(tokens: Tokens) -> Iterator[tuple[str, frozenset[str]]]:
    for at, token in enumerate(tokens[:-4]):
        if token.text == "type" and [one.text for one in tokens[at + 2 : at + 4]] == [
            "struct",
            "{",
        ]:
            inside = tokens[at + 4 : closing(tokens, at + 3)]
            yield (
                tokens[at + 1].text,
                frozenset(one.text for one in inside if one.kind is Kind.WORD),
            )


def marks_of_methods(tokens: Tokens) -> dict[int, tuple[str, frozenset[Mark]]]:
    """For each method, by where it starts: its type, and what that does to it as a test."""
    methods: dict[int, tuple[str, str, bool]] = {}
    skipped: set[str] = set()
    for at, (token, after) in enumerate(pairwise(tokens)):
        if token.text != "func" or after.text != "(":
            continue
        name_at = closing(tokens, at + 1) + 1
        of = receiver(tokens[at : name_at + 1], token)
        if name_at + 1 >= len(tokens) or tokens[name_at + 1].text != "(":
            continue
        end = closing(tokens, name_at + 1)
        takes_any = end > name_at + 2
        methods[token.start] = (of, tokens[name_at].text, takes_any)
        brace = next(
            (p for p in range(end, min(end + 20, len(tokens))) if tokens[p].text == "{"), None
        )
        if (
            tokens[name_at].text in _BEFORE_EACH
            and brace is not None
            and skips(tokens[brace : closing(tokens, brace) + 1], Language.GO)
        ):
            skipped.add(of)
    return {
        start: (
            of,
            # No runner gives a method anything.
            frozenset({Mark.CONDITIONAL} if takes_any else {Mark.SKIPPED} if of in skipped else ()),
        )
        for start, (of, _, takes_any) in methods.items()
    }


def tells_another(arguments: Tokens) -> bool:
    """`assert.Equal(new(testing.T), …)`: who is told of the failure is made here."""
    first = list(takewhile(lambda text: text != ",", (one.text for one in arguments)))
    return bool({"new", "{", "&"} & set(first)) and len(first) < len(arguments)
