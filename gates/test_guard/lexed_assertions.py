"""What asserts in JavaScript, TypeScript, Go and Rust, and how much it says."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from gates.test_guard.found_test import Assertion, Strength
from gates.test_guard.go_suites import tells_another
from gates.test_guard.javascript_sequences import last_of_sequences, unwrapped
from gates.test_guard.lexed_conditions import NO_CONDITIONS, Conditions, if_conditions
from gates.test_guard.messages import without_message
from gates.test_guard.tokens import Kind, Language, Token, Tokens, closing, covered

_EXACT = frozenset(
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
_PRESENT = frozenset(
    {"toBeTruthy", "toBeFalsy", "toBeDefined", "toBeInstanceOf", "ok", "exist"}
    | {"NotNil", "NotEmpty", "truthy", "toBeTypeOf", "isDefined"}
)


def assertions(
    tokens: Tokens, language: Language, under: Conditions = NO_CONDITIONS
) -> Iterator[Assertion]:
    for token, found in _IN[language](tokens):
        # In Go the condition around it is a part of what it asserts.
        is_own = language is Language.GO and token.text in _GO_FAILS
        may_not_run = under.beyond_own(token.start) if is_own else under.over(token.start)
        yield replace(found, is_conditional=True) if may_not_run else found


def _javascript_assertions(tokens: Tokens) -> Iterator[tuple[Token, Assertion]]:
    values = _values(tokens)
    is_caught = covered(len(tokens), _expected_to_throw(tokens))
    for at, token in enumerate(tokens):
        if token.kind is not Kind.WORD or at + 1 >= len(tokens) or is_caught[at]:
            continue
        before = tokens[at - 1].text if at else ""
        after = tokens[at + 1].text
        if token.text == "expect" and after in "(." and before != ".":
            # `expect.soft(…)` and `expect.poll(…)` look at something as `expect(…)` does.
            opened = at + 1 if after == "(" else at + 3
            if opened >= len(tokens) or tokens[opened].text != "(":
                continue
            end = closing(tokens, opened) + 1
            said = _chain(tokens, end)
            is_waited_for = before in {"await", "return", "=>", "(", "[", ",", "void"}
            if {one.text for one in said} & {"resolves", "rejects"} and not is_waited_for:
                continue
            if said:
                said = last_of_sequences(said)
                looked_at = last_of_sequences(tokens[opened:end])
                whole = (*without_message((token, *looked_at), "expect"), *said)
                yield from ((token, _of_itself(one, whole, values)) for one in _said(whole, said))
        elif token.text == "assert" and after in "(." and before != ".":
            said = (
                _chain(tokens, at + 1)
                if after == "."
                else tokens[at + 1 : closing(tokens, at + 1) + 1]
            )
            name = tokens[at + 2].text if after == "." else "assert"
            whole = tuple(without_message((token, *last_of_sequences(said)), name))
            yield from ((token, one) for one in _said(whole, whole))
        elif before == "." and tokens[at - 2].text == "t" and after == "(" and token.text in _TAP:
            said = tokens[at : closing(tokens, at + 1) + 1]
            yield from ((token, one) for one in _said(said, said))
        elif token.text == "should" and before == ".":
            said = _chain(tokens, at + 1)
            whole = (*tokens[max(at - 4, 0) : at + 1], *said)
            yield from ((token, one) for one in _said(whole, said))


def _values(tokens: Tokens) -> dict[str, list[str]]:
    """What names are given, each up to the end of its statement."""
    found: dict[str, list[str]] = {}
    for at, token in enumerate(tokens[:-2]):
        if token.text in {"const", "let", "var"} and tokens[at + 2].text == "=":
            texts = [one.text for one in tokens[at + 3 : at + 3 + _VALUE_TOKENS_MAX]]
            found[tokens[at + 1].text] = texts[: texts.index(";")] if ";" in texts else texts
    return found


_VALUE_TOKENS_MAX = 30


def _of_itself(one: Assertion, whole: Tokens, values: Mapping[str, list[str]]) -> Assertion:
    """`const wanted = price(1); expect(price(1)).toBe(wanted)` says that it is the same, and not what."""
    looked_at = [t.text for t in _looked_at(whole)]
    given = whole[-2].text if len(whole) > 2 else ""
    wanted = values.get(given)
    return replace(one, strength=Strength.RELATION) if looked_at == wanted else one


def _expected_to_throw(tokens: Tokens) -> Iterator[tuple[int, int]]:
    """Functions that must throw: an assertion in one of them passes where it fails."""
    for at, token in enumerate(tokens[:-1]):
        if token.text not in _MAY_EXPECT_ONE or tokens[at + 1].text != "(":
            continue
        end = closing(tokens, at + 1)
        inside = {one.text for one in tokens[at + 2 : end]}
        if not {"=>", "function"} & inside:
            continue
        said = {one.text for one in _chain(tokens, end + 1)} if token.text == "expect" else set()
        is_throwing = bool(said & (_THROWS | {"rejects"})) and "not" not in said
        if token.text != "expect" or is_throwing:
            yield at + 2, end


_MAY_EXPECT_ONE = frozenset({"expect", "throws", "rejects", "throwsAsync"})


_TAP = frozenset(
    [
        "is",
        "not",
        "deepEqual",
        "like",
        "truthy",
        "falsy",
        "true",
        "false",
        "regex",
        "notRegex",
        "throws",
        "throwsAsync",
        "notThrows",
        "fail",
        "assert",
        "equal",
        "same",
        "notEqual",
        "notSame",
        "ok",
        "notOk",
        "match",
        "rejects",
        "resolves",
        "snapshot",
        "strictEqual",
        "deepStrictEqual",
    ]
)


def _chain(tokens: Tokens, at: int) -> Tokens:
    """`.not.toBe(3)`: a chain of names and calls from a dot on."""
    start = at
    while at + 1 < len(tokens) and tokens[at].text in {".", "?."}:
        at += 2
        while at < len(tokens) and tokens[at].text == "(":
            at = closing(tokens, at) + 1
    return tokens[start:at]


def _said(whole: Tokens, matcher: Tokens) -> Iterator[Assertion]:
    words = {token.text for token in matcher if token.kind is Kind.WORD}
    inside = [t for t in whole if t.text not in {"expect", "assert", "(", ")", ".", ","}]
    values = [
        t for t in inside if t.kind is not Kind.SIGN and t.text not in words - {"true", "false"}
    ]
    names = {t.text for t in values}
    if (
        whole[0].text == "assert"
        and names <= {"true"}
        and not any(t.text == "." for t in whole[:2])
    ):
        return
    if _is_always_true(whole) or _is_of_constants(whole) or _compares_with_itself(whole, matcher):
        return
    if _is_never_asked(matcher) or _has_same_arguments(whole) or _throws_its_own(whole):
        return
    strength = Strength.RELATION
    if "not" not in words and words & _EXACT:
        strength = _said_of(whole, matcher)
    elif words & _THROWS and _arguments(matcher):
        strength = Strength.VALUE
    elif words & _PRESENT:
        strength = Strength.PRESENCE
    elif whole[0].text == "assert" and whole[1].text == "(":
        texts = {t.text for t in whole}
        strength = Strength.VALUE if texts & {"===", "=="} else Strength.PRESENCE
    yield _assertion(whole, strength, _tolerance(matcher))


def _is_always_true(whole: Tokens) -> bool:
    """`a === b || true`."""
    texts = [one.text for one in whole]
    pairs = set(itertools.pairwise(texts))
    return ("||", "true") in pairs or ("true", "||") in pairs


def _is_never_asked(matcher: Tokens) -> bool:
    """`expect(a).toBe;`: the matcher is not called."""
    last = matcher[-1].text if matcher else ""
    return last[:2] == "to" and last[2:3].isupper()


def _throws_its_own(whole: Tokens) -> bool:
    """`assert.throws(() => { assert… })`: what throws is an assertion of the test."""
    words = [one.text for one in whole]
    return bool({"throws", "rejects"} & set(words[1:3])) and bool(
        {"assert", "expect"} & set(words[1:])
    )


def _has_same_arguments(whole: Tokens) -> bool:
    """`assert.equal(a(), a())` and `t.is(a(), a())`."""
    is_plain = whole[0].text == "assert" or whole[0].text in _TAP
    return is_plain and _is_same(_arguments(whole), _COMMA)


_THROWS = frozenset({"toThrow", "toThrowError", "throws", "throwsAsync", "throw"})


def _arguments(matcher: Tokens) -> Tokens:
    """What stands in the last call of a chain."""
    opened = next((at for at, one in enumerate(matcher) if one.text == "("), len(matcher))
    return unwrapped(matcher[opened + 1 : -1])


def _looked_at(whole: Tokens) -> Tokens:
    is_call = len(whole) > 1 and whole[1].text == "("
    return unwrapped(whole[2 : closing(whole, 1)]) if is_call else ()


def _compares_with_itself(whole: Tokens, matcher: Tokens) -> bool:
    """`expect(a()).toBe(a())`, and `expect(() => { throw … })`, which is of the test's own making."""
    looked_at = [one.text for one in _looked_at(whole)]
    given = [one.text for one in _arguments(matcher)]
    throws = looked_at[-4:-1] and "=>" in looked_at and looked_at[looked_at.index("=>") :][1:3]
    is_throwing = throws == ["{", "throw"]
    return bool(looked_at) and (is_throwing or (looked_at == given and whole is not matcher))


