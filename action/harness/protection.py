"""Whether a path is protected, as the server will judge it: without regard to case and Unicode form."""

import unicodedata
from collections.abc import Sequence

from pathspec import GitIgnoreSpec


class Protection:
    def __init__(self, patterns: Sequence[str]) -> None:
        self._patterns = GitIgnoreSpec.from_lines(_folded(pattern) for pattern in patterns)

    def covers(self, path: str) -> bool:
        """Whether the path is protected; also for a file or link that replaces a protected folder."""
        folded = _folded(path)
        return self._patterns.match_file(folded) or self._patterns.match_file(f"{folded}/")


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()
