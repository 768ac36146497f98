"""Who owns which files, by a CODEOWNERS file ("About code owners").

The last line that fits a path counts; one without owners frees its paths. Of a path one of its owners must
approve. A team's people are not known here, nor whose an address is: nobody counts as these.
"""

from collections.abc import Collection, Iterable

from pathspec import GitIgnoreSpec

# GitHub takes no larger file, and no line with these signs of a gitignore file.
_BYTES_MAX = 3_000_000
# So many lines times paths take a second.
_MATCHES_MAX = 1_000_000
_NOT_TAKEN = ("!", "[", "\\#")

_Line = tuple[GitIgnoreSpec, tuple[str, ...]]


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
    return next((owners for spec, owners in lines if spec.match_file(path)), ())


def _lines(text: bytes) -> list[_Line]:
    """The last first."""
    if len(text) > _BYTES_MAX:
        return []
    words = (
        line.partition(" #")[0].split() for line in text.decode("utf-8", "replace").splitlines()
    )
    taken = [line for line in words if line and not line[0].startswith("#")]
    return [
        (GitIgnoreSpec.from_lines([pattern]), tuple(owners))
        for pattern, *owners in reversed(taken)
        if not any(sign in pattern for sign in _NOT_TAKEN)
    ]
