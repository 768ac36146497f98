"""Names in Python's syntax trees: the last part of one, and what stands for what a test is marked by."""

import ast
from collections.abc import Iterable, Iterator
from typing import cast

from gates.test_guard.python_walk import walk

SKIPS = frozenset(
    {"skip", "skipif", "skipIf", "skipUnless", "skipTest", "SkipTest", "importorskip"}
)
FAILS = frozenset({"xfail", "expectedFailure"})
# pytest-rerunfailures, flaky, and what people use for tests that are meant for other code.
TRIES_AGAIN = frozenset({"flaky", "retry", "retries", "rerun", "reruns", "retrying"})
CATCHES_ASSERTIONS = frozenset({"AssertionError", "Exception", "BaseException"})
# What people may give another name, and means the same.
_MEANING = (
    SKIPS
    | FAILS
    | TRIES_AGAIN
    | CATCHES_ASSERTIONS
    | {"suppress", "raises", "fixture", "parametrize", "ANY"}
)


def given_in(body: Iterable[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    """Each plain name that a block gives a value, with that value."""
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, value
            case _:
                pass


def last_name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=func):
            return last_name(func)
        case _:
            return ""


def dotted(node: ast.expr) -> str:
    """`pytest.exit` as it is written; empty for anything but names."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            return f"{outer}.{name}" if (outer := dotted(value)) else ""
        case _:
            return ""


def without_aliases(tree: ast.Module) -> ast.Module:
    """The tree, with another name for a mark or an exception (`later = pytest.mark.skip`) as its own, and
    with what a name stands for where it is caught, or entered."""
    meant: dict[str, str] = {}
    catching: dict[str, ast.expr] = {}
    for node in walk(tree):
        match node:
            case ast.ImportFrom(names=imported):
                meant |= {one.asname: one.name for one in imported if one.asname}
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Name() | ast.Attribute() as value
            ):
                meant[name] = last_name(value)
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=func, args=[ast.Name() | ast.Attribute() as first, *_]),
            ) if last_name(func) == "partial":
                meant[name] = last_name(first)
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Tuple() | ast.List() | ast.Call() as value
            ) if _says_catching(value):
                catching[name] = value
            case _:
                pass
    meant = {name: meaning for name, meaning in meant.items() if meaning in _MEANING}
    return cast("ast.Module", _Renamed(meant, catching).visit(tree))


def _says_catching(value: ast.expr) -> bool:
    """`(AssertionError, ValueError)` and `suppress(Exception)`, but for what only looks at one."""
    if isinstance(value, ast.Call) and last_name(value.func) not in {"suppress", "tuple"}:
        return False
    return any(
        isinstance(one, ast.expr) and last_name(one) in CATCHES_ASSERTIONS for one in walk(value)
    )


class _Renamed(ast.NodeTransformer):
    def __init__(self, meant: dict[str, str], catching: dict[str, ast.expr]) -> None:
        self._meant = meant
        self._catching = catching

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if isinstance(node.ctx, ast.Load):
            node.id = self._meant.get(node.id, node.id)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name(id="getattr"), args=[of, ast.Constant(value=str(name))]):
                return ast.copy_location(ast.Attribute(of, name, ast.Load()), node)
            case ast.Call(func=ast.Name(id="getattr"), args=[ast.Attribute(attr="mark") as of, _]):
                # A mark whose name is put together is not meant to be read.
                return ast.copy_location(ast.Attribute(of, "skip", ast.Load()), node)
            case ast.Call(func=func, args=[*_, ast.Starred(value=ast.Name(id=name))]):
                if last_name(func) == "suppress" and name in self._catching:
                    node.args = [self._catching[name]]
            case _:
                pass
        return node

    def visit_With(self, node: ast.With) -> ast.With:
        for item in node.items:
            match item.context_expr:
                case ast.Name(id=name) if name in self._catching:
                    item.context_expr = self._catching[name]
                case _:
                    pass
        self.generic_visit(node)
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        match node.type:
            case ast.Name(id=name) if name in self._catching:
                node.type = self._catching[name]
            case _:
                pass
        match node.type:
            case ast.Call(args=[ast.Tuple() | ast.List() as kinds]) | (ast.List() as kinds):
                node.type = ast.copy_location(ast.Tuple(kinds.elts, ast.Load()), kinds)
            case _:
                pass
        self.generic_visit(node)
        return node
