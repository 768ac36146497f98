"""Tests in Python, by its own syntax tree, as pytest and unittest collect them.

An assertion that can never fail is none: a constant, behind a `return`, in a `try` that catches it.
"""

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gates.test_guard.found_test import (
    Assertion,
    FoundTest,
    Helpers,
    Mark,
    Strength,
    TestFile,
)

_Function = ast.FunctionDef | ast.AsyncFunctionDef
# Calls that assert by their name: unittest's, mock's, numpy's, and helpers that people name so.
_ASSERTS = re.compile(
    r"_*(?:assert|expect|verify|should|ensure|raises|warns|fail|check)(?:$|[_A-Z])"
)
_ASSERTS_EXACTLY = re.compile(
    r"assert_?(?:almost_?)?(?:equal|sequenceequal|listequal|dictequal)", re.I
)
_ASSERTS_PRESENCE = re.compile(
    r"assert_?(?:true|false|is_?not_?none|is_?instance|called|called_once)$", re.I
)
_CATCHES_ASSERTIONS = frozenset({"AssertionError", "Exception", "BaseException"})
_SKIPS = frozenset({"skip", "skipif", "skipIf", "skipUnless", "SkipTest", "importorskip"})
_FAILS = frozenset({"xfail", "expectedFailure"})


def read_python(path: str, source: str) -> TestFile:
    """The tests of a file; never raises."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
        return _read(path, source, tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return TestFile(path, is_readable=False)


@dataclass(frozen=True)
class _Place:
    """Where a test stands: the names around it and the marks that it has from there."""

    names: tuple[str, ...]
    marks: frozenset[Mark]
    said: str = ""


def _read(path: str, source: str, tree: ast.Module) -> TestFile:
    lines = source.splitlines()
    helpers = _helpers(tree)
    found: dict[str, FoundTest] = {}
    place = _Place((), _marks_of_block(tree.body))
    for name, node, where in _functions(tree.body, place):
        if node is None:
            found.pop(name, None)
        else:
            # Python keeps the last definition of a name, and so does pytest.
            found[name] = _found(path, name, node, where, lines, helpers)
    tests = tuple(sorted(found.values(), key=lambda test: test.line))
    return TestFile(path, tests)


def _functions(
    body: Sequence[ast.stmt], place: _Place
) -> Iterator[tuple[str, _Function | None, _Place]]:
    """The test functions in order; None for a name that stands for a test no more."""
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() if node.name.startswith("test"):
                yield "::".join((*place.names, node.name)), node, place
            case ast.ClassDef() if _is_collected(node, place):
                marks = place.marks | _marks(node.decorator_list) | _marks_of_block(node.body)
                said = f"{place.said}\n{ast.get_docstring(node) or ''}"
                inner = _Place((*place.names, node.name), marks, said)
                yield from _functions(node.body, inner)
            case ast.If():
                yield from _functions_under(node, place)
            case ast.Try() | ast.With():
                yield from _functions(node.body, place)
            case ast.Assign(targets=targets) | ast.Delete(targets=targets):
                for target in targets:
                    if isinstance(target, ast.Name) and target.id.startswith("test"):
                        yield "::".join((*place.names, target.id)), None, place
            case _:
                pass


def _functions_under(node: ast.If, place: _Place) -> Iterator[tuple[str, _Function | None, _Place]]:
    if isinstance(node.test, ast.Constant) and node.test.value:
        yield from _functions(node.body, place)
        return
    inner = replace(place, marks=place.marks | {Mark.CONDITIONAL})
    for block in (node.body, node.orelse):
        yield from _functions(block, inner)


def _is_collected(node: ast.ClassDef, place: _Place) -> bool:
    if any(
        isinstance(one, ast.Assign)
        and any(isinstance(t, ast.Name) and t.id == "__test__" for t in one.targets)
        and isinstance(one.value, ast.Constant)
        and not one.value.value
        for one in node.body
    ):
        return False
    if _is_unittest(node):
        return True
    has_init = any(isinstance(one, ast.FunctionDef) and one.name == "__init__" for one in node.body)
    return node.name.startswith("Test") and not has_init


def _is_unittest(node: ast.ClassDef) -> bool:
    # A base class with a name like this is taken for one, because where it comes from is not read.
    return any(re.search(r"Test(?:Case|s|Base|Mixin)?$", _last_name(base)) for base in node.bases)


def _marks(decorators: Sequence[ast.expr]) -> frozenset[Mark]:
    marks = set()
    for one in decorators:
        name = _last_name(one.func if isinstance(one, ast.Call) else one)
        if name in _SKIPS:
            marks.add(Mark.SKIPPED)
        elif name in _FAILS:
            marks.add(Mark.EXPECTED_TO_FAIL)
    return frozenset(marks)


def _marks_of_block(body: Sequence[ast.stmt]) -> frozenset[Mark]:
    """Marks of a module or class: `pytestmark`, and a skip that runs as it is imported."""
    marks: set[Mark] = set()
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id="pytestmark")], value=value):
                marks |= _marks(value.elts if isinstance(value, ast.List | ast.Tuple) else [value])
            case ast.Expr(value=ast.Call(func=func)) if _last_name(func) in _SKIPS:
                marks.add(Mark.SKIPPED)
            case ast.Raise(exc=ast.expr() as raised) if _is_skip(raised):
                marks.add(Mark.SKIPPED)
            case _:
                pass
    return frozenset(marks)


def _is_skip(raised: ast.expr) -> bool:
    name = _last_name(raised.func if isinstance(raised, ast.Call) else raised)
    return name in _SKIPS or name == "Skipped"


def _found(
    path: str, name: str, node: _Function, place: _Place, lines: Sequence[str], helpers: Helpers
) -> FoundTest:
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    last = node.end_lineno or node.lineno
    living = _living(node.body)
    assertions = list(_assertions(living))
    assertions += helpers.called(_called_names(living))
    own_marks = set(_marks(node.decorator_list))
    for inner in living:
        if isinstance(inner, ast.Expr | ast.Raise):
            value = inner.value if isinstance(inner, ast.Expr) else inner.exc
            if isinstance(value, ast.Call | ast.Name | ast.Attribute) and _is_skip(value):
                own_marks.add(Mark.SKIPPED)
            if isinstance(value, ast.Call) and _last_name(value.func) == "xfail":
                own_marks.add(Mark.EXPECTED_TO_FAIL)
    body = [one for one in node.body if not _is_words(one)]
    above = _comments_above(lines, first)
    return FoundTest(
        path=path,
        name=name,
        line=node.lineno,
        body="\n".join(ast.unparse(one) for one in body),
        said="\n".join((name, place.said, *above, *lines[first - 1 : last])),
        assertions=tuple(assertions),
        marks=place.marks | own_marks,
        cases=_cases(node),
        is_empty=all(_has_no_effect(one) for one in node.body),
        line_end=last,
    )


def _comments_above(lines: Sequence[str], first: int) -> list[str]:
    above = []
    for line in reversed(lines[: first - 1]):
        if not line.strip().startswith("#"):
            break
        above.append(line)
    return above


def _is_words(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _has_no_effect(node: ast.stmt) -> bool:
    if isinstance(node, ast.Assert):
        return isinstance(node.test, ast.Constant | ast.Tuple)
    return isinstance(node, ast.Pass) or _is_words(node)


def _cases(node: _Function) -> int:
    cases = 1
    for one in node.decorator_list:
        if isinstance(one, ast.Call) and _last_name(one.func) in {"parametrize", "expand"}:
            rows = one.args[-1] if one.args else None
            if isinstance(rows, ast.List | ast.Tuple):
                cases *= len(rows.elts)
    return cases


def _helpers(tree: ast.Module) -> Helpers:
    """What the functions assert that are no tests, by their names."""
    functions = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and not node.name.startswith("test")
    ]
    own = {node.name: tuple(_assertions(_living(node.body))) for node in functions}
    return Helpers({name: said for name, said in own.items() if said})


def _living(body: Sequence[ast.stmt]) -> list[ast.AST]:
    """Every node of a block that can be reached, and whose failed assertion is not caught."""
    found: list[ast.AST] = []
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found += _living(node.body)
            case ast.If(test=ast.Constant(value=value)) | ast.While(test=ast.Constant(value=value)):
                found += _living(node.body if value else node.orelse)
            case ast.If() | ast.For() | ast.AsyncFor() | ast.While():
                found += [node, *_heads(node), *_living(node.body), *_living(node.orelse)]
            case ast.With() | ast.AsyncWith():
                inner = _living(node.body)
                found += [node, *_heads(node)]
                found += [n for n in inner if not _suppresses(node) or not _is_assertion(n)]
            case ast.Try():
                inner = _living(node.body)
                found += [n for n in inner if not _swallows(node) or not _is_assertion(n)]
                found += _living(node.orelse)
                found += _living(node.finalbody)
                found += [n for handler in node.handlers for n in _living(handler.body)]
            case _:
                found += ast.walk(node)
        if isinstance(node, ast.Return | ast.Raise | ast.Continue | ast.Break):
            break
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and _is_skip(node.value):
            break
    return found


def _heads(node: ast.stmt) -> list[ast.AST]:
    """The expressions in front of a block: conditions, iterables, context managers."""
    parts: list[ast.expr] = []
    match node:
        case ast.If(test=test) | ast.While(test=test):
            parts = [test]
        case ast.For(iter=each) | ast.AsyncFor(iter=each):
            parts = [each]
        case ast.With(items=items) | ast.AsyncWith(items=items):
            parts = [item.context_expr for item in items]
        case _:
            pass
    return [inner for part in parts for inner in ast.walk(part)]


def _suppresses(node: ast.With | ast.AsyncWith) -> bool:
    for item in node.items:
        call = item.context_expr
        if isinstance(call, ast.Call) and _last_name(call.func) in {"suppress", "raises"}:
            names = {_last_name(argument) for argument in call.args}
            if names & _CATCHES_ASSERTIONS:
                return True
    return False


def _swallows(node: ast.Try) -> bool:
    for handler in node.handlers:
        kinds = handler.type
        names = {"BaseException"} if kinds is None else set()
        if isinstance(kinds, ast.Tuple):
            names = {_last_name(one) for one in kinds.elts}
        elif kinds is not None:
            names = {_last_name(kinds)}
        goes_on = any(
            isinstance(inner, ast.Raise) or _is_assertion(inner)
            for one in handler.body
            for inner in ast.walk(one)
        )
        if names & _CATCHES_ASSERTIONS and not goes_on:
            return True
    return False


def _is_assertion(node: ast.AST) -> bool:
    return isinstance(node, ast.Assert) or (
        isinstance(node, ast.Call) and _ASSERTS.match(_last_name(node.func)) is not None
    )


def _assertions(nodes: Sequence[ast.AST]) -> Iterator[Assertion]:
    for node in nodes:
        if isinstance(node, ast.Assert):
            strength = _strength(node.test)
            if strength is not None:
                yield Assertion(ast.unparse(node.test), _atoms(node.test), strength)
        elif isinstance(node, ast.Call):
            name = _last_name(node.func)
            if _ASSERTS.match(name) and not _is_constant_call(node):
                yield Assertion(ast.unparse(node), _atoms(node), _strength_of_call(name))


def _is_constant_call(node: ast.Call) -> bool:
    """`self.assertTrue(True)`, `self.assertEqual(1, 1)`; a call without arguments may say much."""
    return bool(node.args) and all(isinstance(one, ast.Constant) for one in node.args)


def _strength_of_call(name: str) -> Strength:
    if _ASSERTS_EXACTLY.match(name):
        return Strength.VALUE
    return Strength.PRESENCE if _ASSERTS_PRESENCE.match(name) else Strength.RELATION


def _strength(test: ast.expr) -> Strength | None:
    """None for what can never fail."""
    match test:
        case ast.Constant(value=value):
            return None if value else Strength.VALUE
        case ast.Tuple() | ast.List() | ast.Dict() | ast.JoinedStr() | ast.Lambda():
            return None
        case ast.BoolOp(op=ast.Or(), values=values):
            each = [_strength(value) for value in values]
            if None in each:
                return None
            return min((one for one in each if one is not None), default=None)
        case ast.BoolOp(op=ast.And(), values=values):
            said = [one for value in values if (one := _strength(value)) is not None]
            return max(said, default=None)
        case ast.UnaryOp(op=ast.Not()):
            return Strength.RELATION
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            return _strength_of_comparison(left, ops[0], comparators[0])
        case _:
            return Strength.PRESENCE


def _strength_of_comparison(left: ast.expr, op: ast.cmpop, right: ast.expr) -> Strength | None:
    if isinstance(op, ast.Eq | ast.Is | ast.LtE | ast.GtE) and ast.dump(left) == ast.dump(right):
        return None
    if isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
        return None
    is_none = isinstance(right, ast.Constant) and right.value is None
    match op:
        case ast.Eq() | ast.Is():
            return Strength.VALUE
        case ast.IsNot() | ast.NotEq() if is_none:
            return Strength.PRESENCE
        case _:
            return Strength.RELATION


def _atoms(node: ast.AST) -> frozenset[str]:
    atoms = set()
    for inner in ast.walk(node):
        match inner:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                atoms.add(name)
            case ast.Constant(value=value):
                atoms.add(repr(value))
            case _:
                pass
    return frozenset(atoms)


def _called_names(nodes: Sequence[ast.AST]) -> list[str]:
    return [_last_name(node.func) for node in nodes if isinstance(node, ast.Call)]


def _last_name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=func):
            return _last_name(func)
        case _:
            return ""
