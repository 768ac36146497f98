"""Objects and classes that a file in JavaScript gives a name, and the methods by which tests use them."""

from collections.abc import Container, Iterator

from gates.test_guard.tokens import Brackets, Kind, Tokens

_BEFORE_A_NAME = frozenset({"const", "let", "var"})
_OF_A_METHOD = frozenset({"async", "static", "get", "set", "*", "public", "private", "protected"})
_NO_METHODS = frozenset({"constructor", "if", "for", "while", "switch", "catch", "function"})
# How far a type or the head of a class is read.
_TYPE_TOKENS_MAX = 20
# So many names of one class are followed.
_NAMES_MAX = 10


def methods(tokens: Tokens) -> Iterator[tuple[str, Tokens]]:
    """`shop.check` of `const shop = { check() { … } }`, and of a class for each name that gets a new one."""
    brackets = Brackets.of(tokens)
    made = _made(tokens)
    for name, opened in _objects(tokens, brackets):
        for member, start, end in _members(tokens, brackets, opened):
            for owner in ("this", name, *made.get(name, ())[:_NAMES_MAX]):
                yield f"{owner}.{member}", tokens[start:end]


def objects(tokens: Tokens) -> Iterator[tuple[str, Tokens]]:
    """The whole of each by its name."""
    brackets = Brackets.of(tokens)
    for name, opened in _objects(tokens, brackets):
        yield name, tokens[opened : brackets.ends[opened] + 1]


def called_name(tokens: Tokens, at: int, known: Container[str]) -> str:
    """`shop.check` where `check` stands behind `shop.`, if that is known; else `check`."""
    name = "".join(one.text for one in tokens[max(at - 2, 0) : at + 1])
    return name if name in known else tokens[at].text


def _made(tokens: Tokens) -> dict[str, list[str]]:
    """For each class the names that are given a new one of it: `const shop = new Shop(…)`."""
    found: dict[str, list[str]] = {}
    for at, token in enumerate(tokens[:-2]):
        if token.text == "=" and tokens[at + 1].text == "new" and at:
            found.setdefault(tokens[at + 2].text, []).append(tokens[at - 1].text)
    return found


def _objects(tokens: Tokens, brackets: Brackets) -> Iterator[tuple[str, int]]:
    for at, token in enumerate(tokens[:-3]):
        if token.text in _BEFORE_A_NAME and tokens[at + 1].kind is Kind.WORD:
            near = range(at + 2, min(at + _TYPE_TOKENS_MAX, len(tokens) - 1))
            sign = next((p for p in near if tokens[p].text in {"=", ";", "("}), at)
            if tokens[sign].text == "=" and tokens[sign + 1].text == "{":
                yield tokens[at + 1].text, sign + 1
        elif token.text == "class" and tokens[at + 1].kind is Kind.WORD:
            near = range(at + 2, min(at + _TYPE_TOKENS_MAX, len(tokens)))
            opened = next((p for p in near if tokens[p].text in {"{", ";"}), at)
            if tokens[opened].text == "{" and brackets.ends[opened] < len(tokens):
                yield tokens[at + 1].text, opened


def _members(tokens: Tokens, brackets: Brackets, opened: int) -> Iterator[tuple[str, int, int]]:
    """Each method with where its body begins, and the place behind it."""
    place, close = opened + 1, min(brackets.ends[opened], len(tokens) - 1)
    while place < close:
        token, after = tokens[place], tokens[place + 1].text
        body = None
        if token.kind is Kind.WORD and token.text not in _NO_METHODS | _OF_A_METHOD:
            if after == "(":
                body = _block_behind(tokens, brackets.ends[place + 1], close)
            elif after in {":", "="}:
                body = _function_at(tokens, brackets, place + 2, close)
        if body is not None:
            end = _end_of(tokens, brackets, body, close)
            yield token.text, body, end
            place = end
        elif token.kind is Kind.SIGN and token.text in {"(", "[", "{"}:
            place = brackets.ends[place] + 1
        else:
            place += 1


def _function_at(tokens: Tokens, brackets: Brackets, at: int, close: int) -> int | None:
    """Where the body begins of a function that is a value here."""
    at += at < close and tokens[at].text == "async"
    if at < close and tokens[at].text == "function":
        near = range(at + 1, min(at + 3, close))
        opened = next((p for p in near if tokens[p].text == "("), None)
        return _block_behind(tokens, brackets.ends[opened], close) if opened is not None else None
    if at + 1 >= close or (tokens[at].text != "(" and tokens[at + 1].text != "=>"):
        return None
    end = brackets.ends[at] if tokens[at].text == "(" else at
    near = range(end + 1, min(end + _TYPE_TOKENS_MAX, close))
    sign = next((p for p in near if tokens[p].text in {"=>", ",", ";"}), None)
    return sign + 1 if sign is not None and tokens[sign].text == "=>" else None


def _block_behind(tokens: Tokens, end: int, close: int) -> int | None:
    """Where the block begins behind parameters and their type."""
    near = range(end + 1, min(end + _TYPE_TOKENS_MAX, close))
    found = next((p for p in near if tokens[p].text in {"{", ",", ";"}), None)
    return found if found is not None and tokens[found].text == "{" else None


def _end_of(tokens: Tokens, brackets: Brackets, body: int, close: int) -> int:
    """The place behind a block, or behind a value."""
    if tokens[body].text == "{":
        return min(brackets.ends[body] + 1, close)
    place = body
    while place < close and tokens[place].text not in {",", ";"}:
        is_open = tokens[place].kind is Kind.SIGN and tokens[place].text in {"(", "[", "{"}
        place = brackets.ends[place] + 1 if is_open else place + 1
    return min(place, close)