def _said_of(whole: Tokens, matcher: Tokens) -> Strength:
    """What being equal says: of a type, a truth or a length it says less."""
    looked_at = [one.text for one in _looked_at(whole)]
    given = [one.text for one in _arguments(matcher)]
    if given[:1] == ["expect"] and {"anything", "any"} & set(given[:3]):
        return Strength.PRESENCE
    if not given and any(one.text == "toMatchInlineSnapshot" for one in matcher):
        # Whatever it is, the runner writes it there.
        return Strength.PRESENCE
    if not looked_at:
        # `assert.equal(a, b)`: what is looked at and what is given stand side by side.
        looked_at = given
    if "asymmetricMatch" in given:
        return Strength.PRESENCE
    if _says_less(looked_at) or "toMatchSnapshot" in {one.text for one in matcher}:
        return Strength.RELATION
    if looked_at[:1] in (["typeof"], ["Boolean"]) or looked_at[:2] == ["!", "!"]:
        return Strength.PRESENCE
    return Strength.RELATION if looked_at[-2:] == [".", "length"] else Strength.VALUE


def _says_less(texts: Sequence[str]) -> bool:
    """`a || 5`, `Math.max(a, 5)`, `a % 5`, `a * 0`: the same for many values."""
    texts = list(_outside_calls(texts))
    pairs = set(itertools.pairwise(texts))
    return bool(
        not {"||", "??", "%"}.isdisjoint(texts)
        or {("*", "0"), ("0", "*"), ("max", "("), ("min", "(")} & pairs
    )


