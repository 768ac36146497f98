"""Lists that a test file takes its rows from, where they stand in another file of the tree.

A list counts where it is written out and named nowhere else in its file, so that nothing takes rows out of it.
"""

import ast
import json
import posixpath
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from gates.test_guard.lexed_conditions import name_before
from gates.test_guard.python_walk import walk
from gates.test_guard.taken_elsewhere import Taken, with_helpers
from gates.test_guard.tokens import Kind, Language, closing, tokens_of

_JAVASCRIPT = re.compile(r"\.[cm]?[jt]sx?$")
_ENDINGS = ("", ".ts", ".js", ".tsx", ".jsx", ".mjs", ".mts", ".cjs", "/index.ts", "/index.js")
_IMPORTED = re.compile(
    r"^import\s+(?:(?P<whole>\w+)|\{(?P<names>[^{}\"']{1,2000})\})\s+from\s+[\"'](?P<path>\.[^\"'\n]{1,200})[\"']",
    re.MULTILINE,
)
_REQUIRED = re.compile(r"\brequire\(\s*[\"'](\.[^\"'\n]{1,200}\.json)[\"']\s*\)")
_EXPORTED = re.compile(r"\bexport\s+(?:default|(?:const|let)\s[^=\n]{1,200}=)\s*\[")
_CHARS_MAX = 200_000


def may_hold_rows(path: str) -> bool:
    return path.endswith((".py", ".json")) or _JAVASCRIPT.search(path) is not None


@dataclass(frozen=True)
class Use:
    """A list of another file: the path it may have, its name there (empty: the whole), its name here."""

    paths: tuple[str, ...]
    name: str
    own: str


def uses(path: str, source: str) -> tuple[Use, ...]:
    """What a test file imports that may be a list; never raises."""
    if path.endswith(".py"):
        return tuple(_python_uses(path, source))
    return tuple(_javascript_uses(path, source)) if _JAVASCRIPT.search(path) else ()


def written_out(path: str, source: str, texts: Mapping[str, str]) -> str:
    """A test file with the lists and helpers at its end that stand in other files; `texts` are those of the paths."""
    added: list[str] = []
    taken: list[Taken] = []
    lists: dict[str, dict[str, str]] = {}
    for use in uses(path, source):
        found = [one for one in use.paths if one in texts]
        if len(found) != 1:
            continue
        if found[0] not in lists:
            lists[found[0]] = lists_of(found[0], texts[found[0]])
        rows = lists[found[0]].get(use.name)
        if rows is None:
            taken.append(Taken(found[0], texts[found[0]], use.name, use.own))
        elif use.own.startswith("require"):
            source = source.replace(use.own, rows)
        elif path.endswith(".py"):
            added.append(f"\n{use.own} = {rows}\n")
        else:
            added.append(f"\nconst {use.own} = {rows};\n")
    written = source + "".join(added)
    return with_helpers(written, taken) if taken and path.endswith(".py") else written


def _python_uses(path: str, source: str) -> Iterator[Use]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    given = {
        n.id for n in walk(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)
    }
    folder = posixpath.dirname(path)
    for node in tree.body:
        if not isinstance(node, ast.ImportFrom):
            continue
        file = (node.module or "").replace(".", "/") + ".py"
        folders = (
            ["/".join([folder, *[".."] * (node.level - 1)])] if node.level else [folder, "", "src"]
        )
        paths = tuple(dict.fromkeys(_joined(one, file) for one in folders))
        for one in node.names:
            own = one.asname or one.name
            if own not in given:
                yield Use(paths, one.name, own)


def _javascript_uses(path: str, source: str) -> Iterator[Use]:
    folder = posixpath.dirname(path)
    for found in _IMPORTED.finditer(source):
        paths = tuple(dict.fromkeys(javascript_files(folder, found["path"])))
        if found["whole"]:
            yield Use(paths, "", found["whole"])
        for one in (found["names"] or "").split(","):
            name, _, own = one.strip().removeprefix("type ").partition(" as ")
            if name:
                yield Use(paths, name.strip(), (own or name).strip())
    for found in _REQUIRED.finditer(source):
        yield Use((_joined(folder, found[1]),), "", found[0])


def javascript_files(folder: str, module: str) -> Iterator[str]:
    """The files that an import of a module may mean, seen from a folder."""
    plain = _joined(folder, module)
    bare = re.sub(r"\.[cm]?js$", "", plain)
    yield from (plain, *(f"{bare}{one}" for one in _ENDINGS))


def _joined(folder: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(folder, path))


def lists_of(path: str, text: str) -> dict[str, str]:
    """The lists that a file writes out, by their names; an empty name is that of the whole file. Never raises."""
    if len(text) > _CHARS_MAX:
        return {}
    if path.endswith(".json"):
        return _json_lists(text)
    return dict(_python_lists(text) if path.endswith(".py") else _javascript_lists(text))


def _json_lists(text: str) -> dict[str, str]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return {"": json.dumps(value)} if isinstance(value, list) else {}


def _python_lists(text: str) -> Iterator[tuple[str, str]]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    times = Counter(one.id for one in walk(tree) if isinstance(one, ast.Name))
    for node in tree.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.List() | ast.Tuple() as value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.List() | ast.Tuple() as value)
            ) if times[name] == 1:
                yield name, ast.unparse(value)
            case _:
                pass


def _javascript_lists(text: str) -> Iterator[tuple[str, str]]:
    if _EXPORTED.search(text) is None:
        return
    tokens = tokens_of(text, Language.JAVASCRIPT) or []
    times = Counter(one.text for one in tokens if one.kind is Kind.WORD)
    for at, (token, after) in enumerate(pairwise(tokens)):
        if token.text in {"=", "default"} and after.text == "[":
            name = name_before(tokens, at) if token.text == "=" else ""
            if times[name] == 1 or (not name and token.text == "default"):
                yield name, text[after.start : tokens[closing(tokens, at + 1)].end]


def importing(texts: Mapping[str, str], changed: Collection[str]) -> list[str]:
    """Those of the test files that take something from one of the changed files."""
    stems = {posixpath.basename(one).partition(".")[0] for one in changed}
    return [
        path
        for path, text in texts.items()
        if any(stem in text for stem in stems)
        and any(not set(changed).isdisjoint(use.paths) for use in uses(path, text))
    ]
