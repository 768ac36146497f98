"""Who owns which files, by a CODEOWNERS file ("About code owners").

The last line that fits a path counts; one without owners frees its paths. Of a path one of its owners must
approve. A team's people are not known here, nor whose an address is: nobody counts as these.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from pathspec import GitIgnoreSpec

# GitHub takes no larger file, and no line with these signs of a gitignore file.
_BYTES_MAX = 3_000_000
# So many lines times paths take a second.
_MATCHES_MAX = 1_000_000
_NOT_TAKEN = ("!", "[", "\\#")

# A space that belongs to a path is escaped.
_BETWEEN = re.compile(r"(?<!\\)\s+")

_Line = tuple["_Pattern", tuple[str, ...]]


def owners_lacking(
    text: bytes, paths: Iterable[str] | None, approved_by: Collection[str]
) -> tuple[tuple[str, ...], ...]:
    """The owners of these paths of whom none approves, each group once, as the file names them.

    Where the paths are not known, or there are too many of them and of lines to ask, those of any line.
    """
    lines, named = _lines(text), tuple(paths or ())
    by = {f"@{login.lower()}" for login in approved_by}
    if paths is None or len(lines) * len(named) > _MATCHES_MAX:
        groups = dict.fromkeys(owners for _, owners in lines)
    else:
        groups = dict.fromkeys(_owners_of(path, lines) for path in named)
    return tuple(group for group in groups if group and by.isdisjoint(one.lower() for one in group))


def _owners_of(path: str, lines: list[_Line]) -> tuple[str, ...]:
    return next((owners for pattern, owners in lines if pattern.fits(path)), ())


def _lines(text: bytes) -> list[_Line]:
    """The last first."""
    if len(text) > _BYTES_MAX:
        return []
    words = (
        _BETWEEN.split(line.partition(" #")[0].strip())
        for line in text.decode("utf-8-sig", "replace").split("\n")
    )
    taken = [line for line in words if line[0] and not line[0].startswith("#")]
    return [
        (pattern, tuple(owners))
        for written, *owners in reversed(taken)
        if not any(sign in written for sign in _NOT_TAKEN)
        and (pattern := _Pattern.read(written)) is not None
    ]


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A gitignore pattern, but for `docs/*`: it fits the files of that folder, and none in folders there."""

    spec: GitIgnoreSpec
    is_flat: bool

    @staticmethod
    def read(written: str) -> "_Pattern | None":
        """None of what is no pattern: GitHub leaves such a line out, too."""
        try:
            spec = GitIgnoreSpec.from_lines([written])
        except ValueError:
            return None
        is_flat = written.endswith("/*") and not written.endswith("**/*")
        return _Pattern(spec=spec, is_flat=is_flat)

    def fits(self, path: str) -> bool:
        if not self.spec.match_file(path):
            return False
        return not (self.is_flat and self.spec.match_file(path.rpartition("/")[0]))
