"""Tests in Go that catch a panic and say nothing of it, so that what stands behind it is never asked."""

from collections.abc import Iterable

from gates.test_guard.tokens import Kind, Tokens, closing

_SAYS_SO = frozenset(
    {"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow", "panic", "assert", "require"}
    | {"=", "<-", "append", "return"}
)


def recovers_in_silence(body: Tokens) -> bool:
    """`defer func() { recover() }()`, and one whose answer is only looked at, or logged."""
    opened: list[int] = []
    for at, token in enumerate(body):
        if token.kind is Kind.SIGN and token.text == "{":
            opened.append(at)
        elif token.kind is Kind.SIGN and token.text == "}":
            del opened[-1:]
        elif token.text == "recover" and [one.text for one in body[at + 1 : at + 3]] == ["(", ")"]:
            functions = [place for place in opened if _is_deferred(body, place)]
            if functions and not _says_so(body[functions[-1] : closing(body, functions[-1])]):
                return True
    return False


def named_recovers(functions: Iterable[tuple[str, Tokens]]) -> frozenset[str]:
    """Functions that catch a panic in silence where they are deferred."""
    return frozenset(
        name
        for name, body in functions
        if any(one.text == "recover" for one in body) and not _says_so(body)
    )


def defers_one_of(body: Tokens, names: frozenset[str]) -> bool:
    """`defer calm()`."""
    return any(
        a.text == "defer" and b.text in names and c.text == "("
        for a, b, c in zip(body, body[1:], body[2:], strict=False)
    )


def _is_deferred(body: Tokens, brace: int) -> bool:
    """`defer func() {`."""
    return [one.text for one in body[max(brace - 4, 0) : brace]] == ["defer", "func", "(", ")"]


def _says_so(inside: Tokens) -> bool:
    words = [one.text for one in inside]
    is_let_go = ("_", "=", "recover") in zip(words, words[1:], words[2:], strict=False)
    return not is_let_go and not _SAYS_SO.isdisjoint(words)
