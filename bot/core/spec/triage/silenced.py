"""Findings that an author has silenced: `<!-- headgate: ignore RULE -->` on the line or above it.

The comment stays in the spec, so that everybody sees who silenced what. Findings about the file
itself (its size, its encoding, an open code block) cannot be silenced.
"""

import re
from collections.abc import Iterable

from bot.core.spec.reading import Source
from bot.core.values.spec_model import Finding

_COMMENT = re.compile(r"<!--\s{0,9}headgate:\s{0,9}ignore\s{1,9}([a-z_, ]{1,200}?)\s{0,9}-->")
_OF_THE_FILE = frozenset(
    (
        *("too_large", "binary", "not_utf8", "unclosed_fence", "unclosed_comment", "not_a_spec"),
        *("empty", "hidden_text"),
    )
)


def not_silenced(findings: Iterable[Finding], source: Source) -> list[Finding]:
    rules = _silenced(source)
    if not rules:
        return list(findings)
    return [
        f
        for f in findings
        if f.code in _OF_THE_FILE or f.code not in rules.get(f.line, frozenset())
    ]


def _silenced(source: Source) -> dict[int, frozenset[str]]:
    """The silenced rules of each line; a comment alone on its line is about the next one."""
    rules: dict[int, frozenset[str]] = {}
    for line, text in enumerate(source.lines, 1):
        found = _COMMENT.search(text) if "headgate:" in text else None
        if not found or source.visible[line - 1] == text:
            continue
        is_alone = not _COMMENT.sub("", text).strip()
        about = line + 1 if is_alone else line
        names = frozenset(name for name in re.split(r"[, ]+", found.group(1)) if name)
        rules[about] = rules.get(about, frozenset()) | names
    return rules
