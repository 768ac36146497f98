"""Patterns that are searched only in texts that contain one of their roots.

A pattern of forty words in eight languages takes ten times as long as a search for a few letters,
and most lines contain none of them. Every possible match must contain one of the roots;
`tests.core.spec.test_pattern_prefilter` makes texts from each pattern and checks that.
"""

import re
from collections.abc import Iterator


class PrefilteredPattern:
    """Roots are lower-case; every match of the pattern contains one of them."""

    __slots__ = ("_pattern", "_roots")

    def __init__(self, pattern: re.Pattern[str], *roots: str) -> None:
        self._pattern = pattern
        plain = {folded(root) for root in roots}
        # A root that contains another root is found with that one.
        self._roots = tuple(sorted(r for r in plain if not any(o in r for o in plain if o != r)))

    @property
    def pattern(self) -> re.Pattern[str]:
        return self._pattern

    def search(self, text: str) -> re.Match[str] | None:
        return self._pattern.search(text) if self._has_root(text) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self._pattern.finditer(text) if self._has_root(text) else iter(())

    def _has_root(self, text: str) -> bool:
        plain = folded(text)
        # A loop, because a generator would take as long as most of the searches.
        for root in self._roots:  # noqa: SIM110
            if root in plain:
                return True
        return False


def folded(text: str) -> str:
    """Without case, as in patterns that ignore case: dotted and dotless i are i."""
    if text.isascii():
        return text.lower()
    return text.replace("İ", "i").casefold().replace("ı", "i")
