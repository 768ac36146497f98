"""JavaScript, TypeScript, Go and Rust as tokens: enough to find tests and what they assert.

Comments and white space are left out; strings and regular expressions are one token each, so that a
bracket or a word in them is never taken for code.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate


class Language(StrEnum):
    JAVASCRIPT = "javascript"
    GO = "go"
    RUST = "rust"


class Kind(StrEnum):
    WORD = "word"
    NUMBER = "number"
    STRING = "string"
    SIGN = "sign"


@dataclass(frozen=True, slots=True)
class Token:
    """`start` and `end` are places in the source; lines count from 1."""

    kind: Kind
    text: str
    line: int
    start: int
    end: int


Tokens = Sequence[Token]

_SPACE = re.compile(r"[\s\ufeff]+")
_WORD = re.compile(r"[^\W\d][\w$]*|\$[\w$]*|#!?(?=\[)")
_NUMBER = re.compile(r"\d[\w.]*")
_QUOTED = {
    '"': re.compile(r'"(?:\\.|[^"\\\n])*"?', re.DOTALL),
    "'": re.compile(r"'(?:\\.|[^'\\\n])*'?", re.DOTALL),
    "`": re.compile(r"`[^`]*`?"),
}
_RUST_STRING = re.compile(r'"(?:\\.|[^"\\])*"?', re.DOTALL)
# What is never closed is tried once, and goes to the end.
_RUST_RAW = re.compile(r'b?c?r(#*)"(?:.*?"\1(?!#)|.*)', re.DOTALL)
_RUST_CHARACTER = re.compile(r"b?'(?:\\(?:u\{[^}\n]{0,16}\}|x..|.)|[^\\'\n])'")
_RUST_LIFETIME = re.compile(r"'\w+")
_REGEX = re.compile(r"/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n]){0,1000}+\]|[^/\\\n\[]){1,2000}+/[a-z]*")
_COMMENT_MARK = re.compile(r"/\*|\*/")
_SIGNS = re.compile(r"=>|===|!==|==|!=|<=|>=|&&|\|\||\?\?|\?\.|:=|\.\.\.|::|->|.", re.DOTALL)
# After these a slash begins a regular expression, not a division.
_BEFORE_A_REGEX = frozenset(
    [
        "(",
        "[",
        "{",
        "}",
        ",",
        ";",
        "=",
        ":",
        "?",
        "!",
        "&",
        "|",
        "+",
        "-",
        "*",
        "%",
        "<",
        ">",
        "~",
        "^",
        "=>",
        "===",
        "!==",
        "==",
        "!=",
        "&&",
        "||",
        "??",
    ]
)
_WORDS_BEFORE_A_REGEX = frozenset(
    ["return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "do", "else"]
)


def tokens_of(source: str, language: Language) -> list[Token] | None:
    """The tokens; None where brackets do not match or stand too deep, because then nothing else can
    be trusted.
    """
    found: list[Token] = []
    at, line = 0, 1
    while at < len(source):
        kind, end = _next(source, at, language, found)
        if kind is not None:
            found.append(Token(kind, source[at:end], line, at, end))
        line += source.count("\n", at, end)
        at = end
    return found if _matches(found) else None


def _next(
    source: str, at: int, language: Language, before: Sequence[Token]
) -> tuple[Kind | None, int]:
    """The kind of what begins at a place (None: nothing that counts), and where it ends."""
    if space := _SPACE.match(source, at):
        return None, space.end()
    if source.startswith("//", at) or (at == 0 and source.startswith("#!/")):
        end = source.find("\n", at)
        return None, len(source) if end < 0 else end
    if source.startswith("/*", at):
        return None, _end_of_comment(source, at, nests=language is Language.RUST)
    if (string := _end_of_string(source, at, language)) is not None:
        return Kind.STRING, string
    if language is Language.JAVASCRIPT and source[at] == "/" and _may_be_regex(before):
        regex = _REGEX.match(source, at)
        if regex:
            return Kind.STRING, regex.end()
    for kind, pattern in ((Kind.WORD, _WORD), (Kind.NUMBER, _NUMBER)):
        if match := pattern.match(source, at):
            return kind, match.end()
    sign = _SIGNS.match(source, at)
    return Kind.SIGN, sign.end() if sign else at + 1


def _end_of_comment(source: str, at: int, *, nests: bool) -> int:
    depth = 0
    for mark in _COMMENT_MARK.finditer(source, at):
        depth = depth + 1 if mark[0] == "/*" and (nests or depth == 0) else depth
        if mark[0] == "*/":
            depth -= 1
            if depth == 0:
                return mark.end()
    return len(source)


def _end_of_string(source: str, at: int, language: Language) -> int | None:
    if language is Language.RUST:
        raw = _RUST_RAW.match(source, at) or _RUST_CHARACTER.match(source, at)
        if raw:
            return raw.end()
        if source[at] == "'":
            lifetime = _RUST_LIFETIME.match(source, at)
            return lifetime.end() if lifetime else at + 1
        quoted = _RUST_STRING.match(source, at)
        return quoted.end() if quoted else None
    if language is Language.JAVASCRIPT and source[at] == "`":
        return _end_of_template(source, at)
    pattern = _QUOTED.get(source[at])
    match = pattern.match(source, at) if pattern else None
    return match.end() if match else None


def _end_of_template(source: str, at: int) -> int:
    """The end of a template string; templates may stand in the code inside it."""
    inside = [0]
    place = at + 1
    while place < len(source):
        sign = source[place]
        if inside[-1] == 0 and sign == "\\":
            place += 2
            continue
        if inside[-1] == 0 and sign == "`":
            inside.pop()
            if not inside:
                return place + 1
        elif inside[-1] == 0 and source.startswith("${", place):
            inside[-1] = 1
            place += 1
        elif inside[-1] > 0:
            if sign == "`":
                inside.append(0)
            elif sign in "{}":
                inside[-1] += 1 if sign == "{" else -1
        place += 1
    return len(source)


def _may_be_regex(before: Sequence[Token]) -> bool:
    if not before:
        return True
    last = before[-1]
    if last.kind is Kind.WORD:
        return last.text in _WORDS_BEFORE_A_REGEX
    return last.kind is Kind.SIGN and last.text in _BEFORE_A_REGEX


_PAIRS = {")": "(", "]": "[", "}": "{"}
# Deeper code is nobody's test: a bracket is looked through once for each that it stands in.
_DEPTH_MAX = 200


def _matches(tokens: Sequence[Token]) -> bool:
    opened: list[str] = []
    for token in tokens:
        if token.kind is not Kind.SIGN:
            continue
        if token.text in _PAIRS.values():
            opened.append(token.text)
            if len(opened) > _DEPTH_MAX:
                return False
        elif token.text in _PAIRS and (not opened or opened.pop() != _PAIRS[token.text]):
            return False
    return not opened


@dataclass(frozen=True)
class Brackets:
    """For each opening bracket where it closes, for each closing one where it opens, and for each token the innermost
    one around it (-1 for none); `ends` is the length, and `begins` 0, where there is none.
    """

    ends: Sequence[int]
    begins: Sequence[int]
    outer: Sequence[int]

    @classmethod
    def of(cls, tokens: Sequence[Token]) -> "Brackets":
        ends, begins, outer = [len(tokens)] * len(tokens), [0] * len(tokens), [-1] * len(tokens)
        opened: list[int] = []
        for at, token in enumerate(tokens):
            if token.kind is Kind.SIGN and token.text in _PAIRS and opened:
                begins[at] = opened.pop()
                ends[begins[at]] = at
            outer[at] = opened[-1] if opened else -1
            if token.kind is Kind.SIGN and token.text in _PAIRS.values():
                opened.append(at)
        return cls(ends, begins, outer)


def next_opens(tokens: Sequence[Token]) -> list[int]:
    """For each place the first `{` from there on; the last place if there is none."""
    found = [len(tokens) - 1] * len(tokens)
    for at in range(len(tokens) - 1, -1, -1):
        if tokens[at].text == "{":
            found[at] = at
        elif at + 1 < len(tokens):
            found[at] = found[at + 1]
    return found


def closing(tokens: Sequence[Token], at: int) -> int:
    """The index of the bracket that closes the one at `at`; the last index if there is none."""
    depth = 0
    for place in range(at, len(tokens)):
        if tokens[place].kind is Kind.SIGN:
            if tokens[place].text in _PAIRS.values():
                depth += 1
            elif tokens[place].text in _PAIRS:
                depth -= 1
                if depth == 0:
                    return place
    return len(tokens) - 1


def parts(inside: Tokens) -> Iterator[Tokens]:
    """What the commas outside of its brackets part; a comma at the end parts nothing off."""
    depth, start = 0, 0
    for at, token in enumerate(inside):
        text = token.text if token.kind is Kind.SIGN else ""
        depth += (text in _PAIRS.values()) - (text in _PAIRS)
        if depth == 0 and text == ",":
            yield inside[start:at]
            start = at + 1
    if start < len(inside):
        yield inside[start:]


_COMMENT_START = re.compile(r"[ \t]*(?://|/?\*)")
_LINE_MAX = 2000


def comment_above(source: str, at: int) -> str:
    """The lines of comment right before a place, whatever blank lines stand between."""
    end = at
    while end and source[end - 1].isspace():
        end -= 1
    first = last = end
    while first:
        start = source.rfind("\n", max(0, last - _LINE_MAX), last) + 1
        is_too_long = start == 0 and last > _LINE_MAX
        if is_too_long or not _COMMENT_START.match(source, start, last):
            break
        first, last = start, max(0, start - 1)
    return source[first:end]


def covered(length: int, spans: Iterable[tuple[int, int]]) -> list[bool]:
    """Which places lie in one of the spans, whose ends are not in them."""
    steps = [0] * (length + 1)
    for start, end in spans:
        steps[start] += 1
        steps[end] -= 1
    return [depth > 0 for depth in accumulate(steps)]


def attributes_at(tokens: Tokens, at: int) -> tuple[list[list[str]], int]:
    """The attributes that stand at a place, each as words, and the place behind them."""
    found = []
    while at + 1 < len(tokens) and tokens[at].text == "#" and tokens[at + 1].text == "[":
        end = closing(tokens, at + 1)
        words = [token.text for token in tokens[at + 2 : end]]
        if words:
            found.append(words)
        at = end + 1
    return found, at
