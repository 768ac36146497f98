"""Rows for the tests of a file in Python: lists that have none, and hooks that ask for them."""

import ast


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
