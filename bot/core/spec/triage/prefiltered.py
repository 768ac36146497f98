"""Patterns that are searched only in texts that hold one of their roots.

A pattern of forty words in eight languages takes ten times as long as a look for a few letters, and
most lines of a spec hold none of them. Whatever a pattern can match must have one of its roots in it;
`tests.core.spec.test_prefiltered` makes texts from each pattern and checks that.
"""

import re
from collections.abc import Iterator


class PrefilteredPattern:
    """A pattern with its roots: lower-case letters of which each of its matches holds some."""

    __slots__ = ("_pattern", "_roots")

    def __init__(self, pattern: re.Pattern[str], *roots: str) -> None:
        self._pattern = pattern
        plain = {folded(root) for root in roots}
        # A root inside of which another one stands is found with that one.
        self._roots = tuple(sorted(r for r in plain if not any(o in r for o in plain if o != r)))

    @property
    def pattern(self) -> re.Pattern[str]:
        """The pattern alone, without its roots."""
        return self._pattern

    def search(self, text: str) -> re.Match[str] | None:
        """The first match in a text, or None."""
        return self._pattern.search(text) if self._has_root(text) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """All matches in a text, in their order."""
        return self._pattern.finditer(text) if self._has_root(text) else iter(())

    def _has_root(self, text: str) -> bool:
        plain = folded(text)
        # A generator alone would take as long as most of the looks.
        for root in self._roots:  # noqa: SIM110
            if root in plain:
                return True
        return False


def folded(text: str) -> str:
    """The text without case, as patterns that ignore case see it: dotted and dotless i are i."""
    if text.isascii():
        return text.lower()
    return text.replace("İ", "i").casefold().replace("ı", "i")
