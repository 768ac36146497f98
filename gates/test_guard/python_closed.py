"""Whether an assertion in Python is about what its own file makes up: a stand-in in place of the product.

What it looks at is followed through what the test and its file give names. Where that leads to an import, a fixture
of others or an unknown name, it may be the product's.
"""

import ast
import builtins
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Set as AbstractSet
from dataclasses import dataclass

from gates.test_guard.python_walk import Function, walk

# What they give is nobody's product.
_CALM_MODULES = frozenset(
    {"abc", "builtins", "collections", "contextlib", "copy", "dataclasses", "datetime", "decimal"}
    | {"enum", "fractions", "functools", "itertools", "json", "math", "operator", "pytest"}
    | {"random", "re", "statistics", "string", "textwrap", "time", "types", "typing", "unittest"}
)
_LEADS_OUT = frozenset(
    {"open", "eval", "exec", "compile", "__import__", "globals", "locals", "vars", "input"}
)
_BUILT_IN = frozenset(dir(builtins)) - _LEADS_OUT
_OUT, _STATEMENT = "*", "#"


@dataclass(frozen=True)
class OfFile:
    """The names that a file gives a meaning, and those of them that lead out of it."""

    known: frozenset[str] = frozenset()
    leading_out: frozenset[str] = frozenset()

    @classmethod
    def of(cls, tree: ast.Module) -> "OfFile":
        made_of: defaultdict[str, set[str]] = defaultdict(set)
        for node in tree.body:
            _add(node, made_of)
        return cls(frozenset(made_of), _leading_out(made_of, lambda name: name not in _BUILT_IN))

    def leads_out(self, name: str) -> bool:
        return name in self.leading_out or (name not in self.known and name not in _BUILT_IN)


class Closed:
    def __init__(self, test: Function, of_file: OfFile) -> None:
        own: defaultdict[str, set[str]] = defaultdict(set)
        for node in test.body:
            _add(node, own)
        texts = {name for one in test.decorator_list for name in _texts(one)}
        rows = {name for one in test.decorator_list for name in _read(one)}
        given = {
            one.arg for one in (*test.args.posonlyargs, *test.args.args, *test.args.kwonlyargs)
        }
        for name in given & texts:
            own[name] |= rows
        # What a test gives a value is no longer the file's; an argument is somebody's fixture.
        stored = (given & texts) | {name for node in test.body for name in _stored(node)}
        for name in set(own) - stored:
            if not name.startswith(_STATEMENT) and of_file.leads_out(name):
                own[name].add(_OUT)
        self._own = own
        self._file = of_file
        self._leading_out = _leading_out(own, of_file.leads_out)

    def is_closed(self, node: ast.AST) -> bool:
        match node:
            case ast.Assert(test=looked_at):
                return self._leads_nowhere(_read(looked_at))
            case ast.Call(args=[_, _, *_] as given):
                return self._leads_nowhere(name for one in given for name in _read(one))
            case _:
                return False

    def _leads_nowhere(self, names: Iterable[str]) -> bool:
        said = set(names) - _BUILT_IN
        return bool(said) and not any(
            name in self._leading_out if name in self._own else self._file.leads_out(name)
            for name in said
        )


def _leading_out(
    made_of: Mapping[str, AbstractSet[str]], leads_out: Callable[[str], bool]
) -> frozenset[str]:
    """The names that lead to what leads out; of those that are made of nothing here it is asked."""
    makes: defaultdict[str, set[str]] = defaultdict(set)
    for name, parts in made_of.items():
        for part in parts:
            makes[part].add(name)
    left = [one for one in makes if one == _OUT or (one not in made_of and leads_out(one))]
    seen = set(left)
    while left:
        new = makes[left.pop()] - seen
        seen |= new
        left += new
    return frozenset(seen)


def _add(node: ast.stmt, found: defaultdict[str, set[str]]) -> None:
    """What a statement, and those below it, make names of."""
    match node:
        case ast.Import(names=names):
            for one in names:
                found[(one.asname or one.name).partition(".")[0]] |= _of_module(one.name)
        case ast.ImportFrom(module=module, names=names, level=level):
            for one in names:
                found[one.asname or one.name] |= {_OUT} if level else _of_module(module or "")
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            found[name] |= set(_read(node)) - set(_bound_inside(node))
        case ast.Assert():
            pass
        case _:
            heads = [part for part in ast.iter_child_nodes(node) if not isinstance(part, ast.stmt)]
            # One name for all that the statement reads, so that each is looked at once.
            whole = f"{_STATEMENT}{node.lineno}:{node.col_offset}"
            found[whole] |= {name for head in heads for name in _read(head)}
            for head in heads:
                for name in (*_stored(head), *_changed(head)):
                    found[name].add(whole)
            for inner in _below(node):
                _add(inner, found)


def _of_module(module: str) -> set[str]:
    return set() if module.partition(".")[0] in _CALM_MODULES else {_OUT}


def _below(node: ast.stmt) -> Iterator[ast.stmt]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        elif isinstance(child, ast.ExceptHandler | ast.match_case):
            yield from (one for one in ast.iter_child_nodes(child) if isinstance(one, ast.stmt))


def _read(node: ast.AST) -> Iterator[str]:
    """The names in it, but for those that lambdas and comprehensions give a meaning of their own."""
    own = {name for one in walk(node) for name in _bound_in(one)}
    return (
        one.id
        for one in walk(node)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load) and one.id not in own
    )


def _bound_in(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Lambda(args=args):
            yield from (one.arg for one in (*args.posonlyargs, *args.args, *args.kwonlyargs))
        case ast.comprehension(target=target):
            yield from _stored(target)
        case _:
            pass


def _stored(node: ast.AST) -> Iterator[str]:
    for one in walk(node):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            yield one.id


def _changed(node: ast.AST) -> Iterator[str]:
    """Names that a call may change: what it is given, and whose method it is."""
    for one in walk(node):
        match one:
            case ast.Call(func=func, args=args, keywords=named):
                for given in (*args, *(each.value for each in named)):
                    yield from _read(given)
                if isinstance(func, ast.Attribute):
                    yield from _read(func.value)
            case (
                ast.Attribute(value=of, ctx=ast.Store()) | ast.Subscript(value=of, ctx=ast.Store())
            ):
                yield from _read(of)
            case _:
                pass


def _bound_inside(node: ast.AST) -> Iterator[str]:
    """What is a function's own: its arguments, and what it gives a value."""
    for one in walk(node):
        if isinstance(one, ast.arg):
            yield one.arg
        elif isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            yield one.id


def _texts(node: ast.AST) -> Iterator[str]:
    for one in walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield from (word.strip() for word in one.value.split(","))
