"""Limits of linters, bundlers and budgets that a change raises or drops."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gates.asked_less.weaker import Edited, Less, Weaker

_FILE = re.compile(
    r"(?:^|/)(?:\.?eslintrc[\w.]*|eslint\.config\.\w+|\.flake8|setup\.cfg|tox\.ini|pyproject\.toml|\.?ruff\.toml|\.?pylintrc"
    r"|\.golangci\.\w+|\.?clippy\.toml|biome\.jsonc?|\.rubocop\.yml|\.stylelintrc[\w.]*|stylelint\.config\.\w+|package\.json"
    r"|\.?lighthouserc[\w.]*|budgets?\.json|angular\.json|\.size-limit[\w.]*|\.bundlesize\w*|webpack\.config\.\w+|Makefile"
    r"|\.markdownlint[\w.-]*)$"
)
_LIMIT = re.compile(
    r"(?<!\w)(?<!\w-)(?P<name>max[A-Za-z]{0,60}+(?:[-_][A-Za-z]{1,30}+){0,5}|line[-_]length|cyclop|gocyclo"
    r"|[a-z]{1,30}(?:-[a-z]{1,30}){0,4}-threshold|limit|budget)[\"']?[ \t]*[:= \[(]"
    r"[^\d\n]{0,40}(?P<number>\d{1,9}(?:\.\d{1,3})?)[ \t]*(?P<unit>[kKmM]?[bB]\b|m?s\b)?"
)
# How much a tool may do at once is no bound on what is judged.
_OTHER = re.compile(
    r"worker|parallel|proc|thread|memory|old.?space|age|fail|retr|version|concurren|cache|requests|jobs|python|support"
)
_LENGTH = "line length"
_LINE_LENGTH = re.compile(r"max(?:line)?len(?:gth)?|linelength")
_SECTION = re.compile(r"^\[[^\]\n]{1,80}\]+[ \t]*$", re.MULTILINE)
_UNITS = {"kb": 1_000.0, "mb": 1_000_000.0, "b": 1.0, "s": 1_000.0, "ms": 1.0, "": 1.0}


@dataclass(frozen=True)
class _Limit:
    path: str
    line: int
    name: str
    number: float
    section: str


def is_limits_path(path: str) -> bool:
    return _FILE.search(path) is not None


def raised(files: Iterable[Edited]) -> Iterator[Weaker]:
    """The limits that are higher than before, or gone, over all these files; never raises."""
    old: defaultdict[str, list[_Limit]] = defaultdict(list)
    new: defaultdict[str, list[_Limit]] = defaultdict(list)
    there: defaultdict[str, set[str]] = defaultdict(set)
    for file in files:
        there[file.path] = {"", *_sections(file.after)} if file.after else set()
        for into, text in ((old, file.before), (new, file.after)):
            for limit in _limits(file.path, text):
                into[_plain(limit.name)].append(limit)
    for name, before in old.items():
        now = sorted(new.get(name, []), key=lambda one: one.number)
        before.sort(key=lambda one: one.number)
        for at, was in enumerate(before):
            if at >= len(now):
                # Every tool has a length of its own; and with its section a limit goes with the tool.
                if name == _LENGTH or was.section not in there[was.path]:
                    continue
                said = f"`{was.name}` was {was.number:.12g} and was removed."
                yield Weaker(Less.LIMIT, was.path, 1, said)
            elif now[at].number > was.number:
                one = now[at]
                said = f"`{one.name}` was {was.number:.12g} and is {one.number:.12g} now."
                yield Weaker(Less.LIMIT, one.path, one.line, said)


def _limits(path: str, text: str) -> Iterator[_Limit]:
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith(("#", "//")):
            continue
        section = next(_sections(line), section)
        for match in _LIMIT.finditer(line[:500]):
            name = match["name"]
            if not _OTHER.search(_plain(name)):
                unit = _UNITS.get((match["unit"] or "").lower(), 1.0)
                yield _Limit(path, number, name, float(match["number"]) * unit, section)


def _sections(text: str) -> Iterator[str]:
    return (found[0].strip() for found in _SECTION.finditer(text))


def _plain(name: str) -> str:
    text = re.sub(r"[-_]", "", name).lower()
    return _LENGTH if _LINE_LENGTH.fullmatch(text) else text
