"""Statements in JavaScript, Go and Rust: where one ends, and what of a block stands behind one that leaves it."""

from collections.abc import Iterator

from gates.test_guard.tokens import Brackets, Kind, Language, Tokens, closing

_LEAVES = frozenset({"return", "break", "continue"})
# A line that begins or ends with one of these goes on with a statement.
_OPERATORS = frozenset({"&&", "||", "??", "?", ":", "+", "=", "==", "===", "!=", "!==", "|"})
_BEGINS_WITH = _OPERATORS | {".", "?.", ")"}
_ENDS_WITH = _OPERATORS | {",", "-", "=>", ":="}
# Words in front of brackets or of a statement that runs under a condition only.
_OF_A_CONDITION = frozenset({"if", "for", "while", "with"})
_ONE_WAY = frozenset({"else", "do", "=>"})
# What has a name in all of its block, wherever it stands there.
_EVERYWHERE = {
    Language.JAVASCRIPT: frozenset({"function"}),
    Language.GO: frozenset[str](),
    Language.RUST: frozenset({"fn"}),
}


def ends_statement(body: Tokens, at: int) -> int:
    """Where a statement ends that begins here: its semicolon, or the last token before a line that begins outside of its brackets."""
    place = at
    while place < len(body):
        text = body[place].text
        if text in {"(", "[", "{"} and body[place].kind is Kind.SIGN:
            place = closing(body, place)
        elif text in {";", ")", "]", "}"} and body[place].kind is Kind.SIGN:
            return place
        following = body[place + 1] if place + 1 < len(body) else None
        if following is None:
            break
        if following.line > _last_line(body, place) and following.text not in {".", "?.", ")"}:
            return place + 1
        place += 1
    return len(body)


def _last_line(body: Tokens, at: int) -> int:
    return body[at].line + body[at].text.count("\n")


def begins_statement(body: Tokens, at: int, brackets: Brackets) -> bool:
    """Whether a statement begins here that runs wherever its block does."""
    before = body[at - 1] if at else None
    if before is None or before.text in {";", "{", "}", ":"}:
        return True
    if before.line == body[at].line or before.text in _ONE_WAY | _ENDS_WITH:
        return False
    opened = brackets.begins[at - 1] if before.text == ")" else 0
    return not opened or body[opened - 1].text not in _OF_A_CONDITION


def behind_leaving(
    body: Tokens, brackets: Brackets, language: Language
) -> Iterator[tuple[int, int]]:
    """What follows a `return`, a `break` or a `continue` in its block, or in its case."""
    reached = 0
    for at, token in enumerate(body):
        if at < reached or token.text not in _LEAVES or token.kind is not Kind.WORD:
            continue
        block = brackets.outer[at]
        if block < 0 or body[block].text != "{" or not begins_statement(body, at, brackets):
            continue
        end = brackets.ends[block]
        start = place = _end_of_leaving(body, at, end, brackets, language)
        while place < end:
            text = body[place].text
            if text in {"case", "default"}:
                break
            if text in _EVERYWHERE[language]:
                yield start, place
                while place < end and body[place].text != "{":
                    place += 1
                start = place = min(brackets.ends[place] + 1, end)
                continue
            place = brackets.ends[place] + 1 if text in {"(", "[", "{"} else place + 1
        reached = min(place, end)
        yield start, reached


def _end_of_leaving(body: Tokens, at: int, end: int, brackets: Brackets, language: Language) -> int:
    place = at + 1
    while place < end:
        token, before = body[place], body[place - 1]
        if token.text == ";":
            return place
        is_next_line = token.line > _last_line(body, place - 1) and language is not Language.RUST
        goes_on = token.text in _BEGINS_WITH or before.text in _ENDS_WITH
        if is_next_line and (before.text == "return" or not goes_on):
            return place
        is_open = token.kind is Kind.SIGN and token.text in {"(", "[", "{"}
        place = brackets.ends[place] + 1 if is_open else place + 1
    return end
