"""How far off an assertion in Python lets a number be."""

import ast
import operator
import re
import sys
from collections.abc import Iterator, Mapping

from gates.test_guard.python_names import dotted, last_name
from gates.test_guard.python_walk import walk

Values = Mapping[str, ast.expr]
_RELATIVE = frozenset({"rel", "rtol", "rel_tol"})
_SIZES = _RELATIVE | {"abs", "delta", "atol", "abs_tol", "tolerance"}
_PLACES = frozenset({"places", "decimal"})
_ALMOST = re.compile(r"almost_?equal$", re.IGNORECASE)
_CLOSE = frozenset({"assert_allclose", "allclose", "isclose"})
# A relative one of a twentieth is as much as one of a half.
_OF_RELATIVE = 10.0
_DEPTH_MAX = 8
_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def tolerance(node: ast.expr, values: Values) -> float | None:
    """The largest that it names; the fewest places count as a tenth for each. What nobody can read has no limit."""
    return max((abs(size) for one in walk(node) for size in _said(one, values)), default=None)


def _said(node: ast.AST, values: Values) -> Iterator[float]:
    match node:
        case ast.keyword(arg=str(name), value=value) if name in _PLACES:
            yield _of_places(value, values)
        case ast.keyword(arg=str(name), value=value) if name in _SIZES:
            if not (isinstance(value, ast.Constant) and value.value is None):
                yield _number(value, values) * (_OF_RELATIVE if name in _RELATIVE else 1.0)
        case ast.Call(args=[_, _, third, *_]) if _ALMOST.search(last_name(node)):
            yield _of_places(third, values)
        case ast.Call(args=[_, _, third, *_]) if last_name(node) in _CLOSE:
            yield _number(third, values) * _OF_RELATIVE
        case ast.Call(args=[_, *more], keywords=named) if last_name(node) == "approx":
            yield from (_number(one, values) for one in more)
            # Where the file does not say it here, there is no limit.
            yield from (sys.float_info.max for one in named if one.arg is None)
        case (
            ast.Compare(left=small, ops=[ast.Lt() | ast.LtE()], comparators=[large])
            | ast.Compare(left=large, ops=[ast.Gt() | ast.GtE()], comparators=[small])
        ) if _is_distance(small):
            yield _number(large, values)
        case _:
            pass


def _is_distance(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=func, args=[ast.BinOp(op=ast.Sub())]):
            return last_name(func) in {"abs", "fabs"}
        case _:
            return False


def _of_places(node: ast.expr, values: Values) -> float:
    places = _number(node, values)
    return float(10.0 ** max(-300.0, min(-places, 300.0)))


def whole(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int(number)):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))):
            return -number
        case _:
            return None


def _number(node: ast.expr, values: Values, depth: int = 0) -> float:
    """A number that is written out, or made of such; the largest for what nobody can read."""
    if depth > _DEPTH_MAX:
        return sys.float_info.max
    match node:
        case ast.Constant(value=int() | float() as number):
            # A whole number has no limit, as a measure it has one.
            return float(min(number, sys.float_info.max))
        case ast.Name(id=name) if name in values:
            return _number(values[name], values, depth + 1)
        case ast.Attribute() if dotted(node) in values:
            return _number(values[dotted(node)], values, depth + 1)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_number(inner, values, depth + 1)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            sides = (_number(left, values, depth + 1), _number(right, values, depth + 1))
            return _worked_out(op, *sides)
        case _:
            return sys.float_info.max


def _worked_out(op: ast.operator, left: float, right: float) -> float:
    try:
        made = _OPERATORS[type(op)](left, right)
    except (ArithmeticError, ValueError):
        return sys.float_info.max
    return float(made) if isinstance(made, int | float) else sys.float_info.max
