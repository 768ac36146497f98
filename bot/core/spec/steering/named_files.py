"""Which files of a tree a shell line starts or is configured by.

A line is read with care, not run: every word that stands where a program, a script or a configuration
is named counts, also one that would not be reached.
"""

import json
import posixpath
import re
import shlex
from collections.abc import Iterable, Iterator
from contextlib import suppress
from fnmatch import fnmatchcase
from itertools import dropwhile

_COMMANDS = re.compile(r"\|\||&&|[;&|\n()`{}]|\$\(")
_BRACES = re.compile(r"\$\{(\w{1,80}+)[^}]{0,200}+\}")
# What a command is given by another stands in it as one word, and is read as a command of its own.
_SUBSTITUTED = re.compile(r"\$\(([^()]*)\)|`([^`]*)`")
_WORD_OF_ANOTHER = "$_"
# Deeper ones are parted at their signs like all else.
_SUBSTITUTED_DEPTH_MAX = 20
# A line is in few folders; a pattern is short.
_FOLDERS_MAX, _PATTERN_MAX = 50, 200
# A longer command is parted at its blanks.
_COMMAND_MAX = 10_000
_ASSIGNMENT = re.compile(r"\w+=")
# `$ROOT/ci/check.sh`: where the variable points is not known, the rest is a path of the tree.
_VARIABLE = re.compile(r"^\$\w+/|^/+")
_INTERPRETERS = re.compile(
    r"(?:ba|da|z|k)?sh|source|\.|python[\d.]*|pypy\d?|node|deno|bun|tsx|ts-node|ruby|perl|php|lua|"
    r"Rscript|awk|gawk|sed|exec|env|time|nice|timeout|xargs|command|run"
)
_SHELLS = re.compile(r"(?:ba|da|z|k)?sh")
# They look at files and start none; their options are others.
_ASKING = frozenset({"test", "[", "[[", "echo", "printf"})
# Options whose value is a file or a module that steers.
_OPTIONS = frozenset(
    {
        "-c",
        "-f",
        "-p",
        "-r",
        "--config",
        "--config-file",
        "--conf",
        "--rcfile",
        "--file",
        "--require",
    }
    | {"--import", "--loader", "--project", "--makefile", "--justfile", "--script", "--ini-file"}
)
_SCRIPTS_OF = ("package.json",)
# What a pattern may name: scripts, never the files that they look at.
_SCRIPTS = (".sh", ".bash", ".zsh", ".ksh", ".bats")
_PATH = re.compile(r"[\w./-]+")
_PYTHONPATH = re.compile(r"\bPYTHONPATH=[\"']?([^\s\"';&|]+)")


def named_files(lines: Iterable[str], paths: frozenset[str], folder: str = "") -> frozenset[str]:
    """The files among `paths` that shell lines start or are configured by.

    The lines are run at the top; those of a script may mean its own folder, too.
    """
    folders = ["", folder] if folder else [""]
    return frozenset(
        path for line in dict.fromkeys(lines) for path in _named_in(line, paths, folders)
    )


def shell_scripts(texts: Iterable[str], paths: frozenset[str]) -> frozenset[str]:
    """The shell scripts that other code names, wherever."""
    words = {posixpath.normpath(one) for text in texts for one in _PATH.findall(text)}
    return frozenset(word for word in words & paths if word.endswith(_SCRIPTS))


def roots_of(lines: Iterable[str]) -> frozenset[str]:
    """The folders that lines put into `PYTHONPATH`; "" is the top."""
    plain = (_BRACES.sub(r"$\1", line) for line in lines)
    said = (part for line in plain for one in _PYTHONPATH.findall(line) for part in one.split(":"))
    places = (posixpath.normpath(_VARIABLE.sub("", one)) for one in said)
    return frozenset("" if place in {".", "$PWD"} else place for place in places)


def lines_of(path: str, content: bytes) -> tuple[str, ...]:
    """The shell lines of a script, a Makefile or a package.json; words that are none do no harm."""
    text = content.decode("utf-8", "replace")
    if posixpath.basename(path) not in _SCRIPTS_OF:
        return (text,)
    try:
        scripts = json.loads(text).get("scripts", {})
        return tuple(str(line) for line in scripts.values())
    except (ValueError, AttributeError, RecursionError):
        return (text,)


