"""What tests in Rust say is equal: an equality of the tests' own makes `assert_eq!` say what they like."""

from collections.abc import Iterator

from gates.test_guard.tokens import Tokens, closing


def equal_by_tests(path: str, tokens: Tokens) -> Iterator[tuple[str, int]]:
    """Types that get their equality in code that is there for tests, each with its line.

    A type of the tests' own may say what it equals, as long as it looks at the other one.
    """
    spans = [(0, len(tokens))] if "tests" in path.split("/") else list(modules_of_tests(tokens))
    for start, end in spans:
        own = {
            tokens[at + 1].text
            for at in range(start, end - 1)
            if tokens[at].text in {"struct", "enum"}
        }
        for at in range(start, end):
            if tokens[at].text == "impl":
                yield from _equality(tokens, at, own)


def modules_of_tests(tokens: Tokens) -> Iterator[tuple[int, int]]:
    """Where modules begin and end that are compiled under a condition, as those of tests are."""
    for at, token in enumerate(tokens[:-3]):
        before = {one.text for one in tokens[max(at - 10, 0) : at]}
        if token.text == "mod" and tokens[at + 2].text == "{" and "cfg" in before:
            yield at + 2, closing(tokens, at + 2)


def _equality(tokens: Tokens, at: int, own: set[str]) -> Iterator[tuple[str, int]]:
    brace = next((p for p in range(at, min(at + 60, len(tokens))) if tokens[p].text == "{"), None)
    head = [one.text for one in tokens[at : brace or at]]
    if brace is None or "PartialEq" not in head or "for" not in head:
        return
    of = next((word for word in head[head.index("for") + 1 :] if word.isidentifier()), "")
    inside = [one.text for one in tokens[brace : closing(tokens, brace)]]
    looks = inside.count("other") > 1 or inside.count("rhs") > 1
    if of not in own or not looks or {"true", "||"} & set(inside):
        yield f"PartialEq for {of}", tokens[at].line
