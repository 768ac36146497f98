"""Leftovers of tools in an agent's tree: virtual environments, caches, compiled files.

They are no part of the work, and no reason to refuse it. What is tracked already is never a leftover.
Base's ignore files count, not the tree's: the agent may have edited those.
"""

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

# A path of 4,096 bytes has no more.
_FOLDERS_MAX = 2_048

# gitignore patterns of files that belong in no commit. Names that are source folders elsewhere (build, dist,
# target, env) are not here; most of their makers leave one of the markers below.
BUILT_IN = """\
.venv/
venv/
__pycache__/
*.py[cod]
.pytest_cache/
.mypy_cache/
.ruff_cache/
.hypothesis/
.tox/
.nox/
.eggs/
*.egg-info/
.coverage
.coverage.*
.ipynb_checkpoints/
node_modules/
.npm/
.parcel-cache/
.turbo/
.next/
.nuxt/
.gradle/
.terraform/
.cache/
*.class
*.o
*.obj
.env
.env.local
.env.*.local
.DS_Store
Thumbs.db
*.swp
*~
"""
# A file of this name says what its folder is: a virtual environment, a cache (bford.info/cachedir).
MARKERS = frozenset({"pyvenv.cfg", "CACHEDIR.TAG"})

# A report names so many leftovers.
TOLD_MAX = 20


@dataclass(frozen=True)
class Leftovers:
    """Paths as git lists them; a folder ends with `/` and stands for all that is in it."""

    names: frozenset[str]

    def covers(self, path: str) -> bool:
        return any(part in self.names for part in _self_and_folders(path))

    def found_in(self, paths: Iterable[str]) -> tuple[str, ...]:
        """The outermost names that cover one of the paths, as they are told."""
        found = {
            next((p for p in _self_and_folders(path) if p in self.names), "") for path in paths
        }
        named = sorted(name for name in found if name)
        if len(named) <= TOLD_MAX:
            return tuple(named)
        return (*named[: TOLD_MAX - 1], f"and {len(named) - TOLD_MAX + 1} more")


def patterns(base_ignores: Mapping[str, str]) -> str:
    """The built-in list and base's ignore files (text by path) as one file at the root."""
    parts = [BUILT_IN]
    for path in sorted(base_ignores, key=lambda path: (path.count("/"), path)):
        parts += [
            _anchored(posixpath.dirname(path), line) for line in base_ignores[path].split("\n")
        ]
    return "\n".join(parts) + "\n"


def marked_folders(paths: Iterable[str]) -> frozenset[str]:
    folders = {posixpath.dirname(path) for path in paths if posixpath.basename(path) in MARKERS}
    return frozenset(f"{folder}/" for folder in folders if folder)


def _anchored(folder: str, line: str) -> str:
    """A line of a folder's ignore file, as it would stand in the root's."""
    pattern = line.rstrip("\r")
    if not folder or not pattern.strip() or pattern.startswith("#"):
        return pattern
    sign = "!" if pattern.startswith("!") else ""
    pattern = pattern.removeprefix("!")
    # A slash before the end binds a pattern to its folder; else it means a name at any depth.
    is_bound = "/" in pattern.rstrip().removesuffix("/")
    deep = "" if is_bound else "**/"
    return f"{sign}/{as_pattern(folder)}/{deep}{pattern.removeprefix('/')}"


def as_pattern(path: str) -> str:
    return "".join(f"\\{letter}" if letter in "\\*?[! #" else letter for letter in path)


def _self_and_folders(path: str) -> Iterable[str]:
    """Outermost first: `a/b/c` gives `a/`, `a/b/`, `a/b/c`."""
    at = path.find("/")
    for _ in range(_FOLDERS_MAX):
        if at in {-1, len(path) - 1}:
            break
        yield path[: at + 1]
        at = path.find("/", at + 1)
    yield path
