"""What the configuration of a runner names: plugins, set-up files, reporters, what it extends."""

import posixpath
import re
from collections.abc import Iterable, Iterator

from bot.core.spec.steering.known_parts import package_settings

# Keys of JavaScript's runners whose values are files or modules that steer.
_KEYS = (
    r"setupFiles\w*|globalSetup|globalTeardown|testEnvironment|environment|reporters?|runner|testRunner"
    r"|transform|require|import|loader|snapshot\w*|resolver|projects|extends|preset|plugins|dependencyExtractor"
    r"|sequencer|testSequencer|file|spec_helper|helpers"
)
_CONFIGURED = re.compile(
    rf"""["']?\b(?:{_KEYS})\b["']?\s*[:=]\s*"""
    # What is not closed goes on to the end: it is read once.
    r"""(\[[^\]]*(?:\]|\Z)|\{[^}]*(?:\}|\Z)|["'][^"']*(?:["']|\Z))"""
)
_TEXT = re.compile(r"""["']([^"'\n]{1,200})["']""")
_IMPORTED = re.compile(
    r"""(?:\bfrom\s+|\bimport\s+|\brequire\(\s*)["'](\.{1,2}/[^"'\n]{1,200})["']"""
)
_ENDS = ("", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".json", "/index.js", "/index.ts")
# pytest: `-p tests.plugin` in addopts, `pytest_plugins`, hooks and all names that conftest.py imports.
_PLUGIN = re.compile(r"(?:^|[\s\"'=])-p[\s\"',=]*([\w.]+)")
_PLUGINS = re.compile(
    r"\bpytest_plugins\b(?:(?!\bpytest_plugins\b)[^=\n])*+=\s*([\[(][^\])]*(?:[\])]|\Z)|[\"'][^\"']*(?:[\"']|\Z))"
)
_HOOKS = re.compile(
    r"^[ \t]*from\s++([\w.]*+)\s++import\s++(?:\(\s*+)?(?:\*|[^)\n]*\bpytest_\w+)", re.M
)
_MODULE = re.compile(r"[A-Za-z_][\w.]*")

_OF_PYTEST = frozenset(
    {"conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "tox.ini"}
    | {"pyproject.toml", "setup.cfg"}
)
_OF_JAVASCRIPT = re.compile(
    r"(?:jest|vitest|vite|playwright|cypress|karma|ava|wdio|web-test-runner|babel|eslint)[\w.-]*\."
    r"(?:[cm]?[jt]s|json)|\.mocharc[\w.]*|jasmine\.json|\.taprc|tsconfig[\w.]*\.json|package\.json"
    r"|bunfig\.toml|\.eslintrc[\w.]*|\.nycrc[\w.]*|\.c8rc[\w.]*"
)
_PYTHONPATH = re.compile(r"\bpythonpath\b[\"']?\s*=\s*(\[[^\]]*(?:\]|\Z)|[^\n]*)")


def is_configuration(path: str) -> bool:
    """Whether a file may name others that steer."""
    name = posixpath.basename(path)
    return name in _OF_PYTEST or _OF_JAVASCRIPT.fullmatch(name) is not None


def configured(path: str, content: bytes, paths: frozenset[str]) -> frozenset[str]:
    """The files among `paths` that a configuration names."""
    name = posixpath.basename(path)
    text = content.decode("utf-8", "replace")
    text = package_settings(content) if name == "package.json" else text
    folder = posixpath.dirname(path)
    if name in _OF_PYTEST:
        return frozenset(_of_modules(_python(text, folder), folder, paths))
    return frozenset(_of_paths(_javascript(text), folder, paths))


def python_roots(path: str, content: bytes) -> frozenset[str]:
    """The folders that pytest's configuration puts in front of what Python imports from."""
    name = posixpath.basename(path)
    if name not in _OF_PYTEST or name == "conftest.py":
        return frozenset()
    folder = posixpath.dirname(path)
    said = _PYTHONPATH.findall(content.decode("utf-8", "replace"))
    words = (word for one in said for word in re.findall(r"[\w./-]+", one))
    return frozenset(_rooted(posixpath.join(folder, word)) for word in words)


def _rooted(path: str) -> str:
    place = posixpath.normpath(path)
    return "" if place == "." else place


def _python(text: str, folder: str) -> Iterator[str]:
    yield from _PLUGIN.findall(text)
    for listed in _PLUGINS.findall(text):
        yield from (name for name in _TEXT.findall(listed) if _MODULE.fullmatch(name))
    for module in _HOOKS.findall(text):
        name = module.lstrip(".")
        above = folder.split("/")
        dots = len(module) - len(name)
        yield ".".join([*above[: len(above) - dots + 1], name]) if dots else name


def _javascript(text: str) -> Iterator[str]:
    yield from _IMPORTED.findall(text)
    for value in _CONFIGURED.findall(text):
        yield from _TEXT.findall(value)


def _of_modules(names: Iterable[str], folder: str, paths: frozenset[str]) -> Iterator[str]:
    for name in dict.fromkeys(names):
        place = name.strip(".").replace(".", "/")
        for root in ("", "src", folder):
            at = posixpath.normpath(posixpath.join(root, place))
            yield from (p for p in (f"{at}.py", f"{at}/__init__.py") if p in paths)


def _of_paths(words: Iterable[str], folder: str, paths: frozenset[str]) -> Iterator[str]:
    for word in dict.fromkeys(words):
        plain = word.replace("<rootDir>/", "")
        for root in {folder, ""}:
            at = posixpath.normpath(posixpath.join(root, plain))
            yield from (at + end for end in _ENDS if at + end in paths)
