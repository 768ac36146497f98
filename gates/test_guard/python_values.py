"""What names of classes stand for in a test file in Python: `self.CASES`, and the members of an enum."""

import ast

from gates.test_guard.python_names import given_in, last_name
from gates.test_guard.python_walk import walk

_ENUMS = frozenset({"Enum", "StrEnum", "IntEnum"})
_NOTHING = ast.List(elts=[], ctx=ast.Load())


def values_of_classes(tree: ast.Module) -> dict[str, ast.expr]:
    """By the words that lead there; what may be something else stands for nothing."""
    found: dict[str, ast.expr] = {}
    changed = {
        one.attr
        for one in walk(tree)
        if isinstance(one, ast.Attribute) and not isinstance(one.ctx, ast.Load)
    }
    for node in tree.body:
        if not isinstance(node, ast.ClassDef):
            continue
        members = list(given_in(node.body))
        for name, value in members:
            for owner in ("self", "cls", node.name):
                word = f"{owner}.{name}"
                found[word] = _NOTHING if word in found or name in changed else value
        if any(last_name(base) in _ENUMS for base in node.bases):
            found[node.name] = ast.List(elts=[value for _, value in members], ctx=ast.Load())
    return found
