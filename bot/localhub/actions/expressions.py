"""The grammar of `${{ }}`: text in, a tree out.

A tree is checked against the names that its key in a workflow file may use when the file is read,
as GitHub does. `evaluation.py` computes values.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pydantic import JsonValue

from bot.localhub.actions.values import number_in

# Minimum and maximum number of arguments of each function; 255 is the runner's "any number".
ARGUMENT_COUNTS: dict[str, tuple[int, int]] = {
    "contains": (2, 2),
    "startswith": (2, 2),
    "endswith": (2, 2),
    "format": (1, 255),
    "join": (1, 2),
    "tojson": (1, 1),
    "fromjson": (1, 1),
    "hashfiles": (1, 255),
    "success": (0, 255),
    "failure": (0, 255),
    "always": (0, 0),
    "cancelled": (0, 0),
}
STATUS_FUNCTIONS = frozenset({"success", "failure", "always", "cancelled"})

# The runner refuses deeper nesting.
DEPTH_MAX = 50

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<string>'(?:[^']|'')*')
      | (?P<number>[+-]?(?:0x[0-9a-fA-F]+|0o[0-7]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|Infinity)|NaN)
      | (?P<name>[A-Za-z_][A-Za-z0-9_-]*)
      | (?P<sign>==|!=|<=|>=|&&|\|\||[!<>()\[\].,*])
    )""",
    re.VERBOSE,
)
_COMPARISONS = {"==": 3, "!=": 3, "<": 4, "<=": 4, ">": 4, ">=": 4}
_PRECEDENCE = {"||": 1, "&&": 2, **_COMPARISONS}


class ExpressionError(ValueError):
    """An expression that GitHub would refuse, in its words."""


@dataclass(frozen=True)
class Literal:
    value: JsonValue


@dataclass(frozen=True)
class Context:
    """A named value such as `github` or `needs`; `shown` is how it was written."""

    name: str
    shown: str = field(default="", compare=False)


@dataclass(frozen=True)
class Index:
    """`target.key` and `target[key]`; a key of None is the wildcard `*`."""

    target: "Tree"
    key: "Tree | None"


@dataclass(frozen=True)
class Call:
    """A function with its arguments; names are kept in lower case, `shown` as it was written."""

    function: str
    arguments: tuple["Tree", ...]
    shown: str = field(default="", compare=False)


@dataclass(frozen=True)
class Not:
    operand: "Tree"


@dataclass(frozen=True)
class Binary:
    operator: str
    left: "Tree"
    right: "Tree"


Tree = Literal | Context | Index | Call | Not | Binary


@dataclass(frozen=True)
class Vocabulary:
    contexts: frozenset[str]
    functions: frozenset[str] = frozenset()


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    position: int


def parse_expression(text: str) -> Tree:
    """Read one expression, without its `${{ }}`. Raises ExpressionError."""
    return _Parser(text).whole()


def check_names(tree: Tree, vocabulary: Vocabulary, text: str) -> None:
    """Refuse contexts and functions that are not available. Raises ExpressionError."""
    for part in parts_of(tree):
        if isinstance(part, Context) and part.name not in vocabulary.contexts:
            raise ExpressionError(f"Unrecognized named-value: '{part.shown}' in '{text}'")
        if not isinstance(part, Call):
            continue
        special = part.function in STATUS_FUNCTIONS or part.function == "hashfiles"
        if special and part.function not in vocabulary.functions:
            raise ExpressionError(f"Unrecognized function: '{part.shown}' in '{text}'")


def asks_for_status(tree: Tree) -> bool:
    return any(
        isinstance(part, Call) and part.function in STATUS_FUNCTIONS for part in parts_of(tree)
    )


def parts_of(tree: Tree) -> Iterator[Tree]:
    yield tree
    below: tuple[Tree | None, ...] = ()
    if isinstance(tree, Index):
        below = (tree.target, tree.key)
    elif isinstance(tree, Call):
        below = tree.arguments
    elif isinstance(tree, Not):
        below = (tree.operand,)
    elif isinstance(tree, Binary):
        below = (tree.left, tree.right)
    for part in below:
        if part is not None:
            yield from parts_of(part)


def embedded(text: str) -> Iterator[str | Tree]:
    """Split a value into plain text and the trees of its `${{ }}`. Raises ExpressionError."""
    position = 0
    while True:
        start = text.find("${{", position)
        if start < 0:
            break
        end = _end_of_embedded(text, start + 3)
        if start > position:
            yield text[position:start]
        yield parse_expression(text[start + 3 : end])
        position = end + 2
    if position < len(text):
        yield text[position:]


