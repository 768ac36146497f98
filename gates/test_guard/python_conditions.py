"""Which nodes of a test in Python run under a condition only: it is there, and it may never come to it."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from gates.test_guard.python_names import CATCHES_ASSERTIONS, given_in, last_name
from gates.test_guard.python_reach import caught
from gates.test_guard.python_strength import is_assertion
from gates.test_guard.python_walk import Function, walk

_GOES_THROUGH = frozenset(
    {"enumerate", "zip", "sorted", "reversed", "list", "tuple", "set", "iter"}
)

Values = Mapping[str, ast.expr]


def conditional(body: Sequence[ast.stmt], values: Values) -> frozenset[int]:
    """Their ids. `values` are what names of the file stand for; those of the block are added to them."""
    own = dict(given_in(body))
    found = {id(one) for one in _under(body, {**values, **own}, is_under=False)}
    every = [one for node in body for one in walk(node)]
    said: defaultdict[str, set[int]] = defaultdict(set)
    for one in every:
        if isinstance(one, ast.Name):
            said[one.id].add(id(one))
    for function in (one for one in every if isinstance(one, Function)):
        names = said[function.name]
        if names and names <= found:
            found |= {id(one) for one in walk(function)}
    return frozenset(found)


def _under(body: Sequence[ast.stmt], values: Values, *, is_under: bool) -> Iterator[ast.AST]:
    for node in body:
        inside = is_under
        blocks: list[tuple[Sequence[ast.stmt], bool]] = []
        match node:
            case ast.If(body=then, orelse=other):
                inside |= not (_asserts(then) and _asserts(other))
                blocks = [(then, inside), (other, inside)]
            case ast.For(iter=each) | ast.AsyncFor(iter=each):
                blocks = [
                    (node.body, is_under or not _has_elements(each, values)),
                    (node.orelse, is_under or _breaks(node)),
                ]
            case ast.While(test=test):
                is_for_ever = isinstance(test, ast.Constant)
                blocks = [
                    (node.body, is_under or not is_for_ever),
                    (node.orelse, is_under or is_for_ever or _breaks(node)),
                ]
            case ast.Match(cases=cases):
                is_whole = isinstance(cases[-1].pattern, ast.MatchAs) and not cases[-1].guard
                inside |= not (is_whole and all(_asserts(case.body) for case in cases))
                blocks = [(case.body, inside) for case in cases]
            case ast.Try() | ast.TryStar():
                inside |= any(
                    caught(one) & CATCHES_ASSERTIONS and not _always_goes_on(one.body)
                    for one in node.handlers
                )
                may_skip = is_under or not all(_always_goes_on(one.body) for one in node.handlers)
                blocks = [(node.body, inside), (node.orelse, may_skip), (node.finalbody, is_under)]
                blocks += [(handler.body, True) for handler in node.handlers]
            case ast.With() | ast.AsyncWith() | ast.FunctionDef() | ast.AsyncFunctionDef():
                blocks = [(node.body, is_under)]
            case ast.ClassDef():
                blocks = [(node.body, is_under)]
            case ast.Expr(value=ast.BoolOp() | ast.IfExp() as value):
                yield from walk(value)
            case _ if is_under:
                yield from walk(node)
            case _:
                pass
        for block, is_inside in blocks:
            yield from _under(block, values, is_under=is_inside)
        is_under |= _may_end(node) or _takes_few(node)


def _takes_few(node: ast.stmt) -> bool:
    """`assume(n == 0)` and `assume(price(n) > 0)`: one of many examples, or those for which the product is right."""
    match node:
        case ast.Expr(value=ast.Call(args=[condition, *_]) as call) if last_name(call) == "assume":
            return any(
                isinstance(one, ast.Eq | ast.Is | ast.In)
                or (isinstance(one, ast.Call) and last_name(one) not in _LOOKS)
                for one in walk(condition)
            )
        case _:
            return False


# What only looks at an example.
_LOOKS = frozenset(
    {
        "abs",
        "all",
        "any",
        "bool",
        "float",
        "int",
        "isfinite",
        "isinstance",
        "isnan",
        "len",
        "max",
        "min",
    }
    | {"repr", "round", "set", "sorted", "str", "sum", "tuple", "type"}
)


def _asserts(block: Sequence[ast.stmt]) -> bool:
    return any(
        is_assertion(one) or isinstance(one, ast.Raise) for node in block for one in walk(node)
    )


def _always_goes_on(body: Sequence[ast.stmt]) -> bool:
    """Whether a failure goes on whatever it is."""
    for node in body:
        match node:
            case ast.If(body=then, orelse=other):
                if _always_goes_on(then) and _always_goes_on(other):
                    return True
            case ast.With() | ast.AsyncWith() | ast.Try():
                if _always_goes_on(node.body):
                    return True
            case _ if isinstance(node, ast.Raise) or any(is_assertion(n) for n in walk(node)):
                return True
            case _:
                pass
    return False


def _may_end(node: ast.stmt) -> bool:
    """Whether the rest is left out now and then, by a block that asserts nothing."""
    match node:
        case ast.If(body=then, orelse=other):
            return any(_leaves(block) and not _asserts(block) for block in (then, other))
        case ast.Try(handlers=handlers):
            return any(_leaves(one.body) and not _asserts(one.body) for one in handlers)
        case _:
            return False


def _breaks(loop: ast.stmt) -> bool:
    return any(isinstance(one, ast.Break) for one in walk(loop))


def _leaves(block: Sequence[ast.stmt]) -> bool:
    return any(isinstance(one, ast.Return | ast.Continue | ast.Break) for one in block)


def _has_elements(each: ast.expr, values: Values) -> bool:
    """Whether something stands in it for sure."""
    match each:
        case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
            return bool(elements)
        case ast.Dict(keys=keys):
            return bool(keys)
        case ast.Constant(value=value):
            return bool(value)
        case ast.Name(id=name) if name in values:
            return _has_elements(values[name], {k: v for k, v in values.items() if k != name})
        case ast.Attribute(value=ast.Name(id=owner), attr=attr) if f"{owner}.{attr}" in values:
            return _has_elements(values[f"{owner}.{attr}"], values)
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return _has_elements(left, values) or _has_elements(right, values)
        case ast.Call():
            return _gives_elements(each, values)
        case ast.ListComp(generators=[one]) | ast.GeneratorExp(generators=[one]):
            return not one.ifs and _has_elements(one.iter, values)
        case _:
            return False


def _gives_elements(call: ast.Call, values: Values) -> bool:
    match call:
        case ast.Call(
            func=ast.Name(id="range"), args=[ast.Constant(value=first), ast.Constant(value=last)]
        ):
            return bool(first != last)
        case ast.Call(func=ast.Name(id="range"), args=arguments):
            return not any(
                isinstance(one, ast.Constant) and one.value == 0 for one in arguments[-1:]
            )
        case ast.Call(args=[_, *_] as lists) if last_name(call) == "product":
            return all(_has_elements(one, values) for one in lists)
        case ast.Call(args=lists) if last_name(call) == "chain":
            return any(_has_elements(one, values) for one in lists)
        case ast.Call(args=[first, *_]) if last_name(call) in _GOES_THROUGH:
            return _has_elements(first, values)
        case ast.Call(func=ast.Attribute(value=value, attr="items" | "values" | "keys")):
            return _has_elements(value, values)
        case _:
            return False