def _named_in(line: str, paths: frozenset[str], known: list[str]) -> Iterator[str]:
    folders = dict.fromkeys(known)
    places: dict[tuple[str, str], None] = {}
    for command in _commands(_BRACES.sub(r"$\1", line)):
        words = _words(command)
        places.update(
            ((folder, place), None) for place in _steering_words(words) for folder in folders
        )
        if words[:1] == ["cd"] and len(words) > 1 and len(folders) < _FOLDERS_MAX:
            # Later commands may be in that folder, or back from it.
            folders[posixpath.normpath(_VARIABLE.sub("", words[1]))] = None
        for shell_line in _shell_lines(words):
            yield from _named_in(shell_line, paths, [*folders])
    for folder, place in places:
        yield from _found(folder, place, paths)


def _commands(line: str) -> list[str]:
    inner: list[str] = []

    def taken_out(match: re.Match[str]) -> str:
        inner.extend(_COMMANDS.split(match[1] or match[2] or ""))
        return _WORD_OF_ANOTHER

    for _ in range(_SUBSTITUTED_DEPTH_MAX):
        line, found = _SUBSTITUTED.subn(taken_out, line)
        if not found:
            break
    return [*inner, *_COMMANDS.split(line)]


def _words(command: str) -> list[str]:
    words = list(dropwhile(_comes_before, _parted(command)))
    # A Makefile's recipe may begin with `@` or `-`.
    return [words[0].lstrip("@-"), *words[1:]] if words else []


def _parted(command: str) -> list[str]:
    if len(command) <= _COMMAND_MAX:
        with suppress(ValueError):
            return shlex.split(command, comments=True)
    return command.replace('"', " ").replace("'", " ").split()


def _comes_before(word: str) -> bool:
    return word in {"!", "@", "-", "then", "do", "if"} or _ASSIGNMENT.match(word) is not None


def _steering_words(words: list[str]) -> Iterator[str]:
    if not words or words[0] in _ASKING:
        return
    yield words[0]
    if words[0] == _WORD_OF_ANOTHER:
        yield from _argument_of(words, 1)
    if words[0] == "for":
        yield from filter(_is_pattern, words)
    if posixpath.basename(words[0]) == "bats":
        yield from (name for word in words[1:] for name in (word, f"{word}/*.bats"))
    for at, word in enumerate(words):
        name = posixpath.basename(word)
        if _INTERPRETERS.fullmatch(name):
            yield from _argument_of(words, at + 1)
        option, is_set, value = word.partition("=")
        if is_set and option.startswith("-"):
            yield value
        elif word in _OPTIONS and at + 1 < len(words):
            yield words[at + 1]


def _argument_of(words: list[str], start: int) -> Iterator[str]:
    """The script or the module that an interpreter is started with, from a place among the words on."""
    for at in range(start, len(words)):
        word = words[at]
        if word == "-m" and at + 1 < len(words):
            yield words[at + 1]
            return
        if word == "--test":
            # What `node --test` is given are tests.
            return
        if not word.startswith("-"):
            yield word
            return


def _shell_lines(words: list[str]) -> Iterator[str]:
    for at, word in enumerate(words[:-2]):
        if _SHELLS.fullmatch(posixpath.basename(word)) and words[at + 1].endswith("c"):
            yield words[at + 2]


def _found(folder: str, word: str, paths: frozenset[str]) -> Iterator[str]:
    plain = _VARIABLE.sub("", word)
    if not plain:
        return
    path = posixpath.normpath(posixpath.join(folder, plain))
    if _is_pattern(plain):
        scripts = (one for one in paths if one.endswith(_SCRIPTS))
        yield from (one for one in scripts if fnmatchcase(one, path))
        return
    module = path.replace(".", "/")
    candidates = [path, f"{path}/__main__.py"]
    if re.fullmatch(r"[\w.]+", plain):
        roots = (module, f"src/{module}")
        candidates += [f"{root}{end}" for root in roots for end in (".py", "/__main__.py")]
    yield from (candidate for candidate in candidates if candidate in paths)


def _is_pattern(word: str) -> bool:
    return len(word) <= _PATTERN_MAX and any(sign in word for sign in "*?[")
