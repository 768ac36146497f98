"""Fixtures of a test file in Python: who asks for which, and what they do to a test."""

import ast
from collections.abc import Iterator, Mapping, Sequence

from gates.test_guard.found_test import Mark
from gates.test_guard.python_marks import is_false, marks_in
from gates.test_guard.python_names import last_name
from gates.test_guard.python_walk import Function, walk

# Fixtures of fixtures are followed so far.
_DEPTH_MAX = 20


def fixtures_of(functions: Sequence[Function]) -> Mapping[str, frozenset[Mark]]:
    """What each fixture, and those that it asks for, do to the test that asks for it."""
    asks: dict[str, frozenset[str]] = {}
    marks: dict[str, frozenset[Mark]] = {}
    for one in functions:
        for name in _fixture_names(one):
            asks[name] = asks.get(name, frozenset()) | asked_by(one)
            marks[name] = marks.get(name, frozenset()) | marks_in(one)
    for _ in range(_DEPTH_MAX):
        wider = {
            name: own.union(*(marks.get(one, frozenset()) for one in asks[name]))
            for name, own in marks.items()
        }
        if wider == marks:
            break
        marks = wider
    return {name: own for name, own in marks.items() if own}


def _fixture_names(node: Function) -> Iterator[str]:
    """By which tests ask for it: `@pytest.fixture(name="shop")`, or its own."""
    for one in node.decorator_list:
        if last_name(one) == "fixture":
            named = one.keywords if isinstance(one, ast.Call) else []
            given = [
                k.value.value
                for k in named
                if isinstance(k.value, ast.Constant) and k.arg == "name"
            ]
            yield str(given[0]) if given else node.name


def _is_for_all(node: ast.stmt) -> bool:
    """Whether it is a fixture that every test gets without asking."""
    return isinstance(node, Function) and any(
        isinstance(one, ast.Call)
        and last_name(one) == "fixture"
        and any(k.arg == "autouse" and not is_false(k.value) for k in one.keywords)
        for one in node.decorator_list
    )


def asked_by(node: Function) -> frozenset[str]:
    """The fixtures that a test or a fixture asks for: by its parameters, by a mark, or as it runs."""
    asked = {one.arg for one in (*node.args.args, *node.args.kwonlyargs)}
    asked |= asked_by_marks(node.decorator_list)
    for one in walk(node):
        match one:
            case ast.Call(
                func=ast.Attribute(attr="getfixturevalue"), args=[ast.Constant(value=name)]
            ):
                asked.add(str(name))
            case _:
                pass
    return frozenset(asked)


def asked_by_marks(marks: Sequence[ast.expr]) -> set[str]:
    """Of `usefixtures("shop")`."""
    return {
        str(word.value)
        for one in marks
        if isinstance(one, ast.Call) and last_name(one) == "usefixtures"
        for word in one.args
        if isinstance(word, ast.Constant)
    }


def asked_for_block(body: Sequence[ast.stmt]) -> frozenset[str]:
    """The fixtures that every test of a module or class gets: by `pytestmark`, or because they are for all."""
    asked: set[str] = set()
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id="pytestmark")], value=value):
                asked |= asked_by_marks(
                    value.elts if isinstance(value, ast.List | ast.Tuple) else [value]
                )
            case ast.FunctionDef() | ast.AsyncFunctionDef() if _is_for_all(node):
                asked.update(_fixture_names(node))
            case _:
                pass
    return frozenset(asked)
