"""What of a test in Python can be reached, and whose failure reaches the runner."""

import ast
from collections.abc import Iterable, Sequence

from gates.test_guard.python_names import CATCHES_ASSERTIONS, SKIPS, last_name
from gates.test_guard.python_strength import is_assertion

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def living(body: Sequence[ast.stmt]) -> list[ast.AST]:
    """Every node of a block that can be reached, and whose failed assertion is not caught.

    A function inside of it counts where it has a decorator, or its name is used.
    """
    used = {name for node in body for name in _used(node)}
    return _living(body, used)


# What fails in another thread or process fails no test.
_ELSEWHERE = frozenset({"Thread", "Process", "Timer", "start_new_thread"})


def _used(node: ast.AST) -> Iterable[str]:
    """The names that are read, but for what is only handed to another thread."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield node.id
    if isinstance(node, ast.Call) and last_name(node.func) in _ELSEWHERE:
        yield from _used(node.func)
        return
    for child in ast.iter_child_nodes(node):
        yield from _used(child)


def _living(body: Sequence[ast.stmt], used: set[str]) -> list[ast.AST]:
    found: list[ast.AST] = []
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if node.name in used or node.decorator_list:
                    found += _living(node.body, used)
            case ast.ClassDef():
                found += _living(
                    node.body, used | {one.name for one in node.body if isinstance(one, _Function)}
                )
            case ast.If() | ast.While() if (known := _constant(node.test)) is not None:
                found += _living(node.body if known else node.orelse, used)
            case ast.For() if _is_empty(node.iter):
                found += _living(node.orelse, used)
            case ast.If() | ast.For() | ast.AsyncFor() | ast.While():
                found += [
                    node,
                    *_heads(node),
                    *_living(node.body, used),
                    *_living(node.orelse, used),
                ]
            case ast.With() | ast.AsyncWith():
                found += [node, *(n for n in _heads(node) if not _raises_itself(n, node))]
                found += _heard(_living(node.body, used), is_caught=_suppresses(node))
            case ast.Try() | ast.TryStar():
                handled = [_living(handler.body, used) for handler in node.handlers]
                found += _heard(_living(node.body, used), is_caught=_swallows(node, handled))
                found += _living(node.orelse, used)
                found += _living(node.finalbody, used)
                found += [n for one in handled for n in one]
            case _:
                found += _walked(node)
        if _ends(node):
            break
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and is_skip(node.value):
            break
    return found


def _ends(node: ast.stmt) -> bool:
    """Whether nothing behind a statement is reached."""
    if isinstance(node, ast.If) and (known := _constant(node.test)) is not None:
        return any(_ends(one) for one in (node.body if known else node.orelse))
    return isinstance(node, ast.Return | ast.Raise | ast.Continue | ast.Break)


def _heard(inner: list[ast.AST], *, is_caught: bool) -> list[ast.AST]:
    return [n for n in inner if not is_assertion(n)] if is_caught else inner


def _walked(node: ast.AST) -> list[ast.AST]:
    """All below a node, but not what a lambda would do if somebody called it."""
    found = [node]
    if not isinstance(node, ast.Lambda):
        found += [inner for child in ast.iter_child_nodes(node) for inner in _walked(child)]
    return found


def _constant(test: ast.expr) -> bool | None:
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            known = _constant(operand)
            return None if known is None else not known
        case _:
            return None


def _is_empty(each: ast.expr) -> bool:
    match each:
        case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
            return not elements
        case ast.Dict(keys=keys):
            return not keys
        case ast.Call(func=ast.Name(id="range"), args=[*_, ast.Constant(value=int(count))]):
            return count <= 0
        case _:
            return False


def _heads(node: ast.stmt) -> list[ast.AST]:
    """The expressions in front of a block: conditions, iterables, context managers."""
    parts: list[ast.expr] = []
    match node:
        case ast.If(test=test) | ast.While(test=test):
            parts = [test]
        case ast.For(iter=each) | ast.AsyncFor(iter=each):
            parts = [each]
        case ast.With(items=items) | ast.AsyncWith(items=items):
            parts = [item.context_expr for item in items]
        case _:
            pass
    return [inner for part in parts for inner in _walked(part)]


def _raises_itself(node: ast.AST, block: ast.With | ast.AsyncWith) -> bool:
    """`with raises(…):` over a test that raises by itself says nothing of the product."""
    is_raises = isinstance(node, ast.Call) and last_name(node.func) in {"raises", "assertRaises"}
    return is_raises and isinstance(block.body[0], ast.Raise)


def _suppresses(node: ast.With | ast.AsyncWith) -> bool:
    for item in node.items:
        call = item.context_expr
        if isinstance(call, ast.Call) and last_name(call.func) in {"suppress", "raises"}:
            given = [
                n for one in call.args for n in (one.elts if isinstance(one, ast.Tuple) else [one])
            ]
            if {last_name(one) for one in given} & CATCHES_ASSERTIONS:
                return True
    return False


def swallows(node: ast.Try | ast.TryStar) -> bool:
    """Whether a `try` lets no failed assertion through."""
    return _swallows(node, [_walked_all(handler.body) for handler in node.handlers])


def _walked_all(body: Sequence[ast.stmt]) -> list[ast.AST]:
    return [inner for node in body for inner in ast.walk(node)]


def _swallows(node: ast.Try | ast.TryStar, handled: Sequence[Sequence[ast.AST]]) -> bool:
    """`handled` is what can be reached of each handler."""
    if any(isinstance(one, ast.Return | ast.Break | ast.Continue) for one in node.finalbody):
        return True
    for handler, reached in zip(node.handlers, handled, strict=True):
        kinds = handler.type
        names = {"BaseException"} if kinds is None else set()
        if isinstance(kinds, ast.Tuple):
            names = {last_name(one) for one in kinds.elts}
        elif kinds is not None:
            names = {last_name(kinds)}
        goes_on = any(isinstance(inner, ast.Raise) or is_assertion(inner) for inner in reached)
        if names & CATCHES_ASSERTIONS and not goes_on:
            return True
    return False


def is_skip(raised: ast.expr) -> bool:
    name = last_name(raised.func if isinstance(raised, ast.Call) else raised)
    return name in SKIPS or name == "Skipped"
