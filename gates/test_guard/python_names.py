"""Names in Python's syntax trees: the last part of one, and what stands for what a test is marked by."""

import ast
from typing import cast

SKIPS = frozenset(
    {"skip", "skipif", "skipIf", "skipUnless", "skipTest", "SkipTest", "importorskip"}
)
FAILS = frozenset({"xfail", "expectedFailure"})
CATCHES_ASSERTIONS = frozenset({"AssertionError", "Exception", "BaseException"})
# What people may give another name, and means the same.
_MEANING = (
    SKIPS | FAILS | CATCHES_ASSERTIONS | {"suppress", "raises", "fixture", "parametrize", "ANY"}
)


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
    """The tree, with another name for a mark or an exception (`later = pytest.mark.skip`) as its own."""
    meant: dict[str, str] = {}
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(names=imported):
                meant |= {one.asname: one.name for one in imported if one.asname}
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Name() | ast.Attribute() as value
            ):
                meant[name] = last_name(value)
            case _:
                pass
    meant = {name: meaning for name, meaning in meant.items() if meaning in _MEANING}
    return cast("ast.Module", _Renamed(meant).visit(tree)) if meant else tree


class _Renamed(ast.NodeTransformer):
    def __init__(self, meant: dict[str, str]) -> None:
        self._meant = meant

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if isinstance(node.ctx, ast.Load):
            node.id = self._meant.get(node.id, node.id)
        return node
