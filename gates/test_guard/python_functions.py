"""What the functions of a test file in Python assert for its tests."""

import ast
from collections import defaultdict
from collections.abc import Mapping, Sequence

from gates.test_guard.found_test import Assertion, Helpers
from gates.test_guard.python_conditions import conditional
from gates.test_guard.python_reach import living
from gates.test_guard.python_strength import Around, assertions
from gates.test_guard.python_walk import Function

# Helpers of helpers are followed so far.
_CALLED_MAX = 50


def helpers_of(
    functions: Sequence[Function], values: dict[str, ast.expr]
) -> tuple[Helpers, frozenset[str]]:
    """What the functions assert that are no tests, by their names, and those that assert nothing."""
    named = [node for node in functions if not node.name.startswith("test")]
    names = frozenset(node.name for node in named)
    alive = {node.name: (node, living(node.body)) for node in named}
    around = {name: conditional(node.body, values) for name, (node, _) in alive.items()}
    calls = {name: _called_plainly(nodes) & names for name, (_, nodes) in alive.items()}
    by_itself = [
        name
        for name, (_, nodes) in alive.items()
        if any(True for _ in assertions(nodes, Around(around[name], calm=names)))
    ]
    calm = names - _callers(by_itself, calls)
    own = {
        name: tuple(assertions(nodes, Around(around[name], calm=calm, values=values)))
        for name, (_, nodes) in alive.items()
    }
    return Helpers({name: said for name in own if (said := _in_all(name, own, calls))}), calm


def _callers(names: Sequence[str], calls: Mapping[str, set[str]]) -> set[str]:
    """These functions, and all that come to one of them."""
    called_by: defaultdict[str, list[str]] = defaultdict(list)
    for name, called in calls.items():
        for one in called:
            called_by[one].append(name)
    seen, left = set(names), list(names)
    while left:
        new = [one for one in called_by[left.pop()] if one not in seen]
        seen.update(new)
        left += new
    return seen


def _called_plainly(nodes: Sequence[ast.AST]) -> set[str]:
    calls = (one.func for one in nodes if isinstance(one, ast.Call))
    return {func.id for func in calls if isinstance(func, ast.Name)}


def _in_all(
    name: str, own: Mapping[str, tuple[Assertion, ...]], calls: Mapping[str, set[str]]
) -> tuple[Assertion, ...]:
    """What a function asserts, and what those assert that it calls."""
    seen, left = {name}, [name]
    found: list[Assertion] = []
    while left and len(seen) <= _CALLED_MAX:
        one = left.pop()
        found += own[one]
        left += sorted(calls[one] - seen)
        seen |= calls[one]
    return tuple(found)
