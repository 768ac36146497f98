"""What asserts in JavaScript, TypeScript, Go and Rust, and how much it says."""

from collections.abc import Iterator
from dataclasses import replace

from gates.test_guard.found_test import Assertion, Strength
from gates.test_guard.go_suites import tells_another
from gates.test_guard.javascript_assertions import javascript_assertions
from gates.test_guard.lexed_conditions import NO_CONDITIONS, Conditions, if_conditions
from gates.test_guard.lexed_strength import (
    COMMA,
    COMPARED,
    EXACT,
    PRESENT,
    assertion,
    is_always_true,
    is_same,
    says_less,
)
from gates.test_guard.messages import without_message
from gates.test_guard.tokens import Kind, Language, Token, Tokens, closing


def assertions(
    tokens: Tokens, language: Language, under: Conditions = NO_CONDITIONS
) -> Iterator[Assertion]:
    for token, found in _IN[language](tokens):
        # In Go the condition around it is a part of what it asserts.
        is_own = language is Language.GO and token.text in _GO_FAILS
        may_not_run = under.beyond_own(token.start) if is_own else under.over(token.start)
        yield replace(found, is_conditional=True) if may_not_run else found


_GO_FAILS = frozenset({"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"})
_GO_CHECKS = frozenset({"assert", "require", "is", "qt", "suite", "s", "c"})


def _go_assertions(tokens: Tokens) -> Iterator[tuple[Token, Assertion]]:
    conditions = list(if_conditions(tokens))
    for at, token in enumerate(tokens):
        if (
            at < 2
            or at + 1 >= len(tokens)
            or tokens[at - 1].text != "."
            or tokens[at + 1].text != "("
        ):
            continue
        receiver = tokens[at - 2].text
        end = closing(tokens, at + 1) + 1
        if token.text in _GO_FAILS and receiver in {"t", "tb", "f", "b", "st", "tt", "T()", "T"}:
            condition = conditions[at]
            last = [t.text for t in condition]
            after = condition[last.index(";") + 1 :] if ";" in last else condition
            if not is_same(after, COMPARED) and (strength := _strength_of_if(condition)):
                yield token, assertion((*condition, *tokens[at - 2 : at + 1]), strength)
        elif receiver in _GO_CHECKS and token.text[:1].isupper():
            said = tokens[at - 2 : end]
            if receiver in {"assert", "require"} and tells_another(tokens[at + 2 : end - 1]):
                continue
            words = {t.text for t in said}
            strength = Strength.RELATION
            if words & EXACT or token.text.startswith("Equal"):
                strength = Strength.VALUE
            elif token.text in PRESENT or token.text.startswith(("NoError", "NotNil", "True")):
                strength = Strength.PRESENCE
            arguments = [t for t in tokens[at + 2 : end - 1] if t.kind is not Kind.SIGN]
            if {t.text for t in arguments} <= {"t", "true", "s", "T"} and token.text != "Fail":
                continue
            given = tokens[at + 2 : end - 1]
            if is_same(given[2:] if [t.text for t in given[:1]] == ["t"] else given, COMMA):
                continue
            yield token, assertion(said, strength)


def _strength_of_if(condition: Tokens) -> Strength | None:
    """What a failure under a condition says; None where it can never come to it."""
    texts = {t.text for t in condition}
    if {"&&", "false"} <= texts:
        return None
    if "&&" in texts:
        return _strength_of_part(condition)
    # It fails for each part of `err != nil || got != 5`.
    ends = [at for at, one in enumerate(condition) if one.text == "||"]
    starts = [0, *(at + 1 for at in ends)]
    parts = [condition[a:b] for a, b in zip(starts, [*ends, len(condition)], strict=True)]
    return max(map(_strength_of_part, parts))


def _strength_of_part(condition: Tokens) -> Strength:
    texts = {t.text for t in condition}
    if "nil" in texts:
        return Strength.PRESENCE
    is_exact = not texts.isdisjoint({"!=", "DeepEqual", "Equal"}) or (
        # `if got == 5 {} else { t.Fatal() }` is not told from its opposite.
        "==" in texts and not any(t.kind is Kind.NUMBER for t in condition)
    )
    is_less = "&&" in texts or says_less([one.text for one in condition])
    return Strength.VALUE if is_exact and not is_less else Strength.RELATION


def _rust_assertions(tokens: Tokens) -> Iterator[tuple[Token, Assertion]]:
    for at, token in enumerate(tokens):
        if _is_asserting_function(tokens, at):
            yield from _said_by_function(tokens, at)
            continue
        if token.kind is not Kind.WORD or at + 2 >= len(tokens) or tokens[at + 1].text != "!":
            continue
        name = token.text.removeprefix("debug_").removeprefix("prop_")
        if not name.startswith("assert") and name not in {"panic", "unreachable"}:
            continue
        said = without_message(tokens[at : closing(tokens, at + 2) + 1], name)
        texts = {t.text for t in said}
        if name == "assert" and [t.text for t in said[3:4]] == ["true"]:
            continue
        if name == "assert" and is_always_true(said):
            continue
        if is_same(said[3:-1], COMPARED if name == "assert" else COMMA):
            continue
        strength = Strength.RELATION
        if name.startswith(("assert_eq", "assert_snapshot")) or (
            name == "assert" and "==" in texts
        ):
            strength = Strength.VALUE
        elif texts & {"is_some", "is_ok", "is_none", "is_err"}:
            strength = Strength.PRESENCE
        if says_less([t.text for t in said]):
            strength = min(strength, Strength.RELATION)
        if token.text.startswith("debug_"):
            # Compiled out where optimised.
            strength = min(strength, Strength.RELATION)
        yield token, assertion(said, strength)


def _is_asserting_function(tokens: Tokens, at: int) -> bool:
    """`itertools::assert_equal(…)`: a function of a known library that asserts. The product's own may do nothing."""
    is_call = at >= 2 and at + 1 < len(tokens) and tokens[at + 1].text == "("
    is_library = is_call and tokens[at - 1].text == "::" and tokens[at - 2].text in ASSERTING_CRATES
    return is_library and tokens[at].text.startswith("assert_")


def _said_by_function(tokens: Tokens, at: int) -> Iterator[tuple[Token, Assertion]]:
    said = tokens[at : closing(tokens, at + 1) + 1]
    if not is_same(said[2:-1], COMMA):
        is_exact = tokens[at].text.startswith(("assert_eq", "assert_same"))
        yield tokens[at], assertion(said, Strength.VALUE if is_exact else Strength.RELATION)


ASSERTING_CRATES = frozenset({"itertools", "similar_asserts", "assertor", "approx"})
_IN = {
    Language.JAVASCRIPT: javascript_assertions,
    Language.GO: _go_assertions,
    Language.RUST: _rust_assertions,
}
