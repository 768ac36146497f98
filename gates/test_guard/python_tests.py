"""Tests in Python, by its own syntax tree, as pytest and unittest collect them.

An assertion that can never fail is none: a constant, behind a `return`, in a `try` that catches it.
"""

import ast
import re
import warnings
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gates.test_guard.found_test import (
    FoundTest,
    Helpers,
    Mark,
    TestFile,
)
from gates.test_guard.python_blocks import BEFORE_CLASS, BEFORE_MODULE, marks_of_block
from gates.test_guard.python_by_rows import by_rows
from gates.test_guard.python_classes import reshaped_classes
from gates.test_guard.python_closed import Closed, OfFile
from gates.test_guard.python_conditions import conditional
from gates.test_guard.python_fixtures import (
    asked_by,
    asked_by_marks,
    asked_for_block,
    fixtures_of,
)
from gates.test_guard.python_functions import helpers_of
from gates.test_guard.python_marks import (
    is_false,
    labels_of,
    marks_in,
    marks_of,
    marks_of_blocks,
    tries_of,
)
from gates.test_guard.python_names import dotted, given_in, last_name, without_aliases
from gates.test_guard.python_newer import in_older_words
from gates.test_guard.python_product import ByProduct, names_of_product
from gates.test_guard.python_reach import idle_functions, living, own_nodes, swallows
from gates.test_guard.python_rows import calls_of_tests, cases_of
from gates.test_guard.python_strength import Around, asserting
from gates.test_guard.python_swallow import told_plainly
from gates.test_guard.python_walk import Function, walk
from gates.test_guard.python_whole import (
    bound,
    equal_to_all,
    given_to_all,
    is_left_out_folder,
    is_of_tests,
    names_given_to_classes,
    put_in_place,
    swapped_by,
)

# `monkeypatch.setattr` and `.setitem`, `mock.patch` and `mock.patch.object`.
_PUTS_IN = frozenset({"setattr", "setitem", "patch", "object"})
_ENUMS = frozenset({"Enum", "StrEnum", "IntEnum"})
_NOTHING = ast.List(elts=[], ctx=ast.Load())


