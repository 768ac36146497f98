"""Code owners of a pull's files, by the CODEOWNERS of its base ("About code owners")."""

import contextlib
import re
from collections.abc import Collection, Iterable

from pathspec import GitIgnoreSpec

from bot.localhub.git_store import GitStore

# GitHub takes the first that exists.
_PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
# A space that belongs to a path is escaped.
_BETWEEN = re.compile(r"(?<!\\)\s+")


def unreviewed(
    git: GitStore, base: str, paths: Iterable[str], approved_by: Collection[str]
) -> list[str]:
    """The owners whose review is missing: of a file one of its owners must approve."""
    lines = _lines(git, base)
    missing: dict[str, None] = {}
    for path in paths:
        # The last line that fits counts; one without owners frees its paths.
        owners = next((owners for spec, owners in reversed(lines) if spec.match_file(path)), ())
        if owners and not set(owners) & set(approved_by):
            missing |= dict.fromkeys(owners)
    return list(missing)


def _lines(git: GitStore, base: str) -> list[tuple[GitIgnoreSpec, tuple[str, ...]]]:
    texts = (git.read_file(base, place) for place in _PLACES)
    text = next((text for text in texts if text is not None), b"").decode("utf-8-sig", "replace")
    lines: list[tuple[GitIgnoreSpec, tuple[str, ...]]] = []
    for line in text.splitlines():
        pattern, *owners = _BETWEEN.split(line.partition("#")[0].strip())
        # A line that is no pattern is skipped.
        with contextlib.suppress(ValueError):
            if pattern:
                spec = GitIgnoreSpec.from_lines(_patterns(pattern))
                lines.append((spec, tuple(o.removeprefix("@").lower() for o in owners)))
    return lines


def _patterns(pattern: str) -> tuple[str, ...]:
    """`docs/*` owns no files of folders below `docs`, as it would in gitignore."""
    is_flat = pattern.endswith("/*") and not pattern.endswith("**/*")
    return (pattern, f"!{pattern}/**") if is_flat else (pattern,)