def _outside_calls(texts: Sequence[str]) -> Iterator[str]:
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


def _tolerance(matcher: Tokens) -> float | None:
    """How far off `toBeCloseTo(value, digits)` lets a number be."""
    if not any(one.text == "toBeCloseTo" for one in matcher):
        return None
    given = "".join(one.text for one in _arguments(matcher)).rpartition(",")
    try:
        digits = int(given[2]) if given[1] else 2
    except ValueError:
        return None
    return 10.0 ** -max(-300, min(digits, 300))


_CONSTANTS = frozenset({"true", "false", "null", "undefined"})


def _is_of_constants(whole: Tokens) -> bool:
    """`expect(true).toBe(true)`: what is looked at is a constant."""
    if whole[0].text != "expect":
        return False
    looked_at = _looked_at(whole)
    return bool(looked_at) and all(
        t.kind in {Kind.NUMBER, Kind.STRING} or t.text in _CONSTANTS for t in looked_at
    )


def _assertion(whole: Tokens, strength: Strength, tolerance: float | None = None) -> Assertion:
    atoms = frozenset(
        t.text.strip("\"'`")
        for t in whole
        if t.kind is not Kind.SIGN
        and t.text not in _EXACT
        and t.text not in {"expect", "assert", "to", "be", "not", "require", "t", "if", "true"}
    )
    return Assertion(" ".join(token.text for token in whole), atoms, strength, tolerance)