def _end_of_embedded(text: str, position: int) -> int:
    quoted = False
    while position < len(text):
        if text[position] == "'":
            quoted = not quoted
        elif not quoted and text.startswith("}}", position):
            return position
        position += 1
    raise ExpressionError(
        "The expression is not closed. An unescaped ${{ sequence was found, but the closing }} "
        "sequence was not found."
    )


def _tokens(text: str) -> Iterator[_Token]:
    position = 0
    while text[position:].strip():
        match = _TOKEN.match(text, position)
        if match is None:
            at = len(text) - len(text[position:].lstrip())
            raise ExpressionError(
                f"Unexpected symbol: '{text[at:].split()[0]}'. Located at position {at + 1} within expression: {text.strip()}"
            )
        kind = match.lastgroup or ""
        yield _Token(kind, match.group(kind), match.start(kind))
        position = match.end()


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text.strip()
        self._tokens = list(_tokens(self._text))
        self._next = 0
        self._depth = 0

    def whole(self) -> Tree:
        if not self._tokens:
            raise ExpressionError("An expression was expected")
        tree = self._binary(1)
        if self._next < len(self._tokens):
            raise self._unexpected()
        return tree

    def _binary(self, lowest: int) -> Tree:
        self._depth += 1
        if self._depth > DEPTH_MAX:
            raise ExpressionError(f"Exceeded max expression depth {DEPTH_MAX}")
        left = self._unary()
        while (sign := self._sign()) in _PRECEDENCE and _PRECEDENCE[sign] >= lowest:
            self._next += 1
            left = Binary(sign, left, self._binary(_PRECEDENCE[sign] + 1))
        self._depth -= 1
        return left

    def _unary(self) -> Tree:
        negations = 0
        while self._sign() == "!":
            self._next += 1
            negations += 1
        tree = self._postfix(self._primary())
        for _ in range(negations):
            tree = Not(tree)
        return tree

    def _primary(self) -> Tree:
        token = self._take()
        if token.kind == "string":
            return Literal(token.text[1:-1].replace("''", "'"))
        if token.kind == "number":
            return Literal(float("nan") if token.text == "NaN" else number_in(token.text))
        if token.kind == "name":
            return self._named(token)
        if token.text == "(":
            tree = self._binary(1)
            self._expect(")")
            return tree
        raise self._unexpected(token)

    def _named(self, token: _Token) -> Tree:
        if self._sign() == "(":
            return self._call(token)
        constants: dict[str, JsonValue] = {"null": None, "true": True, "false": False}
        if token.text in constants:
            return Literal(constants[token.text])
        return Context(token.text.lower(), token.text)

    def _call(self, token: _Token) -> Tree:
        function = token.text.lower()
        if function not in ARGUMENT_COUNTS:
            raise ExpressionError(
                f"Unrecognized function: '{token.text}'. Located at position {token.position + 1} within expression: {self._text}"
            )
        self._expect("(")
        arguments: list[Tree] = []
        while self._sign() != ")":
            if arguments:
                self._expect(",")
            arguments.append(self._binary(1))
        self._expect(")")
        least, most = ARGUMENT_COUNTS[function]
        if len(arguments) < least:
            raise ExpressionError(
                f"Too few parameters supplied: '{token.text}' within expression: {self._text}"
            )
        if len(arguments) > most:
            raise ExpressionError(
                f"Too many parameters supplied: '{token.text}' within expression: {self._text}"
            )
        return Call(function, tuple(arguments), token.text)

    def _postfix(self, tree: Tree) -> Tree:
        while True:
            if self._sign() == ".":
                self._next += 1
                token = self._take()
                if token.text == "*":
                    tree = Index(tree, None)
                elif token.kind == "name":
                    tree = Index(tree, Literal(token.text))
                else:
                    raise self._unexpected(token)
            elif self._sign() == "[":
                self._next += 1
                tree = Index(tree, self._bracketed())
                self._expect("]")
            else:
                return tree

    def _bracketed(self) -> Tree | None:
        if self._sign() == "*":
            self._next += 1
            return None
        return self._binary(1)

    def _sign(self) -> str:
        if self._next < len(self._tokens) and self._tokens[self._next].kind == "sign":
            return self._tokens[self._next].text
        return ""

    def _take(self) -> _Token:
        if self._next >= len(self._tokens):
            raise ExpressionError(f"Unexpected end of expression: {self._text}")
        self._next += 1
        return self._tokens[self._next - 1]

    def _expect(self, sign: str) -> None:
        token = self._take()
        if token.text != sign or token.kind != "sign":
            raise self._unexpected(token)

    def _unexpected(self, token: _Token | None = None) -> ExpressionError:
        found = token or self._tokens[self._next]
        return ExpressionError(
            f"Unexpected symbol: '{found.text}'. Located at position {found.position + 1} within expression: {self._text}"
        )
