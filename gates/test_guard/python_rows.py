"""Rows for the tests of a file in Python: lists that have none, hooks that ask for them, and examples of Hypothesis."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from gates.test_guard.python_names import FAILS, SKIPS, last_name
from gates.test_guard.python_walk import walk


def generates_none(node: ast.AST) -> bool:
    """Whether a hook asks for more than the test does, or for no row at all."""
    for one in walk(node):
        match one:
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="fixturenames"))):
                return True
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[_, rows, *_]):
                if has_no_rows(rows):
                    return True
            case ast.Attribute(ctx=ast.Store()):
                return True
            case _:
                pass
    return False


def has_no_rows(rows: ast.expr) -> bool:
    """`[]`, `list()` and `range(0)`."""
    match rows:
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return not elements
        case ast.Call(func=ast.Name(id="list" | "tuple" | "set"), args=[]):
            return True
        case ast.Call(func=ast.Name(id="range"), args=[*_, ast.Constant(value=0)]):
            return True
        case _:
            return False


def cases_of(
    node: ast.FunctionDef | ast.AsyncFunctionDef,
    values: Mapping[str, ast.expr],
    called: frozenset[str] = frozenset(),
) -> int:
    """The rows of its parameters, those that are the same or left out counted as none. `called` are the arguments
    that other tests give it, which are a row each.
    """
    cases = 1
    tables: list[set[str]] = []
    for one in node.decorator_list:
        if isinstance(one, ast.Call) and last_name(one.func) in {"parametrize", "expand"}:
            rows = one.args[-1] if one.args else None
            if isinstance(rows, ast.Name):
                rows = values.get(rows.id)
            if isinstance(rows, ast.List | ast.Tuple):
                meant = [values.get(e.id, e) if isinstance(e, ast.Name) else e for e in rows.elts]
                tables.append({ast.unparse(row) for row in meant if not is_left_out(row)})
                cases *= len(tables[-1])
            elif rows is not None and has_no_rows(rows):
                cases = 0
    also = called - tables[0] if len(tables) == 1 else ()
    return cases * _examples(node) + len(also)


def calls_of_tests(body: Sequence[ast.stmt]) -> Mapping[str, frozenset[str]]:
    """The arguments that tests of a file give to other tests in plain statements, by the name of who is called, as a
    row's text.
    """
    found: defaultdict[str, set[str]] = defaultdict(set)
    functions = {one.name: one for one in body if isinstance(one, ast.FunctionDef)}
    for name, node in functions.items():
        if node.decorator_list or not name.startswith("test"):
            continue
        for one in node.body:
            match one:
                case ast.Expr(value=ast.Call(func=ast.Name(id=called), args=args, keywords=[])):
                    if called != name and args:
                        row = ast.Tuple(args, ast.Load()) if len(args) > 1 else args[0]
                        found[called].add(ast.unparse(row))
                case ast.Expr() | ast.Assign() | ast.ImportFrom() | ast.Import() | ast.Assert():
                    pass
                case _:
                    break
    return {name: frozenset(rows) for name, rows in found.items()}


# Fewer examples than these are a finding; how many more there are is a matter of time.
_EXAMPLES_MAX = 20


def _examples(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many examples Hypothesis tries, 1 where it tries none of its own."""
    given = [one for one in node.decorator_list if _is_call(one, "given")]
    if not given:
        return 1
    own = sum(_is_call(one, "example") for one in node.decorator_list)
    if all(map(_is_one_value, _strategies(given))):
        return 1 + own
    count = _EXAMPLES_MAX
    for one in node.decorator_list:
        for said in (
            one.keywords if isinstance(one, ast.Call) and last_name(one) == "settings" else ()
        ):
            match said.arg, said.value:
                case "max_examples", ast.Constant(value=int(number)):
                    count = min(count, number)
                case "phases", ast.List() | ast.Tuple() as phases if "generate" not in {
                    last_name(phase) for phase in phases.elts
                }:
                    count = 0
                case _:
                    pass
    return count + own


def _is_call(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and last_name(node) == name


def _strategies(given: Sequence[ast.expr]) -> Iterator[ast.expr]:
    for one in given:
        if isinstance(one, ast.Call):
            yield from one.args
            yield from (named.value for named in one.keywords)


def _is_one_value(strategy: ast.expr) -> bool:
    """`just(0)`, `sampled_from([0])`, `integers(3, 3)`, and what is filtered or mapped to one."""
    match strategy:
        case ast.Call(
            func=ast.Attribute(value=of, attr="filter" | "map"), args=[ast.Lambda() as does]
        ):
            is_one = isinstance(does.body, ast.Compare) and isinstance(
                does.body.ops[0], ast.Eq | ast.Is
            )
            return _is_one_value(of) or is_one or isinstance(does.body, ast.Constant)
        case ast.Call(args=args, keywords=named):
            said = [*args, *(one.value for one in named)]
            match last_name(strategy):
                case "just" | "none" | "nothing":
                    return True
                case "sampled_from":
                    return (
                        len(said) == 1
                        and isinstance(said[0], ast.List | ast.Tuple)
                        and len(said[0].elts) < 2
                    )
                case "integers" | "floats":
                    return len(said) > 1 and ast.dump(said[0]) == ast.dump(said[1])
                case _:
                    return False
        case _:
            return False


def is_left_out(row: ast.expr) -> bool:
    """Whether a row has a mark that it is skipped or expected to fail."""
    return isinstance(row, ast.Call) and any(
        last_name(one) in SKIPS | FAILS
        for k in row.keywords
        if k.arg == "marks"
        for one in walk(k.value)
        if isinstance(one, ast.expr)
    )
