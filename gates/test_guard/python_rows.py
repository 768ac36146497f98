"""Rows for the tests of a file in Python: lists that have none, and hooks that ask for them."""

import ast
from collections.abc import Mapping

from gates.test_guard.python_names import FAILS, SKIPS, last_name


def generates_none(node: ast.AST) -> bool:
    """Whether a hook asks for more than the test does, or for no row at all."""
    for one in ast.walk(node):
        match one:
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="fixturenames"))):
                return True
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[_, rows, *_]):
                if has_no_rows(rows):
                    return True
            case ast.Attribute(ctx=ast.Store()):
                return True
            case _:
                pass
    return False


def has_no_rows(rows: ast.expr) -> bool:
    """`[]`, `list()` and `range(0)`."""
    match rows:
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return not elements
        case ast.Call(func=ast.Name(id="list" | "tuple" | "set"), args=[]):
            return True
        case ast.Call(func=ast.Name(id="range"), args=[*_, ast.Constant(value=0)]):
            return True
        case _:
            return False


def cases_of(node: ast.FunctionDef | ast.AsyncFunctionDef, values: Mapping[str, ast.expr]) -> int:
    """The rows of its parameters, those that are the same or left out counted as none."""
    cases = 1
    for one in node.decorator_list:
        if isinstance(one, ast.Call) and last_name(one.func) in {"parametrize", "expand"}:
            rows = one.args[-1] if one.args else None
            if isinstance(rows, ast.Name):
                rows = values.get(rows.id)
            if isinstance(rows, ast.List | ast.Tuple):
                cases *= len({ast.unparse(row) for row in rows.elts if not is_left_out(row)})
            elif rows is not None and has_no_rows(rows):
                cases = 0
    return cases


def is_left_out(row: ast.expr) -> bool:
    """Whether a row has a mark that it is skipped or expected to fail."""
    return isinstance(row, ast.Call) and any(
        last_name(one) in SKIPS | FAILS
        for k in row.keywords
        if k.arg == "marks"
        for one in ast.walk(k.value)
        if isinstance(one, ast.expr)
    )
