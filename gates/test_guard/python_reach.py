"""What of a test in Python can be reached, and whose failure reaches the runner."""

import ast
from collections.abc import Iterable, Iterator, Sequence

from gates.test_guard.python_names import CATCHES_ASSERTIONS, SKIPS, dotted, last_name
from gates.test_guard.python_strength import is_assertion
from gates.test_guard.python_walk import Function, walk


def living(body: Sequence[ast.stmt]) -> list[ast.AST]:
    """Every node of a block that can be reached, and whose failed assertion is not caught.

    A function inside of it counts where it has a decorator, or its name is used.
    """
    idle = idle_functions(body)
    used = {name for node in body for name in _used(node, idle)}
    return _living(body, used)


def _methods_called(node: ast.stmt, used: set[str]) -> set[str]:
    """Those of a class that somebody asks for; what a base class or Python itself calls counts, too."""
    if not isinstance(node, ast.ClassDef):
        return set()
    return {
        one.name
        for one in node.body
        if isinstance(one, Function)
        and (node.bases or one.name.startswith("__") or f".{one.name}" in used)
    }


# What fails in another thread or process fails no test.
_ELSEWHERE = frozenset({"Thread", "Process", "Timer", "start_new_thread"})


# What fails in a task that nobody waits for fails no test.
_NOT_WAITED_FOR = frozenset({"ensure_future", "create_task", "run_coroutine_threadsafe"})


def _used(node: ast.AST, idle: frozenset[str] = frozenset()) -> Iterable[str]:
    """The names that are read, but for what is only handed to another thread. A name that stands alone is
    not read, nor is one of `idle` that is called, where nobody waits for what it gives."""
    if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
        yield node.id if isinstance(node, ast.Name) else f".{node.attr}"
    if isinstance(node, ast.Expr):
        match node.value:
            case ast.Name():
                return
            case ast.Call(func=ast.Name(id=name)) if name in idle:
                return
            case ast.Call(func=func) if last_name(func) in _NOT_WAITED_FOR:
                return
            case value if (let_go := _let_go(value)) is not None:
                yield from _used(let_go.func, idle)
                return
            case _:
                pass
    if isinstance(node, ast.Call) and last_name(node.func) in _ELSEWHERE:
        yield from _used(node.func, idle)
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Name) and _only_looks(node, child):
            yield _looked_at(child.id)
        else:
            yield from _used(child, idle)


# They tell of a function, and call none.
_LOOKS = frozenset(
    {"print", "repr", "str", "callable", "id", "type", "len", "hash", "bool", "format", "hasattr"}
    | {"isinstance", "issubclass", "isfunction", "iscoroutinefunction", "signature", "getsource"}
)
_OF_A_FUNCTION = frozenset({"__name__", "__qualname__", "__doc__", "__module__", "__code__"})


def _only_looks(node: ast.AST, name: ast.Name) -> bool:
    """`print(check)`, `check is not None` and `check.__name__`."""
    match node:
        case ast.Call(func=func):
            return func is not name and last_name(func) in _LOOKS
        case ast.Attribute(attr=attribute):
            return attribute in _OF_A_FUNCTION
        case _:
            return isinstance(node, ast.Compare | ast.FormattedValue)


def _looked_at(name: str) -> str:
    return f"?{name}"


# As statements: what they are given runs later, or elsewhere, or fails where nobody looks.
_GIVEN_AWAY = frozenset({"submit", "map", "imap", "partial", "wait", "iter"})
_GOES_INTO = frozenset({"run", "run_until_complete"})


def _let_go(statement: ast.expr) -> ast.Call | None:
    """The call of a statement that hears of no failure: `pool.submit(check)`, `await gather(…, return_exceptions=True)`."""
    match statement:
        case ast.Await(value=value):
            return _let_go(value)
        case ast.Call(func=func, args=[value]) if last_name(func) in _GOES_INTO:
            return _let_go(value)
        case ast.Call(func=func, keywords=named) as call:
            name = last_name(func)
            keeps = any(
                one.arg == "return_exceptions" and _constant(one.value) is not False
                for one in named
            )
            is_registered = isinstance(func, ast.Attribute) and last_name(func.value) == "atexit"
            return call if name in _GIVEN_AWAY or keeps or is_registered else None
        case _:
            return None


