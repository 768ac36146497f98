"""Values in Python that are copies of another: held against what it was made of, a copy says nothing."""

import ast
import re
from collections.abc import Mapping

# A name is followed through so many others.
_NAMES_MAX = 5
# What they give says what they are given.
_TURNS = frozenset(
    {"str", "repr", "ascii", "format", "list", "tuple", "set", "frozenset", "sorted", "dict"}
    | {"int", "float", "bytes"}
)
_CONVERSION = re.compile(r"conversion=-?\d+")


def meant(node: ast.expr, values: Mapping[str, ast.expr]) -> ast.expr:
    """What a side of a comparison was made of, through names."""
    for _ in range(_NAMES_MAX):
        if not isinstance(node, ast.Name) or node.id not in values:
            break
        node = values[node.id]
    return node


def is_made_of(side: ast.expr, other: ast.expr, before: Mapping[str, ast.expr]) -> bool:
    """`sorted(result)` of `result`: the other side, if it is what something gave, stands in this one."""
    made = before.get(side.id, side) if isinstance(side, ast.Name) else side
    return isinstance(meant(other, before), ast.Call) and ast.dump(other) in ast.dump(made)


def is_said_again(one: ast.expr, other: ast.expr, before: Mapping[str, ast.expr]) -> bool:
    """Whether two sides are texts or lists of the same: `f"{x}"` and `str(x)`, `sorted([x])` and `[x]`."""
    said, again = (_CONVERSION.sub("", ast.dump(_bare(side, before))) for side in (one, other))
    return said == again


def _bare(side: ast.expr, before: Mapping[str, ast.expr]) -> ast.expr:
    side = meant(side, before)
    for _ in range(_NAMES_MAX):
        inner = _turned(side)
        if inner is None:
            break
        side = meant(inner, before)
    return side


def _turned(side: ast.expr) -> ast.expr | None:
    match side:
        case ast.Call(func=ast.Name(id=name), args=[inner], keywords=[]) if name in _TURNS:
            return inner
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value="{}"), attr="format"), args=[inner]
        ):
            return inner
        case ast.JoinedStr(values=[ast.FormattedValue(value=inner)]):
            return inner
        case ast.List(elts=[inner]) | ast.Tuple(elts=[inner]) | ast.Set(elts=[inner]):
            return inner.value if isinstance(inner, ast.Starred) else inner
        case _:
            return None
