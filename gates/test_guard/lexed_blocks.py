"""Which part of a test's tokens counts: what can be reached, and whose failure is not caught."""

from gates.test_guard.tokens import Kind, Language, Tokens, closing


def living(body: Tokens, language: Language) -> Tokens:
    """The tokens that can be reached, without blocks whose failures are caught."""
    dead: set[int] = set()
    brace = next((at for at, token in enumerate(body) if token.text == "{"), None)
    depth = 0
    for at, token in enumerate(body):
        if token.kind is Kind.SIGN and token.text in "([{":
            depth += 1
        elif token.kind is Kind.SIGN and token.text in ")]}":
            depth -= 1
        elif token.text == "if" and _is_never(body, at):
            start = next((p for p in range(at, len(body)) if body[p].text == "{"), at)
            dead.update(range(at, closing(body, start)))
        elif token.text == "try" and _is_swallowed(body, at):
            dead.update(range(at, closing(body, at + 1)))
        elif token.text == "return" and brace is not None and _is_bare(body, at):
            own = _depth_at(body, brace) + 1
            if depth == own:
                dead.update(range(at, closing(body, brace)))
    return [token for at, token in enumerate(body) if at not in dead]


def skips(body: Tokens, language: Language) -> bool:
    """Whether the test skips itself before it does anything else."""
    if language is Language.RUST:
        return False
    skips = {"Skip", "Skipf", "SkipNow"} if language is Language.GO else {"skip", "pending"}
    depth = 0
    for at, token in enumerate(body):
        if token.text == "{":
            depth += 1
        elif token.text == "}":
            depth -= 1
        elif (
            depth <= 1
            and token.text in skips
            and at + 1 < len(body)
            and body[at + 1].text == "("
            and body[at - 1].text == "."
        ):
            return True
    return False


def _depth_at(body: Tokens, at: int) -> int:
    opened = sum(t.kind is Kind.SIGN and t.text in "([{" for t in body[:at])
    return opened - sum(t.kind is Kind.SIGN and t.text in ")]}" for t in body[:at])


def _is_never(body: Tokens, at: int) -> bool:
    words = [token.text for token in body[at + 1 : at + 5] if token.text not in "()"]
    return words[:2] == ["false", "{"] or (words[:1] == ["false"] and "{" in words[:2])


def _is_bare(body: Tokens, at: int) -> bool:
    after = body[at + 1] if at + 1 < len(body) else None
    return after is not None and (after.text in ";}" or after.line > body[at].line)


def _is_swallowed(body: Tokens, at: int) -> bool:
    """`try {…} catch {…}` where the `catch` lets no failure through."""
    if at + 1 >= len(body) or body[at + 1].text != "{":
        return False
    end = closing(body, at + 1)
    if end + 1 >= len(body) or body[end + 1].text != "catch":
        return False
    brace = next((p for p in range(end, len(body)) if body[p].text == "{"), end)
    words = {token.text for token in body[brace : closing(body, brace)]}
    return not words & {"throw", "expect", "assert", "fail", "done", "reject", "t"}
