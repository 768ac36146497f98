"""Values in Python that are copies of another: held against what it was made of, a copy says nothing."""

import ast
from collections.abc import Mapping

from gates.test_guard.python_names import dotted, last_name

_COPIES = frozenset(
    {"copy", "deepcopy", "replace", "dict", "list", "tuple", "set", "frozenset", "OrderedDict"}
    | {"str", "int", "float", "bytes", "approx", "model_copy", "array"}
)
_THERE_AND_BACK = frozenset({"json.loads", "json.dumps", "pickle.loads", "pickle.dumps"})
# A name is followed through so many others.
_NAMES_MAX = 5


def without_copies(node: ast.expr) -> ast.expr:
    """`result` of `{**result}`, `dict(result)`, `copy(result)`, `result.copy()` and `[one for one in result]`."""
    while (inner := _copied(node)) is not None:
        node = inner
    return node


def meant(node: ast.expr, values: Mapping[str, ast.expr]) -> ast.expr:
    """What a side of a comparison was made of, through names and copies."""
    node = without_copies(node)
    for _ in range(_NAMES_MAX):
        if not isinstance(node, ast.Name) or node.id not in values:
            break
        node = without_copies(values[node.id])
    return node


def is_made_of(side: ast.expr, other: ast.expr, before: Mapping[str, ast.expr]) -> bool:
    """`sorted(result)` of `result`: the other side, if it is what something gave, stands in this one."""
    made = before.get(side.id, side) if isinstance(side, ast.Name) else side
    return isinstance(meant(other, before), ast.Call) and ast.dump(other) in ast.dump(made)


def _copied(node: ast.expr) -> ast.expr | None:
    match node:
        case ast.NamedExpr(value=inner):
            return inner
        case ast.Dict(keys=[None], values=[inner]):
            return inner
        case (
            ast.List(elts=[ast.Starred(value=inner)])
            | ast.Tuple(elts=[ast.Starred(value=inner)])
            | ast.Set(elts=[ast.Starred(value=inner)])
        ):
            return inner
        case ast.Subscript(value=inner, slice=ast.Slice(lower=None, upper=None, step=None)):
            return inner
        case ast.Call(func=ast.Attribute(value=inner, attr="copy" | "__copy__"), args=[]):
            return inner
        case ast.Call(func=ast.Call(func=ast.Name(id="type"), args=[of]), args=[inner]) if ast.dump(
            of
        ) == ast.dump(inner):
            return inner
        case ast.Call(func=func, args=[inner], keywords=[]) if (
            last_name(func) in _COPIES or dotted(func) in _THERE_AND_BACK
        ):
            return inner.value if isinstance(inner, ast.Starred) else inner
        case ast.Call(args=[], keywords=[ast.keyword(arg=None, value=inner)]) if (
            last_name(node) in _COPIES
        ):
            return inner
        case (
            ast.ListComp(elt=made, generators=[ast.comprehension(target=each, iter=of, ifs=[])])
            | ast.SetComp(elt=made, generators=[ast.comprehension(target=each, iter=of, ifs=[])])
        ) if ast.unparse(made) == ast.unparse(each):
            return of
        case ast.DictComp(
            key=key,
            value=value,
            generators=[
                ast.comprehension(
                    target=ast.Tuple(elts=[one, other]),
                    iter=ast.Call(func=ast.Attribute(value=of, attr="items")),
                    ifs=[],
                )
            ],
        ) if ast.unparse(key) == ast.unparse(one) and ast.unparse(value) == ast.unparse(other):
            return of
        case _:
            return None
