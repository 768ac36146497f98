"""What a file has of its own to catch failed assertions: context managers, and decorators.

Where one is used, the tree says so plainly afterwards: `with suppress(AssertionError):`.
"""

import ast
from collections.abc import Callable, Iterator
from typing import cast

from gates.test_guard.python_names import CATCHES_ASSERTIONS, last_name
from gates.test_guard.python_walk import Function, walk

_MAKERS = frozenset({"contextmanager", "asynccontextmanager"})
_EXITS = frozenset({"__exit__", "__aexit__"})


def told_plainly(tree: ast.Module, swallows: Callable[[ast.Try | ast.TryStar], bool]) -> ast.Module:
    """`swallows` says whether a `try` lets no failed assertion through."""
    managers, decorators = _managers_and_decorators(tree, swallows)
    if not managers and not decorators:
        return tree
    return cast("ast.Module", _Plain(managers, decorators).visit(tree))


def swallowing(
    tree: ast.Module, swallows: Callable[[ast.Try | ast.TryStar], bool]
) -> frozenset[str]:
    return frozenset[str]().union(*_managers_and_decorators(tree, swallows))


def _managers_and_decorators(
    tree: ast.Module, swallows: Callable[[ast.Try | ast.TryStar], bool]
) -> tuple[set[str], set[str]]:
    managers: set[str] = set()
    decorators: set[str] = set()
    for node in walk(tree):
        match node:
            case ast.ClassDef() if any(_is_calm_exit(one) for one in node.body):
                managers.add(node.name)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                tries = [one for one in walk(node) if isinstance(one, ast.Try | ast.TryStar)]
                caught = [inner for one in tries if swallows(one) for inner in _below(one.body)]
                if any(last_name(one) in _MAKERS for one in node.decorator_list):
                    if any(isinstance(one, ast.Yield) for one in caught):
                        managers.add(node.name)
                elif node.args.args and _calls(caught, node.args.args[0].arg):
                    decorators.add(node.name)
            case _:
                pass
    return managers, decorators


def _is_calm_exit(node: ast.stmt) -> bool:
    """`def __exit__(…): return True`; an answer that asks for other errors is none."""
    if not isinstance(node, Function) or node.name not in _EXITS:
        return False
    for inner in walk(node):
        if isinstance(inner, ast.Return) and inner.value is not None:
            names = {last_name(one) for one in walk(inner.value) if isinstance(one, ast.expr)}
            is_true = isinstance(inner.value, ast.Constant) and bool(inner.value.value)
            if is_true or names & CATCHES_ASSERTIONS:
                return True
    return False


def _below(body: list[ast.stmt]) -> Iterator[ast.AST]:
    return (inner for node in body for inner in walk(node))


def _calls(nodes: list[ast.AST], name: str) -> bool:
    return any(
        isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == name
        for one in nodes
    )


class _Plain(ast.NodeTransformer):
    def __init__(self, managers: set[str], decorators: set[str]) -> None:
        self._managers = managers
        self._decorators = decorators

    def visit_With(self, node: ast.With) -> ast.AST:
        for item in node.items:
            call = item.context_expr
            if last_name(call) in self._managers:
                item.context_expr = _suppress(call)
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if any(last_name(one) in self._decorators for one in node.decorator_list):
            first = node.body[0]
            inner = ast.With(
                items=[ast.withitem(context_expr=_suppress(first))], body=list(node.body)
            )
            node.body = [cast("ast.stmt", ast.copy_location(inner, first))]
        return self.generic_visit(node)


def _suppress(at: ast.AST) -> ast.expr:
    made = ast.parse("suppress(AssertionError)", mode="eval").body
    for inner in walk(made):
        ast.copy_location(inner, at)
    return made
