"""Values in JavaScript without what a comma throws away, and without brackets around them."""

import itertools

from gates.test_guard.tokens import Kind, Tokens, closing


def last_of_sequences(tokens: Tokens) -> Tokens:
    """`((a, b))` as `((b))`: what stands before a comma outside of calls is thrown away."""
    if not any(a.text in _OPENS_A_VALUE and b.text == "(" for a, b in itertools.pairwise(tokens)):
        return tokens
    dead: set[int] = set()
    opened: list[tuple[int, bool]] = []
    for at, token in enumerate(tokens):
        text = token.text if token.kind is Kind.SIGN else ""
        if text in {"(", "[", "{"}:
            is_value = text == "(" and at > 0 and tokens[at - 1].text in _OPENS_A_VALUE
            is_value = is_value and not _has_arrow_behind(tokens, at)
            opened.append((at, is_value))
        elif text in {")", "]", "}"} and opened:
            opened.pop()
        elif text == "," and opened and opened[-1][1]:
            dead.update(range(opened[-1][0] + 1, at + 1))
    return tuple(one for at, one in enumerate(tokens) if at not in dead)


_OPENS_A_VALUE = frozenset(
    {"(", ",", "[", "!", "=", "+", "&&", "||", "??", "?", ":", "=>", "return"}
)


def _has_arrow_behind(tokens: Tokens, at: int) -> bool:
    end = closing(tokens, at)
    return end + 1 < len(tokens) and tokens[end + 1].text in {"=>", ":"}


def unwrapped(tokens: Tokens) -> Tokens:
    """`((5))` as `5`."""
    while len(tokens) > 2 and tokens[0].text == "(" and closing(tokens, 0) == len(tokens) - 1:
        tokens = tokens[1:-1]
    return tokens
