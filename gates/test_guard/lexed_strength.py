"""How much an assertion in JavaScript, Go and Rust says, by the tokens that it is made of."""

import itertools
from collections.abc import Iterator, Sequence

from gates.test_guard.found_test import Assertion, Strength
from gates.test_guard.tokens import Kind, Tokens

EXACT = frozenset(
    [
        "toBe",
        "toEqual",
        "toStrictEqual",
        "toMatchSnapshot",
        "toMatchInlineSnapshot",
        "equal",
        "equals",
        "eql",
        "strictEqual",
        "deepEqual",
        "deepStrictEqual",
        "is",
        "same",
        "Equal",
        "EqualValues",
        "Exactly",
        "JSONEq",
        "Equalf",
        "assert_eq",
    ]
)
PRESENT = frozenset(
    {"toBeTruthy", "toBeFalsy", "toBeDefined", "toBeInstanceOf", "ok", "exist"}
    | {"NotNil", "NotEmpty", "truthy", "toBeTypeOf", "isDefined"}
)


def is_always_true(whole: Tokens) -> bool:
    """`a === b || true`."""
    texts = [one.text for one in whole]
    pairs = set(itertools.pairwise(texts))
    return ("||", "true") in pairs or ("true", "||") in pairs


def says_less(texts: Sequence[str]) -> bool:
    """`a || 5`, `Math.max(a, 5)`, `a % 5`, `a * 0`: the same for many values."""
    texts = list(outside_calls(texts))
    pairs = set(itertools.pairwise(texts))
    return bool(
        not {"||", "??", "%"}.isdisjoint(texts)
        or {("*", "0"), ("0", "*"), ("max", "("), ("min", "(")} & pairs
    )


def outside_calls(texts: Sequence[str]) -> Iterator[str]:
    """What is given to a call is another value: `price(12 % 10)` and Rust's `with(|| …)`."""
    calls: list[bool] = []
    before = ""
    for text in texts:
        if text in {")", "]", "}"} and calls:
            calls.pop()
        if not any(calls):
            yield text
        if text in {"(", "[", "{"}:
            calls.append(text == "(" and (before.isidentifier() or before in {")", "]"}))
        before = text


def assertion(whole: Tokens, strength: Strength) -> Assertion:
    atoms = frozenset(
        t.text.strip("\"'`")
        for t in whole
        if t.kind is not Kind.SIGN
        and t.text not in EXACT
        and t.text not in {"expect", "assert", "to", "be", "not", "require", "t", "if", "true"}
    )
    return Assertion(" ".join(token.text for token in whole), atoms, strength)


def is_same(tokens: Tokens, signs: frozenset[str]) -> bool:
    """Whether the two sides of the first of these signs are the same: `got != got`, `assert_eq!(a, a)`."""
    depth = 0
    for at, token in enumerate(tokens):
        if token.kind is Kind.SIGN and token.text in "([{":
            depth += 1
        elif token.kind is Kind.SIGN and token.text in ")]}":
            depth -= 1
        elif depth == 0 and token.text in signs:
            one = [t.text for t in tokens[:at]]
            other = [t.text for t in tokens[at + 1 : at + 1 + len(one)]]
            rest = [t.text for t in tokens[at + 1 + len(one) :][:1]]
            return bool(one) and one == other and rest in ([], [","])
    return False


COMPARED = frozenset({"!=", "==", "<", ">"})
COMMA = frozenset({","})
