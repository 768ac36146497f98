"""The context of a spec: the repository's folders and files, their symbols, other specs.

The most similar comes first, and everything is cut to a number of tokens for each requirement, so
that planners get as much context for a requirement of a large spec as for one of a small spec. The
shell reads paths and texts.
"""

import ast
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from bot.core.plan.vocabulary import terms
from bot.core.prompts.plan_layout import tokens_of
from bot.core.spec.policy_file import WATCHED
from bot.core.spec.roots import paths_under, root_of
from bot.core.values.ids import Frozen
from bot.core.values.spec_model import Requirement

# Tokens of context for one requirement; a planner that needs more would have to be an agent.
_TOKENS_A_REQUIREMENT = 36
_TOKENS_MIN = 320
_TOKENS_MAX = 1_200
# How they are divided among folders, files with symbols, specs, and open work.
FOLDERS_SHARE, FILES_SHARE, SPECS_SHARE, UNDER_WAY_SHARE = 0.25, 0.4, 0.2, 0.15

# The maximum of files for one prompt, and of a file's length.
FILES_MAX = 24
SPECS_MAX = 8
FILE_BYTES_MAX = 200_000

_SYMBOLS_MAX = 8
_METHODS_MAX = 6
_TITLES_MAX = 12
_WORD = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}")
# A file that a requirement names exactly comes first.
_NAMED_WEIGHT = 100.0

_MAIN_SPEC = re.compile(r"^(?:.*/)?openspec/specs/.+\.md$")


class SpecBeside(Frozen):
    path: str
    titles: tuple[str, ...]


class RepositoryContext(Frozen):
    """`symbols` maps a path to what the file defines."""

    paths: tuple[str, ...] = ()
    symbols: dict[str, tuple[str, ...]] = {}
    specs: tuple[SpecBeside, ...] = ()


def tokens_beside(count: int) -> int:
    """The limit of tokens of context in a prompt about so many requirements."""
    return max(_TOKENS_MIN, min(_TOKENS_A_REQUIREMENT * count, _TOKENS_MAX))


def bounded(lines: Iterable[str], tokens_max: float) -> tuple[str, ...]:
    kept: list[str] = []
    room = tokens_max
    for line in lines:
        room -= tokens_of(line) + 1
        if room < 0:
            break
        kept.append(line)
    return tuple(kept)


def near_files(paths: Sequence[str], requirements: Sequence[Requirement]) -> tuple[str, ...]:
    """Files that requirements name, then those with similar words in their paths."""
    return _ranked(paths, requirements)[:FILES_MAX]


def near_specs(
    paths: Sequence[str], own: str, requirements: Sequence[Requirement]
) -> tuple[str, ...]:
    """Files of other specs (main specs, and besides the spec at `own`), the most similar first."""
    beside = paths_under(paths, (*WATCHED, f"{own.rpartition('/')[0]}/" if "/" in own else own))
    other = [p for p in beside if _MAIN_SPEC.match(p) or root_of(p) not in (None, own)]
    return tuple(dict.fromkeys((*_ranked(other, requirements), *other)))[:SPECS_MAX]


def _ranked(paths: Sequence[str], requirements: Sequence[Requirement]) -> tuple[str, ...]:
    """The paths that share words with the requirements, the most similar first."""
    said = terms(" ".join(f"{r.title} {r.statement}" for r in requirements))
    named = {name.lower().lstrip("./") for r in requirements for name in r.resources}
    words = {path: path_words(path) for path in paths}
    common = Counter(word for found in words.values() for word in found)

    def _nearness(path: str) -> float:
        lowered = path.lower()
        is_named = lowered in named or lowered.rpartition("/")[2] in named
        # A word that half of the paths share says nothing about one of them.
        alike = sum(math.log(1 + len(paths) / common[w]) for w in words[path] & said)
        return (_NAMED_WEIGHT if is_named else 0.0) + alike

    near = {path: nearness for path in paths if (nearness := _nearness(path)) > 0}
    return tuple(sorted(near, key=lambda path: (-near[path], path)))


def path_words(path: str) -> frozenset[str]:
    found = [word.lower() for word in _WORD.findall(path.rpartition(".")[0] or path)]
    return frozenset((*found, *(f"{w}s" for w in found)))


def symbols_of(path: str, text: str) -> tuple[str, ...]:
    """The public definitions of a Python file; empty for other or invalid files."""
    if not path.endswith(".py"):
        return ()
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    found = [name for node in tree.body if (name := _symbol(node))]
    return tuple(found[:_SYMBOLS_MAX])


def _symbol(node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return "" if node.name.startswith("_") else f"{node.name}()"
    if not isinstance(node, ast.ClassDef) or node.name.startswith("_"):
        return ""
    methods = [
        one.name
        for one in node.body
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and not one.name.startswith("_")
    ]
    return f"{node.name}({', '.join(methods[:_METHODS_MAX])})" if methods else node.name


def folder_lines(around: RepositoryContext) -> tuple[str, ...]:
    """The folders with their sizes; the largest first if not all fit."""
    folders = Counter(path.rpartition("/")[0] or "." for path in around.paths)
    return tuple(f"{folder}/ ({count} files)" for folder, count in folders.most_common())


def file_lines(around: RepositoryContext, requirements: Sequence[Requirement]) -> tuple[str, ...]:
    """The most similar files, with their definitions."""
    return tuple(
        f"{path}: {', '.join(around.symbols[path])}" if around.symbols.get(path) else path
        for path in near_files(around.paths, requirements)
    )


def spec_lines(around: RepositoryContext, requirements: Sequence[Requirement]) -> tuple[str, ...]:
    """One line for each other spec; those with similar requirements first."""
    said = terms(" ".join(f"{r.title} {r.statement}" for r in requirements))
    lines = []
    for one in around.specs:
        titles = sorted(one.titles, key=lambda title: -len(terms(title) & said))
        lines.append(f"{one.path}: {'; '.join(titles[:_TITLES_MAX])}".rstrip(": "))
    return tuple(lines)
