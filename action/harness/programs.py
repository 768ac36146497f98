"""Where people install agents' programs, and what of them must be shown inside the sandbox.

A program is looked for on PATH, in the folders that a runner's owner shows, and where installers put it
in a home. What is shown is the least that it needs, read-only, and never a home as a whole.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from action.sandbox.view import EXTRA_PATHS_VARIABLE

# Below a home: native installers, npm with a prefix, bun, pnpm, volta.
_USER_FOLDERS = (
    ".local/bin",
    ".claude/local",
    ".opencode/bin",
    ".npm-global/bin",
    ".bun/bin",
    ".local/share/pnpm",
    ".volta/bin",
    "bin",
)
# Below a folder that is shown: npm's with and without `--global`.
_SHOWN_FOLDERS = ("", "bin", "node_modules/.bin")
_PACKAGES = "node_modules"


@dataclass(frozen=True)
class FoundProgram:
    """`path` is what is started, `shown` what must be visible for it."""

    path: Path
    shown: tuple[Path, ...]


def find_program(name: str, outer: Mapping[str, str]) -> FoundProgram | None:
    """The first program of this name that can be executed; `outer` is the harness's environment."""
    home = Path(outer.get("HOME", "/root")).resolve()
    for folder in _folders(outer, home):
        place = folder / name
        if place.is_file() and os.access(place, os.X_OK):
            path = place.resolve()
            shown = _needed(path)
            # A folder that holds the home would show everything that is private.
            if not home.is_relative_to(shown):
                return FoundProgram(path, (shown,))
    return None


def _folders(outer: Mapping[str, str], home: Path) -> Iterator[Path]:
    for part in outer.get("PATH", "").split(os.pathsep):
        if part:
            yield Path(part)
    for part in outer.get(EXTRA_PATHS_VARIABLE, "").split(os.pathsep):
        if part:
            yield from (Path(part, below) for below in _SHOWN_FOLDERS)
    yield from (home / below for below in _USER_FOLDERS)


def _needed(path: Path) -> Path:
    """A package with those beside it that it loads, or a program that is one file."""
    parts = path.parts
    if _PACKAGES in parts:
        return Path(*parts[: parts.index(_PACKAGES) + 1])
    return path