def idle_functions(body: Sequence[ast.stmt]) -> frozenset[str]:
    """Functions that do nothing as they are called: coroutines and generators."""
    functions = [n for node in body for n in walk(node) if isinstance(n, Function)]
    return frozenset(
        one.name
        for one in functions
        if not one.decorator_list
        and (
            isinstance(one, ast.AsyncFunctionDef)
            or any(isinstance(n, ast.Yield) for n in own_nodes(one))
        )
    )


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """What is below a function, without the functions in it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield child
            yield from own_nodes(child)


def _living(body: Sequence[ast.stmt], used: set[str]) -> list[ast.AST]:
    found: list[ast.AST] = []
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                # The product may have a class from its base.
                is_known = isinstance(node, ast.ClassDef) and _looked_at(node.name) in used
                if node.name in used or node.decorator_list or is_known:
                    called = _methods_called(node, used)
                    found += _living(node.body, used | called if called else used)
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
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return _is_never_meant(node.value)
    return isinstance(node, ast.Return | ast.Raise | ast.Continue | ast.Break)


def _is_never_meant(call: ast.Call) -> bool:
    """Hypothesis's `assume(False)` and `reject()`."""
    match last_name(call), call.args:
        case "assume", [condition, *_]:
            return _constant(condition) is False
        case "reject", []:
            return dotted(call.func) in {"reject", "hypothesis.reject"}
        case _:
            return False


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
        case ast.Name(id="__debug__"):
            return True
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
        if last_name(call) in {"ExitStack", "AsyncExitStack"}:
            calls = [n for one in node.body for n in walk(one) if isinstance(n, ast.Call)]
            if any(_lets_nothing_out(one) for one in calls):
                return True
    return False


def _lets_nothing_out(call: ast.Call) -> bool:
    """`stack.push(lambda *_: True)`, `stack.enter_context(suppress(AssertionError))`."""
    match call:
        case ast.Call(func=ast.Attribute(attr="push"), args=[ast.Lambda()]):
            return True
        case ast.Call(func=ast.Attribute(attr="enter_context"), args=[ast.Call(args=given) as one]):
            return last_name(one) == "suppress" and bool(
                {last_name(error) for error in given} & CATCHES_ASSERTIONS
            )
        case _:
            return False


def swallows(node: ast.Try | ast.TryStar) -> bool:
    """Whether a `try` lets no failed assertion through."""
    return _swallows(node, [_walked_all(handler.body) for handler in node.handlers])


def _walked_all(body: Sequence[ast.stmt]) -> list[ast.AST]:
    return [inner for node in body for inner in walk(node)]


def _swallows(node: ast.Try | ast.TryStar, handled: Sequence[Sequence[ast.AST]]) -> bool:
    """`handled` is what can be reached of each handler."""
    if any(isinstance(one, ast.Return | ast.Break | ast.Continue) for one in node.finalbody):
        return True
    for handler, reached in zip(node.handlers, handled, strict=True):
        names = caught(handler)
        goes_on = any(isinstance(inner, ast.Raise) or is_assertion(inner) for inner in reached)
        if names & CATCHES_ASSERTIONS and not goes_on:
            return True
    return False


def caught(handler: ast.ExceptHandler) -> set[str]:
    """The names of what it catches."""
    match handler.type:
        case None:
            return {"BaseException"}
        case ast.Tuple(elts=kinds):
            return {last_name(one) for one in kinds}
        case kind:
            return {last_name(kind)}


def is_skip(raised: ast.expr) -> bool:
    name = last_name(raised.func if isinstance(raised, ast.Call) else raised)
    return name in SKIPS or name == "Skipped"
