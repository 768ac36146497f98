"""Values in Python that are copies of another: held against what it was made of, a copy says nothing."""

import ast
from collections.abc import Mapping

# A name is followed through so many others.
_NAMES_MAX = 5


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
