"""Whether somebody waits for a promise in JavaScript: what fails in one that nobody waits for fails no test."""

from gates.test_guard.tokens import Kind, Tokens

_WAITS = frozenset({"await", "return", "=>", "yield"})
_CLOSES = {"(": ")", "[": "]", "{": "}"}
# So far is it looked for what a promise is a part of.
_TOKENS_MAX = 400


def is_promise_waited_for(tokens: Tokens, start: int, end: int) -> bool:
    """Whether what stands from one place to another is waited for, returned, or a part of something that may be."""
    before = tokens[start - 1] if start else None
    match before.text if before else "":
        case "=":
            return _is_asked_for(tokens, tokens[start - 2].text, end)
        case "(" | "[" | ",":
            return _is_part(tokens, start - 1)
        case word:
            return word in _WAITS


def _is_asked_for(tokens: Tokens, name: str, end: int) -> bool:
    """Whether what has got a name is more than a name behind that."""
    return any(
        one.text == name and tokens[at - 1].text in {*_WAITS, "(", "[", ",", "..."}
        for at, one in enumerate(tokens[end : end + _TOKENS_MAX], end)
    )


def _is_part(tokens: Tokens, at: int) -> bool:
    """Whether the bracket around a place is that of a call, or of a list that is waited for."""
    depth = 0
    for place in range(at, max(at - _TOKENS_MAX, -1), -1):
        token = tokens[place]
        text = token.text if token.kind is Kind.SIGN else ""
        depth += (text in _CLOSES.values()) - (text in _CLOSES)
        if depth < 0:
            is_call = text == "(" and place > 0 and _is_called(tokens, place)
            return text != "{" and (is_call or is_promise_waited_for(tokens, place, at))
        if depth == 0 and text == ";":
            return False
    return False


def _is_called(tokens: Tokens, at: int) -> bool:
    before = tokens[at - 1]
    return before.text in {")", "]", ">"} or (
        before.kind is Kind.WORD and before.text not in {*_WAITS, "void", "typeof"}
    )