def read_python(path: str, source: str) -> TestFile:
    """The tests of a file; never raises."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = told_plainly(without_aliases(_parsed(source)), swallows)
        return _read(path, source, tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return TestFile(path, is_readable=False)


def _parsed(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except SyntaxError:
        return ast.parse(in_older_words(source))


@dataclass(frozen=True)
class _Place:
    """Where a test stands: the names around it, and the marks, fixtures and blocks that it has from there."""

    names: tuple[str, ...]
    marks: frozenset[Mark]
    said: str = ""
    asked: frozenset[str] = frozenset()
    around: tuple[ast.Module | ast.ClassDef, ...] = ()


@dataclass(frozen=True)
class _Module:
    """What a file has for its tests. `fixtures`: how each marks who asks for it; `put_in`: names of
    imports that the file then gives something else; `idle`: decorators that never use what they decorate;
    `waiting`: functions that do nothing as they are called; `product`: names that come from the product;
    `swapped`: names that some function gives another meaning behind Python's back; `called`: rows that tests give to
    other tests; `names`: what its names are made of.
    """

    helpers: Helpers
    imports: frozenset[str] = frozenset()
    put_in: frozenset[str] = frozenset()
    renamed: frozenset[str] = frozenset()
    fixtures: Mapping[str, frozenset[Mark]] = field(default_factory=dict)
    idle: frozenset[str] = frozenset()
    values: dict[str, ast.expr] = field(default_factory=dict)
    equal_to_all: frozenset[str] = frozenset()
    calm: frozenset[str] = frozenset()
    waiting: frozenset[str] = frozenset()
    product: frozenset[str] = frozenset()
    swapped: frozenset[str] = frozenset()
    called: Mapping[str, frozenset[str]] = field(default_factory=dict)
    names: OfFile = field(default_factory=OfFile)


def _read(path: str, source: str, tree: ast.Module) -> TestFile:
    lines = source.split("\n")
    module = _module(path, tree)
    found: dict[str, FoundTest] = {}
    within: defaultdict[str, list[str]] = defaultdict(list)
    place = _Place(
        (),
        marks_of_block(tree.body, BEFORE_MODULE),
        asked=asked_for_block(tree.body),
        around=(tree,),
    )
    if is_left_out_folder(path):
        place = replace(place, marks=place.marks | {Mark.CONDITIONAL})
    for name, node, where in _functions(tree.body, place):
        if node is not None:
            # Python keeps the last definition of a name, and so does pytest.
            found[name] = _found(path, name, node, where, lines, module)
            parts = name.split("::")
            for depth in range(1, len(parts)):
                within["::".join(parts[:depth])].append(name)
            continue
        for one in (name, *within.pop(name, ())):
            found.pop(one, None)
    # What is imported by a star may have the name of any test above it.
    star = max((one.lineno for one in tree.body if _is_star(one)), default=0)
    given = names_given_to_classes(tree)
    reshaped = reshaped_classes(tree)
    tests = tuple(
        replace(test, marks=test.marks | _marks_from_afar(test, star, given, reshaped))
        for test in sorted(found.values(), key=lambda test: test.line)
    )
    around = "\n".join(ast.unparse(one) for one in tree.body if not _holds_tests(one))
    return TestFile(path, tests, put_in_place=put_in_place(tree), around=around)


def _marks_from_afar(
    test: FoundTest, star: int, given: frozenset[str], reshaped: Mapping[str, Mark]
) -> set[Mark]:
    """What a star import behind a test, and what reshapes its class, make of it."""
    marks = {reshaped[one] for one in test.name.split("::")[:-1] if one in reshaped}
    return marks | {Mark.CONDITIONAL} if test.line < star or test.short_name in given else marks


def _is_star(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.names[0].name == "*"


def _holds_tests(node: ast.stmt) -> bool:
    return isinstance(node, Function) and node.name.startswith("test")


def _module(path: str, tree: ast.Module) -> _Module:
    imports: set[str] = set()
    put_in: set[str] = set()
    renamed: set[str | None] = set()
    # What has another name here, so that its own is free for something else.
    hidden: set[str] = set()
    values = _values_of_classes(tree)
    for node in tree.body:
        match node:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                given_names = {(one.asname or one.name).partition(".")[0] for one in names}
                imports |= given_names
                if isinstance(node, ast.ImportFrom):
                    is_fake = is_of_tests(node.module or "")
                    put_in |= given_names if is_fake else set()
                    renamed |= {one.asname for one in names if one.asname not in {None, one.name}}
                    hidden |= {one.name for one in names if one.asname}
            case ast.Try(handlers=handlers):
                # A product that lacks it is made up for by the test's own.
                fallen = [n for one in handlers for n in one.body if not _gives_nothing(n)]
                imports |= {name for one in node.body for name in bound(one)}
                put_in |= {name for one in fallen for name in (*bound(one), *_defined(one))}
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                put_in.add(name)
            case ast.Assign(targets=targets, value=value):
                given = [target.id for target in targets if isinstance(target, ast.Name)]
                put_in.update(given)
                values |= dict.fromkeys(given, value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                put_in.add(name)
                values[name] = value
            case _:
                pass
    functions = [node for node in walk(tree) if isinstance(node, Function)]
    put_in |= {name for one in functions for name in given_to_all(one)}
    fixtures = fixtures_of(functions)
    idle = {
        one.name for one in functions if one.args.args and _never_uses(one, one.args.args[0].arg)
    }
    helpers, calm = helpers_of(functions, values)
    return _Module(
        helpers,
        frozenset(imports),
        frozenset(put_in & (imports | hidden)),
        frozenset(name for name in renamed if name),
        fixtures,
        frozenset(idle),
        values,
        frozenset(equal_to_all(tree)),
        calm,
        idle_functions(tree.body),
        # What the file gives a value itself is not taken from elsewhere.
        names_of_product(path, tree) - values.keys(),
        frozenset(name for one in functions for name in swapped_by(one)),
        calls_of_tests(tree.body),
        OfFile.of(tree),
    )


def _gives_nothing(node: ast.stmt) -> bool:
    """`name = None` and an import of the same from elsewhere."""
    return isinstance(node, ast.Import | ast.ImportFrom) or (
        isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
    )


def _defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, Function):
        yield node.name


def _never_uses(node: Function, name: str) -> bool:
    return not any(isinstance(one, ast.Name) and one.id == name for one in walk(node))


def _functions(
    body: Sequence[ast.stmt], place: _Place
) -> Iterator[tuple[str, Function | None, _Place]]:
    """The test functions in order; None for a name that stands for a test no more."""
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() if node.name.startswith("test"):
                yield "::".join((*place.names, node.name)), node, place
            case ast.ClassDef() if _is_collected(node):
                marks = place.marks | marks_of(node.decorator_list)
                marks |= marks_of_block(node.body, BEFORE_CLASS)
                said = f"{place.said}\n{ast.get_docstring(node) or ''}"
                asked = place.asked | asked_by_marks(node.decorator_list)
                asked |= asked_for_block(node.body)
                around = (*place.around, node)
                inner = _Place((*place.names, node.name), marks, said, asked, around)
                yield "::".join(inner.names), None, place
                yield from _functions(node.body, inner)
            case ast.If():
                yield from _functions_under(node, place)
            case ast.Try() | ast.With() | ast.For() | ast.While():
                yield from (_gone(name, place) for name in bound(node))
                yield from _functions(node.body, place)
            case ast.Assign(targets=[ast.Attribute(of, "__test__")], value=value):
                if is_false(value):
                    yield _gone(dotted(of).replace(".", "::"), place)
            case _:
                yield from (_gone(name, place) for name in bound(node))


def _gone(name: str, place: _Place) -> tuple[str, None, _Place]:
    return "::".join((*place.names, name)), None, place


def _functions_under(node: ast.If, place: _Place) -> Iterator[tuple[str, Function | None, _Place]]:
    if isinstance(node.test, ast.Constant) and node.test.value:
        yield from _functions(node.body, place)
        return
    inner = replace(place, marks=place.marks | {Mark.CONDITIONAL})
    for block in (node.body, node.orelse):
        yield from _functions(block, inner)


def _is_collected(node: ast.ClassDef) -> bool:
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
    return any(re.search(r"Test(?:Case|s|Base|Mixin)?$", last_name(base)) for base in node.bases)


def _found(
    path: str, name: str, node: Function, place: _Place, lines: Sequence[str], module: _Module
) -> FoundTest:
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    last = node.end_lineno or node.lineno
    alive = living(node.body)
    own = _own_names(node)
    may_not_run = conditional(node.body, module.values)
    # What a function inside of the test asserts is among what is alive.
    inside = frozenset(n.name for n in walk(node) if isinstance(n, Function) and n is not node)
    calm = module.calm | inside if inside else module.calm
    own_said = list(asserting(alive, Around(may_not_run, module.equal_to_all, calm, module.values)))
    by_product = ByProduct(node, module.product)
    closed = Closed(node, module.names)
    said = [
        replace(one, is_by_product=by_product.says(at), is_closed=closed.is_closed(at))
        for at, one in own_said
    ]
    unread = {id(one.value) for one in alive if isinstance(one, ast.Expr)}
    for call in (one for one in alive if isinstance(one, ast.Call)):
        if id(call) in unread and last_name(call) in module.waiting:
            continue
        helped = module.helpers.called({last_name(call.func)} - own)
        if id(call) in may_not_run:
            helped = tuple(replace(one, is_conditional=True) for one in helped)
        said += helped
    marks = (
        place.marks
        | marks_of(node.decorator_list)
        | marks_in(node)
        | _marks_around(node, place, module)
    )
    used = {one.id for one in alive if isinstance(one, ast.Name)}
    members = set(_members_used(alive, module.imports)) - own - module.swapped
    body = [one for one in node.body if not _is_words(one)]
    above = _comments_above(lines, first)
    decorators = [*node.decorator_list, *marks_of_blocks(place.around)]
    return FoundTest(
        path=path,
        name=name,
        line=node.lineno,
        body="\n".join(ast.unparse(one) for one in body),
        said="\n".join((name, place.said, *above, *lines[first - 1 : last])),
        assertions=tuple(said),
        marks=marks,
        cases=cases_of(node, module.values, module.called.get(node.name, frozenset())),
        is_empty=all(_has_no_effect(one) for one in node.body),
        about=frozenset((used & module.imports - own - module.put_in) | members),
        own=frozenset(own | module.put_in | module.renamed | module.swapped),
        by_rows=tuple(by_rows(node, own_said, module.values)),
        head="\n".join(map(ast.unparse, (node.args, *node.decorator_list))),
        tries=tries_of(decorators, module.values),
        labels=labels_of(decorators, module.values),
    )


def _members_used(alive: Sequence[ast.AST], imports: frozenset[str]) -> Iterator[str]:
    """`price` of `shop.price(1)`."""
    for one in alive:
        match one:
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in imports:
                yield name
            case _:
                pass


def _marks_around(node: Function, place: _Place, module: _Module) -> frozenset[Mark]:
    """What fixtures and decorators of the file do to a test."""
    asked = place.asked | asked_by(node)
    marks: set[Mark] = set()
    for one in node.decorator_list:
        if isinstance(one, ast.Name) and one.id in module.idle:
            marks.add(Mark.SKIPPED)
    if not node.decorator_list and any(isinstance(one, ast.Yield) for one in own_nodes(node)):
        # pytest runs no test that yields.
        marks.add(Mark.EXPECTED_TO_FAIL)
    if isinstance(node, ast.AsyncFunctionDef) and not any(
        isinstance(one, ast.Await | ast.AsyncFor | ast.AsyncWith)
        or (isinstance(one, ast.comprehension) and one.is_async)
        for one in walk(node)
    ):
        # Without a plugin pytest runs none that is `async`, and this one has no reason to be.
        marks.add(Mark.CONDITIONAL)
    return frozenset(marks.union(*(module.fixtures.get(name, ()) for name in asked)))


def _own_names(node: Function) -> set[str]:
    """Names that mean something of the test's own in it: given, defined, or put in another's place."""
    own = {one.arg for one in (*node.args.args, *node.args.kwonlyargs)}
    for inner in walk(node):
        match inner:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                own.add(name)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() if inner is not node:
                own.add(inner.name)
            case ast.ImportFrom(names=names):
                own |= {one.asname for one in names if one.asname not in {None, one.name}}
            case ast.Call(func=func, args=words) if last_name(func) in _PUTS_IN:
                texts = (n.value for w in words for n in walk(w) if isinstance(n, ast.Constant))
                own |= {text.rpartition(".")[2] for text in texts if isinstance(text, str)}
            case _:
                pass
    return own | set(swapped_by(node))


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


def _values_of_classes(tree: ast.Module) -> dict[str, ast.expr]:
    """What stands for what, by the words that lead there: `self.CASES`, and the members of an enum.

    What may be something else stands for nothing.
    """
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
