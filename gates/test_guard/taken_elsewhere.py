"""Functions and classes that a test file in Python takes from a helper of the tree: they run as if they stood in it.

So a decorator that lets nothing fail, or a helper that asserts nothing any more, counts where it is used.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from gates.test_guard.aware import is_product_code
from gates.test_guard.python_reach import swallows
from gates.test_guard.python_swallow import swallowing
from gates.test_guard.python_walk import walk

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_CHARS_MAX = 200_000
# So many definitions are followed from one name.
_FOLLOWED_MAX = 50


@dataclass(frozen=True)
class Taken:
    """A name of a helper's text, and the name that the test file has for it."""

    path: str
    text: str
    name: str
    own: str


def with_helpers(source: str, taken: Iterable[Taken]) -> str:
    """The test file with the definitions at its end; what it defines itself stays as it is. Never raises."""
    own = _names_of(source)
    added: dict[str, str] = {}
    parsed: dict[str, Mapping[str, _Definition]] = {}
    for one in taken:
        if one.path not in parsed:
            parsed[one.path] = definitions_of(one.text)
        if _counts(source, one):
            for name, text in _followed(one, parsed[one.path]):
                if name not in own:
                    added.setdefault(name, text)
    return source + "".join(f"\n\n{text}\n" for text in added.values())


def _counts(source: str, one: Taken) -> bool:
    """Whether it is a helper of tests, or stands around what asserts."""
    around = rf"(?m)^[ \t]*@{re.escape(one.own)}\b|\bwith [^\n]{{0,200}}\b{re.escape(one.own)}\("
    return not is_product_code(one.path) or re.search(around, source) is not None


def _followed(one: Taken, known: Mapping[str, _Definition]) -> Iterator[tuple[str, str]]:
    if one.name not in known:
        return
    left, seen = [one.name], {one.name}
    while left and len(seen) <= _FOLLOWED_MAX:
        name = left.pop()
        node = known[name]
        text = ast.unparse(node)
        if name == one.name != one.own:
            text = re.sub(rf"\b{re.escape(name)}\b", one.own, text, count=1)
        yield one.own if name == one.name else name, text
        new = {n.id for n in walk(node) if isinstance(n, ast.Name)} & known.keys() - seen
        seen |= new
        left += sorted(new)


def definitions_of(text: str) -> Mapping[str, _Definition]:
    """The functions and classes at the top of a file, by their names; none where it cannot be read."""
    tree = _parsed(text)
    return {node.name: node for node in tree.body if isinstance(node, _Definition)}


def has_other_helpers(path: str, before: str, after: str) -> bool:
    """Whether what test files may take from a file is something else: of the product's only what catches failures."""
    if is_product_code(path):
        return bool(_swallowing(after) - _swallowing(before))
    was, now = definitions_of(before), definitions_of(after)
    return any(
        name not in now or ast.dump(now[name]) != ast.dump(node) for name, node in was.items()
    )


def _swallowing(text: str) -> frozenset[str]:
    return (
        swallowing(_parsed(text), swallows) if "except" in text or "def __" in text else frozenset()
    )


def _parsed(text: str) -> ast.Module:
    if len(text) > _CHARS_MAX:
        return ast.Module([], [])
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def _names_of(source: str) -> frozenset[str]:
    return frozenset(
        name
        for node in _parsed(source).body
        for name in (
            [node.name]
            if isinstance(node, _Definition)
            else [
                n.id for n in walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
            ]
        )
    )
