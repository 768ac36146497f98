"""Which files of a tree an installer of dependencies reads, by their names."""

import posixpath
import re
import shlex
from collections.abc import Iterable
from fnmatch import fnmatchcase

_NAMES = (
    *("setup.py", "setup.cfg", "pyproject.toml", "MANIFEST.in", "hatch_build.py"),
    *("requirements*.txt", "requirements*.in", "constraints*.txt", "Pipfile*", "*.lock"),
    *("environment.y*ml", "package.json", "package-lock.json", "npm-shrinkwrap.json"),
    *("pnpm-lock.yaml", "pnpm-workspace.yaml", "bun.lockb", ".npmrc", ".yarnrc*", ".pnpmfile.*"),
    *("go.mod", "go.sum", "Cargo.toml", "rust-toolchain*", ".tool-versions", ".python-version"),
    *("Gemfile", "composer.json", "pom.xml", "build.gradle*", "settings.gradle*"),
    *("gradle.properties", ".nvmrc", ".node-version", "build.rs"),
)
# Commands that install what lock and build files say and read nothing else. What is installed out
# of the tree, and a package of npm with scripts of its own, may read anything.
_INSTALLS = re.compile(
    r"(?:(?:\S*/)?python[\d.]* -m )?(?:\S*/)?(?:"
    r"venv \S+|pip[\d.]* install(?: -q| -U| --quiet| --require-hashes| -r \S+| -c \S+| \w[\w-]*(?:[=~<>]=[\w.]+)?)+"
    r"|uv (?:sync|venv)(?: --[\w-]+)*|npm ci(?: --[\w-]+)* --ignore-scripts(?: --[\w-]+)*"
    r"|cargo fetch(?: --locked)?|go mod download)"
)


def is_setup_file(path: str) -> bool:
    if posixpath.basename(posixpath.dirname(path)) == "requirements":
        return True
    return any(fnmatchcase(posixpath.basename(path), pattern) for pattern in _NAMES)


def is_known_install(lines: Iterable[str]) -> bool:
    """Whether every command of these lines reads lock and build files alone."""
    commands = [part.strip() for line in lines for part in re.split(r"&&|;|\n", line)]
    return all(_INSTALLS.fullmatch(command) for command in commands if command)


def named_paths(lines: Iterable[str]) -> frozenset[str]:
    """Words of lines that may be paths of the tree."""
    words: set[str] = set()
    for line in lines:
        try:
            words.update(shlex.split(line))
        except ValueError:
            words.update(line.split())
    return frozenset(posixpath.normpath(word) for word in words)
