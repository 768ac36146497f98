"""Which tests pytest leaves out as it is configured: by marks and names, by folders and files."""

import ast
import configparser
import posixpath
import shlex
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from gates.test_guard.found_test import FoundTest, Mark, TestFile

# In the order in which pytest looks for them, each with the section that is its own.
CONFIGURATIONS = {
    "pytest.toml": "pytest",
    ".pytest.toml": "pytest",
    "pytest.ini": "pytest",
    ".pytest.ini": "pytest",
    "pyproject.toml": "pytest",
    "tox.ini": "pytest",
    "setup.cfg": "tool:pytest",
}
_CHARS_MAX = 2_000
# So many values of one option are looked at.
_VALUES_MAX = 100
# A longer pattern matches nothing.
_PATTERN_CHARS_MAX = 300
_OPTIONS = ("-m", "-k", "--ignore", "--deselect")


@dataclass(frozen=True)
class Selection:
    """What a configuration asks for; of each option of the command line the values in order."""

    marks: str = ""
    names: str = ""
    ignored: tuple[str, ...] = ()
    deselected: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    def marked(self, file: TestFile) -> TestFile:
        """The file, with a mark for each of its tests that is left out."""
        if not file.path.endswith(".py") or self == Selection():
            return file
        is_out = not self._takes_file(file.path)
        tests = tuple(
            replace(one, marks=one.marks | {Mark.DESELECTED})
            if is_out or not self._takes(one)
            else one
            for one in file.tests
        )
        return replace(file, tests=tests)

    def _takes_file(self, path: str) -> bool:
        name = posixpath.basename(path)
        is_in = not self.folders or any(_is_below(path, one) for one in self.folders)
        is_one = not self.files or any(
            _matches(path if "/" in one else name, one) for one in self.files
        )
        return is_in and is_one and not any(_is_below(path, one) for one in self.ignored)

    def _takes(self, test: FoundTest) -> bool:
        own = test.id
        words = (test.path, *test.name.split("::"), *test.labels)
        said = " ".join(words).lower()
        return (
            _holds(self.marks, lambda word: word in test.labels)
            and _holds(self.names, lambda word: word.lower() in said)
            and not any(
                own == one or own.startswith(f"{one}::") for one in self.deselected[:_VALUES_MAX]
            )
        )


def selection_of(texts: Mapping[str, str]) -> Selection:
    """What the first file that configures pytest says; `texts` are those at the top of the tree. Never raises."""
    for path in CONFIGURATIONS:
        settings = _settings(path, texts[path]) if path in texts else {}
        if settings:
            return _selection(settings)
    return Selection()


def _settings(path: str, text: str) -> Mapping[str, list[str]]:
    try:
        if path.endswith(".toml"):
            found: object = tomllib.loads(text)
            keys = ("tool", "pytest", "ini_options") if path == "pyproject.toml" else ("pytest",)
            for key in keys:
                found = found.get(key) if isinstance(found, dict) else None
            return _all_words(found) if isinstance(found, dict) else {}
        parser = configparser.RawConfigParser(strict=False)
        parser.read_string(text)
        section = CONFIGURATIONS[path]
        return _all_words(dict(parser.items(section))) if parser.has_section(section) else {}
    except (tomllib.TOMLDecodeError, configparser.Error, RecursionError):
        return {}


def _all_words(settings: Mapping[str, object]) -> Mapping[str, list[str]]:
    return {str(name): list(_words(value)) for name, value in settings.items()}


def _words(value: object) -> Iterable[str]:
    if isinstance(value, list):
        return [one for one in value if isinstance(one, str)]
    try:
        return shlex.split(value[:_CHARS_MAX], comments=True) if isinstance(value, str) else ()
    except ValueError:
        return ()


def _selection(settings: Mapping[str, list[str]]) -> Selection:
    given: dict[str, list[str]] = {name: [] for name in _OPTIONS}
    words = list(settings.get("addopts", ()))
    for at, word in enumerate(words):
        name, sign, value = word.partition("=")
        if name in given:
            given[name] += [value] if sign else words[at + 1 : at + 2]
        elif word[:2] in {"-m", "-k"} and not word.startswith("--"):
            given[word[:2]].append(word[2:])
    return Selection(
        "".join(given["-m"][-1:]),
        "".join(given["-k"][-1:]),
        tuple(given["--ignore"]),
        tuple(given["--deselect"]),
        tuple(settings.get("testpaths", ())),
        tuple(settings.get("python_files", ())),
    )


def _is_below(path: str, folder: str) -> bool:
    plain = posixpath.normpath(folder)
    return plain == "." or path == plain or _matches(path, f"{plain}/*")


def _matches(path: str, pattern: str) -> bool:
    return len(pattern) <= _PATTERN_CHARS_MAX and fnmatchcase(path, pattern)


def _holds(expression: str, is_said: Callable[[str], bool]) -> bool:
    """`slow and not (web or wire)` of names that are said; what cannot be read leaves nothing out."""
    try:
        tree = ast.parse(expression.strip()[:_CHARS_MAX] or "True", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    return _is_true(tree, is_said)


def _is_true(node: ast.expr, is_said: Callable[[str], bool]) -> bool:
    match node:
        case ast.Name(id=name):
            return is_said(name)
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return not _is_true(inner, is_said)
        case ast.BoolOp(op=ast.And(), values=parts):
            return all(_is_true(one, is_said) for one in parts)
        case ast.BoolOp(values=parts):
            return any(_is_true(one, is_said) for one in parts)
        case _:
            return True
