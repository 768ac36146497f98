"""Macros of a file in Rust that throw away what they are given: an assertion that a test gives to one is never asked."""

from collections.abc import Iterator

from gates.test_guard.lexed_blocks import living
from gates.test_guard.tokens import Language, Tokens, closing

_CODE = frozenset({"expr", "tt", "block", "stmt"})


def macros(tokens: Tokens) -> Iterator[tuple[str, Tokens]]:
    """Each by its name, with its arms; what an arm makes is none of the file's."""
    at = 0
    while at + 3 < len(tokens):
        if tokens[at].text != "macro_rules" or tokens[at + 1].text != "!":
            at += 1
            continue
        end = closing(tokens, at + 3) + 1
        yield tokens[at + 2].text, tokens[at + 3 : end]
        at = end


def throwing_away(tokens: Tokens) -> frozenset[str]:
    """The macros of which an arm takes code and does not run it."""
    return frozenset(
        name
        for name, body in macros(tokens)
        if any(_takes(head) and not _takes(head) & _runs(body) for head, body in _arms(body))
    )


def gives_away(body: Tokens, names: frozenset[str]) -> bool:
    """Whether an assertion in a test stands in what one of these macros is given."""
    at = 0
    while at + 2 < len(body):
        if body[at].text not in names or body[at + 1].text != "!":
            at += 1
            continue
        end = closing(body, at + 2)
        if any(one.text.startswith("assert") for one in body[at + 2 : end]):
            return True
        at = end
    return False


def _arms(body: Tokens) -> Iterator[tuple[Tokens, Tokens]]:
    at = 1
    while at + 1 < len(body):
        end = closing(body, at)
        if end + 2 >= len(body) or body[end + 1].text != "=>":
            return
        last = closing(body, end + 2)
        yield body[at:end], body[end + 2 : last + 1]
        at = last + 1 + (body[last + 1].text == ";" if last + 1 < len(body) else 0)


def _takes(head: Tokens) -> frozenset[str]:
    three = zip(head, head[1:], head[2:], strict=False)
    return frozenset(
        a.text for a, b, c in three if a.text[:1] == "$" and b.text == ":" and c.text in _CODE
    )


def _runs(body: Tokens) -> frozenset[str]:
    return frozenset(one.text for one in living(body, Language.RUST))
