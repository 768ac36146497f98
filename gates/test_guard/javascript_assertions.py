"""What asserts in JavaScript and TypeScript, and how much it says."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from gates.test_guard.found_test import Assertion, Strength
from gates.test_guard.javascript_promises import is_promise_waited_for
from gates.test_guard.javascript_sequences import last_of_sequences, unwrapped
from gates.test_guard.lexed_strength import (
    COMMA,
    EXACT,
    PRESENT,
    assertion,
    is_always_true,
    is_same,
    outside_calls,
    says_less,
)
from gates.test_guard.messages import without_message
from gates.test_guard.tokens import Kind, Token, Tokens, closing, covered


def javascript_assertions(tokens: Tokens) -> Iterator[tuple[Token, Assertion]]:
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
            words = {one.text for one in (*said[1:4:2], tokens[opened - 1])}
            if words & _PROMISES and not is_promise_waited_for(tokens, at, end + len(said)):
                continue
            is_awaited = before == "await" and not words & _AT_ONCE
            if said:
                said = last_of_sequences(said)
                looked_at = last_of_sequences(tokens[opened:end])
                whole = (*without_message((token, *looked_at), "expect"), *said)
                for one in _said(whole, said):
                    yield token, replace(_of_itself(one, whole, values), is_awaited=is_awaited)
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


# What fails only where somebody waits for it.
_PROMISES = frozenset({"resolves", "rejects", "poll"})
# Matchers of jest, vitest and chai that fail at once; of others nobody knows.
_AT_ONCE = EXACT | frozenset(
    {"toBeTruthy", "toBeFalsy", "toBeDefined", "toBeUndefined", "toBeNull", "toBeNaN"}
    | {"toBeInstanceOf", "toBeGreaterThan", "toBeGreaterThanOrEqual", "toBeLessThan"}
    | {"toBeLessThanOrEqual", "toBeCloseTo", "toContain", "toContainEqual", "toHaveLength"}
    | {"toMatch", "toMatchObject", "toHaveProperty", "toThrow", "toThrowError", "to", "not"}
    | {"toHaveBeenCalled", "toHaveBeenCalledTimes", "toHaveBeenCalledWith", "toBeTypeOf"}
)


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
    words = {token.text for token in _outside_functions(matcher) if token.kind is Kind.WORD}
    named = set(outside_calls([token.text for token in matcher]))
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
    if is_always_true(whole) or _is_of_constants(whole) or _compares_with_itself(whole, matcher):
        return
    if _is_never_asked(matcher) or _has_same_arguments(whole) or _throws_its_own(whole):
        return
    strength = Strength.RELATION
    if "not" not in words and words & EXACT:
        strength = _said_of(whole, matcher)
    elif words & _THROWS and _arguments(matcher):
        strength = Strength.VALUE
    elif named & PRESENT:
        strength = Strength.PRESENCE
    elif whole[0].text == "assert" and whole[1].text == "(":
        texts = {t.text for t in whole}
        strength = Strength.VALUE if texts & {"===", "=="} else Strength.PRESENCE
    yield assertion(whole, strength)


def _outside_functions(tokens: Tokens) -> Iterator[Token]:
    """What stands in a function says nothing of what is called with it."""
    depth = 0
    left_at: int | None = None
    for token in tokens:
        text = token.text if token.kind is Kind.SIGN or token.text == "function" else ""
        depth -= text in {")", "]", "}"}
        if left_at is not None and (depth < left_at or (depth == left_at and text == ",")):
            left_at = None
        if left_at is None and text in {"=>", "function"}:
            left_at = depth
        if left_at is None:
            yield token
        depth += text in {"(", "[", "{"}


def in_ava(tokens: Tokens) -> bool:
    """Whether a file's tests are ava's, where `t.true(x)` takes nothing but `true`."""
    return any(
        one.text in {"from", "("} and other.text.strip("\"'") == "ava"
        for one, other in pairwise(tokens)
    )


def told_by_ava(one: Assertion) -> Assertion:
    """`t.is(x, true)` is `t.true(x)`."""
    words = one.text.split(" ")
    if words[:2] != ["is", "("] or words[-3] != "," or words[-2] not in {"true", "false"}:
        return one
    text = " ".join((words[-2], "(", *words[2:-3], ")"))
    return replace(one, text=text, strength=min(one.strength, Strength.RELATION))


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
    return is_plain and is_same(_arguments(whole), COMMA)


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
    if given[:2] == ["expect", "."]:
        # `expect.objectContaining({ … })`: the rest may be anything.
        is_nothing = given[-3:-1] in (["{", "}"], ["[", "]"]) or given[-2] in _ANY_TEXT
        return Strength.PRESENCE if is_nothing else Strength.RELATION
    if set(outside_calls(looked_at)) & _PICKS or (
        given in (["true"], ["false"]) and set(outside_calls(looked_at)) & _COMPARES
    ):
        return Strength.RELATION
    if not given and any(one.text == "toMatchInlineSnapshot" for one in matcher):
        # Whatever it is, the runner writes it there.
        return Strength.PRESENCE
    if not looked_at:
        # `assert.equal(a, b)`: what is looked at and what is given stand side by side.
        looked_at = given
    if "asymmetricMatch" in given or _is_of_function(looked_at, given):
        return Strength.PRESENCE
    if says_less(looked_at) or "toMatchSnapshot" in {one.text for one in matcher}:
        return Strength.RELATION
    if looked_at[:1] in (["typeof"], ["Boolean"]) or looked_at[:2] == ["!", "!"]:
        return Strength.PRESENCE
    return Strength.RELATION if looked_at[-2:] == [".", "length"] else Strength.VALUE


def _is_of_function(looked_at: Sequence[str], given: Sequence[str]) -> bool:
    """`expect(check.name).toBe("check")`, and that a function is nothing in JSON."""
    if given == ["undefined"]:
        return looked_at[:3] == ["JSON", ".", "stringify"]
    return looked_at[1:] == [".", "name"] and [one.strip("\"'`") for one in given] == looked_at[:1]


_CONSTANTS = frozenset({"true", "false", "null", "undefined"})


# What every text has in it.
_ANY_TEXT = frozenset({'""', "''", "``", "/.*/", "/(?:)/", "/./"})
_PICKS = frozenset({"?"})
_COMPARES = frozenset({"<", ">", "<=", ">=", "!=", "!==", "&&", "||", "instanceof", "in"})


def _is_of_constants(whole: Tokens) -> bool:
    """`expect(true).toBe(true)`: what is looked at is a constant."""
    if whole[0].text != "expect":
        return False
    looked_at = _looked_at(whole)
    return bool(looked_at) and all(
        t.kind in {Kind.NUMBER, Kind.STRING, Kind.SIGN} or t.text in _CONSTANTS for t in looked_at
    )
