"""Files that test runners, linters, build tools and setup read by their names, in any folder.

Of files that hold more than that, only the parts count that steer.
"""

import configparser
import json
import posixpath
import tomllib
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase

# Read by a runner, a linter or a build tool that a gate may start.
_RUNNER = (
    *("conftest.py", "pytest.ini", ".pytest.ini", "tox.ini", "noxfile.py", ".coveragerc"),
    *("sitecustomize.py", "usercustomize.py", "*.pth", ".python-version"),
    *("ruff.toml", ".ruff.toml", "mypy.ini", ".mypy.ini", ".flake8", "pylintrc", ".pylintrc"),
    *("jest.config.*", "jest.setup.*", "vitest.config.*", "vitest.workspace.*", "vitest.setup.*"),
    *("vite.config.*", "babel.config.*", ".babelrc*", ".mocharc*", "mocha.opts", "ava.config.*"),
    *("playwright.config.*", "cypress.config.*", "karma.conf.*", ".nycrc*", ".c8rc*"),
    *("eslint.config.*", ".eslintrc*", ".eslintignore", "tsconfig*.json", "biome.json*"),
    *(".npmrc", ".yarnrc*", ".pnpmfile.*", ".nvmrc", ".node-version"),
    *("go.work", ".golangci.*", "build.rs", "clippy.toml", ".clippy.toml", "nextest.toml"),
    *("rust-toolchain*", ".tool-versions"),
    *("Makefile", "makefile", "GNUmakefile", "*.mk", "justfile", ".justfile", "Justfile"),
    *("Taskfile.y*ml", "Rakefile", ".rspec", "phpunit.xml*", "CMakeLists.txt", "meson.build"),
)
_RUNNER_BELOW = ((".cargo", "config*"), (".config", "nextest.toml"))
# Tables of pyproject.toml that build, install or release and never steer a runner.
_HARMLESS_TOOLS = frozenset(
    {"poetry", "uv", "setuptools", "setuptools_scm", "flit", "towncrier", "commitizen"}
    | {"semantic_release", "bumpversion"}
)
# Keys of package.json that only describe the package or list what it depends on.
_HARMLESS_KEYS = frozenset(
    {"name", "version", "description", "keywords", "author", "contributors", "license", "funding"}
    | {"repository", "bugs", "homepage", "private", "files", "main", "module", "types", "exports"}
    | {"bin", "dependencies", "devDependencies", "peerDependencies", "optionalDependencies"}
)


def is_runner_file(path: str, before: bytes | None, after: bytes | None) -> bool:
    """Whether a changed file steers a runner; None: it is not there before, or after."""
    name = posixpath.basename(path)
    parts = _PARTS.get(name)
    if parts is not None:
        return _steering_parts(parts, before) != _steering_parts(parts, after)
    folder = posixpath.basename(posixpath.dirname(path))
    below = any(folder == f and fnmatchcase(name, pattern) for f, pattern in _RUNNER_BELOW)
    return below or _is_one_of(name, _RUNNER)


def has_parts(path: str) -> bool:
    """Whether the contents of a file say if its change steers a runner."""
    return posixpath.basename(path) in _PARTS


def _is_one_of(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _steering_parts(read: Callable[[str], object], content: bytes | None) -> object:
    """What steers in a file; where it cannot be read, all of it."""
    if content is None:
        return {}
    try:
        return read(content.decode("utf-8"))
    except (ValueError, RecursionError, configparser.Error):
        return content


def _pyproject(text: str) -> object:
    tools = tomllib.loads(text).get("tool", {})
    return {name: table for name, table in tools.items() if name not in _HARMLESS_TOOLS}


def _package_json(text: str) -> object:
    keys = json.loads(text)
    if not isinstance(keys, dict):
        return text
    return {key: value for key, value in keys.items() if key not in _HARMLESS_KEYS}


def _setup_cfg(text: str) -> object:
    parser = configparser.RawConfigParser()
    parser.read_string(text)
    return {
        name: dict(parser[name])
        for name in parser.sections()
        if name != "metadata" and not name.startswith("options")
    }


_PARTS: Mapping[str, Callable[[str], object]] = {
    "pyproject.toml": _pyproject,
    "package.json": _package_json,
    "setup.cfg": _setup_cfg,
}
