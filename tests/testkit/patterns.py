"""Every regular expression of the project, and how it is asked."""

import ast
import builtins
import importlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

from tests.testkit.planting import ROOT

PROGRAMS = ("action", "bot", "gates")
# A demonstration's own repository, and what runs as it is imported.
_NOT_IMPORTED = re.compile(r"bot\.demo\.material\.|.*\.(?:__main__|migrations\..*)\Z")
# These look at one place of a text; all others at each, as `finditer` does.
_AT_ONE_PLACE = ("match", "fullmatch")
_ASKS = (*_AT_ONE_PLACE, "search", "finditer", "findall", "sub", "subn", "split", "compile")
# A table of tables of patterns.
_DEPTH_MAX = 4


@dataclass(frozen=True)
class Asked:
    """A pattern, where it is written, and the ways in which it is asked."""

    pattern: re.Pattern[Any]
    where: str
    ways: frozenset[str]

    @property
    def at_one_place(self) -> bool:
        """It is asked at the beginning of a text alone."""
        return self.ways <= set(_AT_ONE_PLACE)

    def work(self, text: str) -> None:
        """What the pattern costs for a text."""
        given = text.encode() if isinstance(self.pattern.pattern, bytes) else text
        if "match" in self.ways:
            self.pattern.match(given)
        if "fullmatch" in self.ways:
            self.pattern.fullmatch(given)
        if not self.at_one_place:
            for _ in self.pattern.finditer(given):
                pass


@cache
def modules() -> dict[str, ast.Module]:
    """The modules of the three programs, by their dotted names."""
    found = {}
    for path in sorted(chain.from_iterable((ROOT / top).rglob("*.py") for top in PROGRAMS)):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        if not _NOT_IMPORTED.match(name):
            found[name.removesuffix(".__init__")] = ast.parse(path.read_text())
    return found


def patterns_of(part: str) -> list[Asked]:
    """Those in variables of its modules, however deep, and those that its functions compile."""
    found: dict[tuple[str, str | bytes, int], Asked] = {}
    for name, tree in modules().items():
        for asked in _of_module(name, tree) if f"{name}.".startswith(f"{part}.") else ():
            key = (name, asked.pattern.pattern, asked.pattern.flags)
            found.setdefault(key, asked)
    return list(found.values())


def _of_module(name: str, tree: ast.Module) -> Iterator[Asked]:
    module = importlib.import_module(name)
    imported = {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    own = _ways([tree])
    for variable, value in vars(module).items():
        if variable not in imported:
            ways = (own if variable.startswith("_") else _ways_anywhere()).get(variable, _UNKNOWN)
            for one in _in_value(value):
                yield Asked(one, f"{name}.{variable}", frozenset(ways))
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=ask), args=[_, *_]) if (
                ask in _ASKS
            ):
                if pattern := _compiled(node, vars(module)):
                    yield Asked(pattern, f"{name}: {pattern.pattern!r}", frozenset({ask}))


def _in_value(value: object, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth > _DEPTH_MAX or isinstance(value, type):
        return
    elif isinstance(value, dict):
        for one in chain(value.keys(), value.values()):
            yield from _in_value(one, depth + 1)
    elif isinstance(value, list | tuple | set | frozenset):
        for one in value:
            yield from _in_value(one, depth + 1)
    elif type(value).__module__.partition(".")[0] in PROGRAMS:
        yield from _in_value(getattr(value, "__dict__", {}), depth + 1)


_UNKNOWN = frozenset({"in some way"})


@cache
def _ways_anywhere() -> dict[str, set[str]]:
    return _ways(modules().values())


def _ways(trees: Iterable[ast.Module]) -> dict[str, set[str]]:
    """How names are used: `match` and `fullmatch` at one place of a text, or in some way.

    Loops that ask at one place after another are called by `test_costly_loops`.
    """
    ways: dict[str, set[str]] = defaultdict(set)
    for tree in trees:
        asked: dict[int, str] = {}
        # Whoever calls comes before what is called.
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Attribute(value=owner, attr=ask), args=[_, *_]):
                    asked[id(owner)] = ask
                case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name):
                    ask = asked.get(id(node), "")
                    ways[name] |= {ask} if ask in _AT_ONE_PLACE else _UNKNOWN
                case _:
                    pass
    return ways


class _Word(str):
    """A value that only a running function knows: some word, also where it is called."""

    def __getattr__(self, _name: str) -> "_Word":
        return self

    def __call__(self, *_given: object) -> "_Word":
        return self


class _Names(dict[str, object]):
    def __missing__(self, _name: str) -> _Word:
        return _Word("word")


def _compiled(call: ast.Call, names: dict[str, Any]) -> re.Pattern[Any] | None:
    known = _Names({**vars(builtins), **names})

    def value(node: ast.expr) -> Any:  # noqa: ANN401
        return eval(compile(ast.Expression(node), "here", "eval"), {}, known)  # noqa: S307

    flags = [node for node in (*call.args[1:], *(k.value for k in call.keywords)) if _is_flag(node)]
    try:
        pattern = value(call.args[0])
        if isinstance(pattern, re.Pattern):
            return pattern
        return re.compile(pattern, sum((int(value(flag)) for flag in flags), 0))
    except (TypeError, re.error):
        return None


def _is_flag(node: ast.expr) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="re")):
            return True
        case ast.BinOp(left=left, right=right):
            return _is_flag(left) and _is_flag(right)
        case _:
            return False
