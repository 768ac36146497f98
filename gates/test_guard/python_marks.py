"""What leaves a test in Python out, or lets it fail unheard: its marks and decorators, and what runs before it."""

import ast
from collections.abc import Iterator, Mapping, Sequence

from gates.test_guard.found_test import Mark
from gates.test_guard.python_names import (
    FAILS,
    SKIPS,
    TRIES_AGAIN,
    dotted,
    given_in,
    last_name,
)
from gates.test_guard.python_reach import is_skip, living
from gates.test_guard.python_walk import Function, walk

_ADDS_A_MARK = frozenset({"add_marker", "applymarker"})
ENDS = frozenset({"pytest.exit", "os._exit", "os.abort"})
# What they make of a function is nothing that pytest calls, or runs its body when it is called.
_MAKES_NO_TEST = frozenset(
    {"property", "cached_property", "fixture", "contextmanager", "asynccontextmanager"}
)
_MAKES_A_VALUE = frozenset(
    {"bool", "callable", "dir", "hash", "help", "id", "print", "repr", "str", "type"}
)


def marks_of(decorators: Sequence[ast.expr]) -> frozenset[Mark]:
    """Of decorators, and of what stands in `pytestmark`."""
    marks = set()
    for one in decorators:
        name = last_name(one.func if isinstance(one, ast.Call) else one)
        if (
            name in SKIPS | _MAKES_NO_TEST
            or isinstance(one, ast.Lambda)
            or (isinstance(one, ast.Name) and name in _MAKES_A_VALUE)
        ):
            marks.add(Mark.SKIPPED)
        elif name in FAILS:
            marks.add(Mark.EXPECTED_TO_FAIL)
        elif name in TRIES_AGAIN:
            marks.add(Mark.TRIED_AGAIN)
    return frozenset(marks)


# Of a call that asks for more tries: how long it waits between them, and how often it must pass.
_NO_TRIES = frozenset(
    {"reruns_delay", "delay", "backoff", "wait", "jitter", "max_delay", "timeout"}
)


def tries_of(decorators: Sequence[ast.expr], values: Mapping[str, ast.expr]) -> int:
    """How often a test may fail, as its decorators or `pytestmark` say in a number."""
    calls = [one for one in decorators if isinstance(one, ast.Call)]
    return max((_tries(one, values) for one in calls if last_name(one) in TRIES_AGAIN), default=0)


def _tries(call: ast.Call, values: Mapping[str, ast.expr]) -> int:
    named = {one.arg: one.value for one in call.keywords if one.arg not in _NO_TRIES}
    must_pass = max(_numbers(named.pop("min_passes", ast.Constant(1)), values), default=1)
    said = (*call.args, *named.values())
    most = max((number for one in said for number in _numbers(one, values)), default=1)
    return max(most - must_pass + 1, 1)


def _numbers(node: ast.expr, values: Mapping[str, ast.expr]) -> Iterator[int]:
    for one in walk(node):
        meant = values.get(one.id, one) if isinstance(one, ast.Name) else one
        if isinstance(meant, ast.Constant) and type(meant.value) is int:
            yield meant.value


def marks_of_blocks(blocks: Sequence[ast.Module | ast.ClassDef]) -> Iterator[ast.expr]:
    """What decorators of classes and `pytestmark` say of all tests in them."""
    for block in blocks:
        yield from block.decorator_list if isinstance(block, ast.ClassDef) else ()
        for name, value in given_in(block.body):
            if name == "pytestmark":
                yield from value.elts if isinstance(value, ast.List | ast.Tuple) else [value]


def labels_of(marks: Sequence[ast.expr], values: Mapping[str, ast.expr]) -> frozenset[str]:
    """`slow` of `@pytest.mark.slow`, under whatever name the file has for it."""
    meant = (values.get(one.id, one) if isinstance(one, ast.Name) else one for one in marks)
    plain = (one.func if isinstance(one, ast.Call) else one for one in meant)
    return frozenset(
        one.attr
        for one in plain
        if isinstance(one, ast.Attribute) and last_name(one.value) == "mark"
    )


def marks_in(node: Function) -> frozenset[Mark]:
    """What a function does to the test for which it runs."""
    marks: set[Mark] = set()
    for inner in living(node.body):
        if isinstance(inner, ast.Expr | ast.Raise):
            value = inner.value if isinstance(inner, ast.Expr) else inner.exc
            if isinstance(value, ast.Call | ast.Name | ast.Attribute) and is_skip(value):
                marks.add(Mark.SKIPPED)
            if isinstance(value, ast.Call) and last_name(value.func) == "xfail":
                marks.add(Mark.EXPECTED_TO_FAIL)
            if isinstance(value, ast.Call) and last_name(value.func) in _ADDS_A_MARK:
                marks |= marks_of([_plain_mark(one) for one in value.args])
            if isinstance(value, ast.Call) and dotted(value.func) in ENDS:
                marks.add(Mark.SKIPPED)
    return frozenset(marks)


def _plain_mark(node: ast.expr) -> ast.expr:
    """`add_marker("xfail")` means the mark of that name."""
    match node:
        case ast.Constant(value=str(name)):
            return ast.Name(name)
        case _:
            return node


# By what unittest knows that a test is left out, or must fail.
_OF_UNITTEST = {
    "__unittest_skip__": Mark.SKIPPED,
    "__unittest_expecting_failure__": Mark.EXPECTED_TO_FAIL,
}


def marks_by_value(node: ast.stmt) -> Mark | None:
    """`__unittest_skip__ = True`, in a class or of a test."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name) | ast.Attribute(attr=name)], value=value):
            return None if is_false(value) else _OF_UNITTEST.get(name)
        case _:
            return None


def is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and not node.value
