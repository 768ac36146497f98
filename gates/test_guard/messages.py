"""What an assertion asks, without the message that its call has for people: that may say anything, and compute it."""

from gates.test_guard.tokens import Kind, Tokens

# How many arguments are asked about; a call that is not named here has no message that we know of.
_ASKED = {
    "assert": 1,
    "assert_eq": 2,
    "assert_ne": 2,
    "assert_matches": 2,
    "expect": 1,
    "ok": 1,
    "equal": 2,
    "notEqual": 2,
    "strictEqual": 2,
    "notStrictEqual": 2,
    "deepEqual": 2,
    "notDeepEqual": 2,
    "deepStrictEqual": 2,
    "notDeepStrictEqual": 2,
}


def without_message(call: Tokens, name: str) -> Tokens:
    """`assert_eq!(a, b, "{}", a % b)` as `assert_eq!(a, b)`; `name` is what is called."""
    opened = next((at for at, one in enumerate(call) if one.text == "("), len(call))
    asked = _arguments(call[opened + 1 : -1], _ASKED.get(name, 0))
    return (*call[: opened + 1], *asked, call[-1]) if asked else call


def _arguments(inside: Tokens, count: int) -> Tokens:
    """So many of the arguments that stand in a call's brackets, from the first on."""
    depth = 0
    for at, token in enumerate(inside):
        text = token.text if token.kind is Kind.SIGN else ""
        depth += (text in {"(", "[", "{"}) - (text in {")", "]", "}"})
        count -= depth == 0 and text == ","
        if count == 0:
            return inside[:at]
    return inside if count == 1 else ()
