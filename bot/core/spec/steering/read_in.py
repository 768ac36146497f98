"""Files of which a shell line takes words or lines for what it does, and what it compares with."""

import re
from collections.abc import Iterator

_SUBSTITUTED = re.compile(r"\$\(([^()]*)\)|`([^`]*)`")
# What a command is fed that starts what it reads: `done <list`, `xargs pytest <list`, `sh <script`.
_STARTS_WHAT_IT_READS = r"(?:xargs|parallel|while|(?:ba|da|z|k)?sh|source|node|python[\d.]*)"
_FED = re.compile(
    rf"\bdone\s*<\s*([^\s<>|;&()]+)"
    rf"|\b{_STARTS_WHAT_IT_READS}\b(?:(?!\b{_STARTS_WHAT_IT_READS}\b)[^|;&\n<])*+<\s*([^\s<>|;&()]+)"
)
_PIPED = re.compile(rf"(?<![^|;&\n])([^|;&\n]++)\|(?=\s*{_STARTS_WHAT_IT_READS}\b)")
_COMPARES = re.compile(
    r"(?:^|[|;&\n(]|\b(?:then|do|if|!)\s)[ \t]*+@?-?(?:diff|cmp|comm)\s([^|;&\n]*)"
)
_INCLUDES = re.compile(r"^-?s?include\s+([^#\n]+)", re.MULTILINE)
_ARGUMENTS = re.compile(r"(?:^|\s)@([\w./-]+)")


def read_in(line: str) -> Iterator[str]:
    """Words that may be paths of such files; a Makefile's `include` is a line, too."""
    for match in _SUBSTITUTED.finditer(line):
        yield from _words(match[1] or match[2] or "")
    for match in _FED.finditer(line):
        yield match[1] or match[2]
    for pattern in (_PIPED, _COMPARES, _INCLUDES):
        for match in pattern.finditer(line):
            yield from _words(match[1])
    yield from (match[1] for match in _ARGUMENTS.finditer(line))


def _words(text: str) -> Iterator[str]:
    # The first word is the command itself; where it is a path, it is found as one elsewhere.
    yield from (word.strip("\"'<") for word in text.split() if not word.startswith("-"))
