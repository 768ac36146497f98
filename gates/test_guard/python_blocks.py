"""What a module or a class in Python does to all of its tests."""

import ast
from collections.abc import Sequence

from gates.test_guard.found_test import Mark
from gates.test_guard.python_marks import ENDS, is_false, marks_by_value, marks_in, marks_of
from gates.test_guard.python_names import SKIPS, dotted, last_name
from gates.test_guard.python_reach import is_skip
from gates.test_guard.python_rows import generates_none
from gates.test_guard.python_whole import at_once, changes_names

# What pytest and unittest call before the tests of a module, and before those of a class.
BEFORE_MODULE = frozenset({"setup_module", "setup_function", "setUpModule"})
BEFORE_CLASS = frozenset({"setup_class", "setup_method", "setUp", "setUpClass", "asyncSetUp"})
_ENDS_A_FILE = ENDS | {"sys.exit", "exit", "quit", "SystemExit"}


def marks_of_block(body: Sequence[ast.stmt], before: frozenset[str]) -> frozenset[Mark]:
    """Marks of a module or class: `pytestmark`, a skip or an end that runs as it is imported, and what
    runs before each of its tests.
    """
    marks: set[Mark] = set()
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id="pytestmark")], value=value):
                marks |= marks_of(
                    value.elts if isinstance(value, ast.List | ast.Tuple) else [value]
                )
            case ast.Assign(targets=[ast.Name(id="__test__")], value=value) if is_false(value):
                marks.add(Mark.SKIPPED)
            case ast.Assign() if (mark := marks_by_value(node)) is not None:
                marks.add(mark)
            case ast.FunctionDef(name="pytest_generate_tests") if generates_none(node):
                marks.add(Mark.CONDITIONAL)
            case ast.Expr(value=ast.Call(func=func)) if last_name(func) in SKIPS:
                marks.add(Mark.SKIPPED)
            case ast.Expr(value=ast.Call(func=func)) if dotted(func) in _ENDS_A_FILE:
                marks.add(Mark.SKIPPED)
            case ast.Raise(exc=ast.expr() as raised) if is_skip(raised) or (
                last_name(raised) in _ENDS_A_FILE
            ):
                marks.add(Mark.SKIPPED)
            case ast.FunctionDef() | ast.AsyncFunctionDef() if node.name in before:
                marks |= marks_in(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                pass
            case _ if changes_names(node) or (
                isinstance(node, ast.If | ast.Try) and any(map(_ends_here, at_once(node)))
            ):
                marks.add(Mark.CONDITIONAL)
            case _:
                pass
    return frozenset(marks)


def _ends_here(node: ast.AST) -> bool:
    """Whether the tests of a file are left out where it comes to this, as it is imported."""
    match node:
        case ast.Raise(exc=ast.expr() as raised):
            return is_skip(raised) or last_name(raised) in _ENDS_A_FILE
        case ast.Expr(value=ast.Call(func=func)):
            return dotted(func) in _ENDS_A_FILE or (dotted(func) == "pytest.skip")
        case _:
            return False
