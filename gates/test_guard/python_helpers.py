"""What the functions of a test file in Python assert for its tests."""

import ast
from collections.abc import Mapping, Sequence

from gates.test_guard.found_test import Assertion, Helpers
from gates.test_guard.python_conditions import conditional
from gates.test_guard.python_reach import living
from gates.test_guard.python_strength import Around, assertions

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def helpers_of(
    functions: Sequence[_Function], values: Mapping[str, ast.expr]
) -> tuple[Helpers, frozenset[str]]:
    """What the functions assert that are no tests, by their names, and those that assert nothing."""
    named = [node for node in functions if not node.name.startswith("test")]
    names = frozenset(node.name for node in named)
    alive = {node.name: (node, living(node.body)) for node in named}
    calm = names
    while True:
        # What is calm by itself asserts, where it calls something that does.
        own = {
            name: tuple(assertions(nodes, Around(conditional(node.body, values), calm=calm)))
            for name, (node, nodes) in alive.items()
        }
        left = frozenset(name for name in calm if not own[name])
        if left == calm:
            calls = {name: _called_plainly(nodes) & names for name, (_, nodes) in alive.items()}
            return Helpers(
                {name: said for name in own if (said := _in_all(name, own, calls))}
            ), calm
        calm = left


def _called_plainly(nodes: Sequence[ast.AST]) -> set[str]:
    calls = (one.func for one in nodes if isinstance(one, ast.Call))
    return {func.id for func in calls if isinstance(func, ast.Name)}


def _in_all(
    name: str, own: Mapping[str, tuple[Assertion, ...]], calls: Mapping[str, set[str]]
) -> tuple[Assertion, ...]:
    """What a function asserts, and what those assert that it calls."""
    seen, left = {name}, [name]
    found: list[Assertion] = []
    while left:
        one = left.pop()
        found += own[one]
        left += sorted(calls[one] - seen)
        seen |= calls[one]
    return tuple(found)
