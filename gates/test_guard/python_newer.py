"""Syntax of a Python that is newer than the one that reads it, line for line in the words of the older one.

What is not known to be newer syntax stays as it is, so that a broken file stays broken.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

# PEP 695 and 696: `def first[T](of: list[T])`, `class Shop[T = int]`.
_WITH_TYPES = re.compile(r"((?:async\s+)?def|class)\s+(\w+)\s*\[")
_TYPE = re.compile(r"type\s+(\w+)\s*[\[=]")
# PEP 758: `except KeyError, ValueError:`.
_EXCEPT = re.compile(r"except\b\s*+\*?")
# PEP 701 and 750: strings whose parts have any quotes, and templates.
_WITH_PARTS = re.compile(r"(?<!\w)(?:[fFtT][rR]?|[rR][fFtT])[\"']")
_HEADS = {
    "if": "if unread:",
    "elif": "elif unread:",
    "while": "while unread:",
    "for": "for unread in unread:",
    "with": "with unread:",
    "match": "match unread:",
    "case": "case _ if unread:",
    "except": "except unread:",
}
_BEFORE = {"elif": "if x:\n pass\n", "else": "if x:\n pass\n", "except": "try:\n pass\n"}


@dataclass(frozen=True)
class _Line:
    """A statement, or the head of a block: its first and last line from 1, its indentation and its text."""

    first: int
    last: int
    indent: str
    text: str


def in_older_words(source: str) -> str:
    """The same lines; raises SyntaxError where they cannot be told apart."""
    lines = source.split("\n")
    try:
        logical = list(_logical_lines(source, lines))
    except (tokenize.TokenError, IndentationError) as problem:
        raise SyntaxError(str(problem)) from problem
    for one in logical:
        if not _parses(one.text):
            said = _older(one.text)
            rest = [""] * (one.last - one.first)
            lines[one.first - 1 : one.last] = [one.indent + said, *rest]
    return "\n".join(lines) + "\n"


def _logical_lines(source: str, lines: list[str]) -> Iterator[_Line]:
    begun: tuple[int, int] | None = None
    skipped = {tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING}
    end = (0, 0)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NEWLINE and begun is not None:
            first, last = begun[0], end[0]
            whole = lines[first - 1 : last]
            whole[-1] = whole[-1][: end[1]]
            yield _Line(first, last, whole[0][: begun[1]], "\n".join(whole)[begun[1] :])
            begun = None
        elif token.type not in skipped:
            begun = begun or token.start
            end = token.end


def _parses(text: str) -> bool:
    word = _first_word(text)
    if text.startswith("@"):
        text += "\ndef x(): pass"
    elif word == "case":
        text = f"match x:\n {text}\n  pass" if text.endswith(":") else f"match x:\n {text}"
    else:
        text = _BEFORE.get(word, "") + text
        text += "\n pass" if text.endswith(":") and word != "try" else ""
        text += "\n pass\nfinally: pass" if word == "try" and text.endswith(":") else ""
        text = f"try: pass\n{text}" if word == "finally" else text
        if word == "match" and text.endswith(":\n pass"):
            text = text.removesuffix("pass") + "case _: pass"
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _first_word(text: str) -> str:
    found = re.match(r"(?:async\s+)?(\w+)", text)
    return found[1] if found else ""


def _older(text: str) -> str:
    """What means the same to a guard of tests."""
    if (found := _WITH_TYPES.match(text)) is not None:
        end = _end_of_bracket(text, found.end() - 1)
        return f"{text[: found.end() - 1]}{text[end:]}".replace("\n", " ")
    if (found := _TYPE.match(text)) is not None:
        return f"{found[1]} = unread"
    if (found := _EXCEPT.match(text)) is not None and text.endswith(":"):
        caught = text[found.end() : -1].strip()
        if "," in caught.strip(",") and not {"(", ")"} & set(caught):
            return f"{found[0]} ({caught}):"
    if _WITH_PARTS.search(text) is None:
        raise SyntaxError(text[:80])
    word = _first_word(text)
    if text.endswith(":") and word in _HEADS:
        is_async = text.startswith("async")
        return f"async {_HEADS[word]}" if is_async else _HEADS[word]
    if text.startswith("@") or text.endswith(":"):
        raise SyntaxError(text[:80])
    # What it compares is not read; that it is there, and that it stays as it is.
    name = "assert_unread" if re.match(r"(?:self\.)?assert", text) else "unread"
    return f"{name}(unread, {text!r})"


def _end_of_bracket(text: str, at: int) -> int:
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] == "[") - (text[place] == "]")
        if depth == 0:
            return place + 1
    raise SyntaxError(text[:80])