def _is_same(tokens: Tokens, signs: frozenset[str]) -> bool:
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


_COMPARED = frozenset({"!=", "==", "<", ">"})
_COMMA = frozenset({","})


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
            if not _is_same(after, _COMPARED) and (strength := _strength_of_if(condition)):
                yield token, _assertion((*condition, *tokens[at - 2 : at + 1]), strength)
        elif receiver in _GO_CHECKS and token.text[:1].isupper():
            said = tokens[at - 2 : end]
            if receiver in {"assert", "require"} and tells_another(tokens[at + 2 : end - 1]):
                continue
            words = {t.text for t in said}
            strength = Strength.RELATION
            if words & _EXACT or token.text.startswith("Equal"):
                strength = Strength.VALUE
            elif token.text in _PRESENT or token.text.startswith(("NoError", "NotNil", "True")):
                strength = Strength.PRESENCE
            arguments = [t for t in tokens[at + 2 : end - 1] if t.kind is not Kind.SIGN]
            if {t.text for t in arguments} <= {"t", "true", "s", "T"} and token.text != "Fail":
                continue
            given = tokens[at + 2 : end - 1]
            if _is_same(given[2:] if [t.text for t in given[:1]] == ["t"] else given, _COMMA):
                continue
            yield token, _assertion(said, strength)


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
    says_less = "&&" in texts or _says_less([one.text for one in condition])
    return Strength.VALUE if is_exact and not says_less else Strength.RELATION


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
        if name == "assert" and _is_always_true(said):
            continue
        if _is_same(said[3:-1], _COMPARED if name == "assert" else _COMMA):
            continue
        strength = Strength.RELATION
        if name.startswith(("assert_eq", "assert_snapshot")) or (
            name == "assert" and "==" in texts
        ):
            strength = Strength.VALUE
        elif texts & {"is_some", "is_ok", "is_none", "is_err"}:
            strength = Strength.PRESENCE
        if _says_less([t.text for t in said]):
            strength = min(strength, Strength.RELATION)
        if token.text.startswith("debug_"):
            # Compiled out where optimised.
            strength = min(strength, Strength.RELATION)
        yield token, _assertion(said, strength)


def _is_asserting_function(tokens: Tokens, at: int) -> bool:
    """`itertools::assert_equal(…)`: a function of a known library that asserts. The product's own may do nothing."""
    is_call = at >= 2 and at + 1 < len(tokens) and tokens[at + 1].text == "("
    is_library = is_call and tokens[at - 1].text == "::" and tokens[at - 2].text in ASSERTING_CRATES
    return is_library and tokens[at].text.startswith("assert_")


def _said_by_function(tokens: Tokens, at: int) -> Iterator[tuple[Token, Assertion]]:
    said = tokens[at : closing(tokens, at + 1) + 1]
    if not _is_same(said[2:-1], _COMMA):
        is_exact = tokens[at].text.startswith(("assert_eq", "assert_same"))
        yield tokens[at], _assertion(said, Strength.VALUE if is_exact else Strength.RELATION)


ASSERTING_CRATES = frozenset({"itertools", "similar_asserts", "assertor", "approx"})
_IN = {
    Language.JAVASCRIPT: _javascript_assertions,
    Language.GO: _go_assertions,
    Language.RUST: _rust_assertions,
}
