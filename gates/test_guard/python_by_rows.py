"""What an assertion in Python says in each row of its tables, with the values in place of names.

`price(count) == cost` is `price(1) == 5` in the row `(1, 5)`, so that tests may become rows of one test. Rows
come from decorators and from loops; a name that is given one value stands for it.
"""

import ast
import copy
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gates.test_guard.found_test import Assertion
from gates.test_guard.python_names import last_name
from gates.test_guard.python_rows import is_left_out
from gates.test_guard.python_walk import Function, walk

Row = Mapping[str, ast.expr]
# So many rows for one assertion, so many assertions of a test in all, and so long a text of one.
_ROWS_MAX, _SAID_MAX, _CHARS_MAX = 200, 500, 1_000
# A name is followed through so many others.
_NAMES_MAX = 5


def by_rows(
    node: Function, said: Iterable[tuple[ast.AST, Assertion]], values: Row
) -> Iterator[Assertion]:
    """The assertions once more with what their names stand for; none where no name stands for anything."""
    tables = _Tables.of(node, values)
    given = _given(node)
    if not given and not tables.rows and not tables.loops:
        return
    left = _SAID_MAX
    for at, one in said:
        if not isinstance(at, ast.Assert | ast.Call):
            continue
        looked_at = at.test if isinstance(at, ast.Assert) else at
        for row in tables.over(at):
            if left <= 0:
                return
            left -= 1
            text = _put_in(looked_at, row, given)
            if text is not None:
                # The words of such a text are those of a row: only the whole of it says the same.
                yield replace(one, text=text, atoms=frozenset())


def rows_of(one: ast.expr, values: Row, parameters: Sequence[str]) -> list[Row] | None:
    """What a decorator gives its names in each row; None where that is not written out."""
    if not isinstance(one, ast.Call) or any(k.arg == "indirect" for k in one.keywords):
        return None
    match last_name(one.func), one.args:
        case "parametrize", [named, rows, *_]:
            names = _names(named)
        case "expand", [rows, *_]:
            names = list(parameters)
        case _:
            return None
    elements = _elements(rows, values)
    return None if not names or elements is None else [_row(names, each) for each in elements]


def _names(named: ast.expr) -> list[str]:
    match named:
        case ast.Constant(value=str(words)):
            return [word.strip() for word in words.split(",") if word.strip()]
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return [str(e.value) for e in elements if isinstance(e, ast.Constant)]
        case _:
            return []


def _elements(rows: ast.expr, values: Row) -> list[ast.expr] | None:
    if isinstance(rows, ast.Name):
        rows = values.get(rows.id, rows)
    if isinstance(rows, ast.List | ast.Tuple):
        return [each for each in rows.elts if not is_left_out(each)][:_ROWS_MAX]
    return None


def _row(names: Sequence[str], each: ast.expr) -> Row:
    if isinstance(each, ast.Call) and last_name(each.func) == "param":
        cells = each.args
    elif len(names) == 1:
        cells = [each]
    else:
        cells = each.elts if isinstance(each, ast.Tuple | ast.List) else []
    return dict(zip(names, cells, strict=False))


@dataclass(frozen=True)
class _Tables:
    """The rows of decorators, and for nodes in loops those of the loops around them."""

    rows: list[list[Row]]
    loops: Mapping[int, list[list[Row]]]

    @classmethod
    def of(cls, node: Function, values: Row) -> "_Tables":
        parameters = [one.arg for one in node.args.args if one.arg not in {"self", "cls"}]
        found = (rows_of(one, values, parameters) for one in node.decorator_list)
        own = {**values, **given_once(node)}
        loops: dict[int, list[list[Row]]] = {}
        _loops(node.body, own, [], loops)
        return cls([rows for rows in found if rows is not None], loops)

    def over(self, at: ast.AST) -> Iterator[Row]:
        """Each row that a node sees, with one cell from every table."""
        found: list[Row] = [{}]
        for table in (*self.rows, *self.loops.get(id(at), ())):
            wider: list[Row] = [{**one, **row} for one in found for row in table]
            found = wider[:_ROWS_MAX]
        yield from found


def _loops(
    body: Sequence[ast.stmt],
    values: Row,
    around: list[list[Row]],
    found: dict[int, list[list[Row]]],
) -> None:
    for node in body:
        inside = around
        if isinstance(node, ast.For):
            elements = _elements(node.iter, values)
            names = _names_of(node.target)
            if elements is not None and names:
                inside = [*around, [_row(names, each) for each in elements]]
        if isinstance(node, ast.For | ast.With | ast.If | ast.Try):
            _loops(node.body, values, inside, found)
        elif inside:
            found.update((id(one), inside) for one in walk(node))
        if inside and isinstance(node, ast.With):
            heads = (one for item in node.items for one in walk(item.context_expr))
            found.update((id(one), inside) for one in heads)


def _names_of(target: ast.expr) -> list[str]:
    match target:
        case ast.Name(id=name):
            return [name]
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            names = [one.id for one in elements if isinstance(one, ast.Name)]
            return names if len(names) == len(elements) else []
        case _:
            return []


def _given(node: Function) -> dict[str, ast.expr | None]:
    """Names of the body's own that one plain statement gives a value; None where several do."""
    times: Counter[str] = Counter()
    given: dict[str, ast.expr | None] = {}
    for one in walk(node):
        if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load):
            times[one.id] += 1
        elif isinstance(one, ast.arg):
            times[one.arg] += 1
        match one:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                given[name] = value
            case _:
                pass
    return {name: value if times[name] == 1 else None for name, value in given.items()}


def given_once(node: Function) -> dict[str, ast.expr]:
    return {name: value for name, value in _given(node).items() if value is not None}


class _UnknownError(Exception):
    pass


def _put_in(looked_at: ast.expr, row: Row, given: Mapping[str, ast.expr | None]) -> str | None:
    """The text with values in place of names; None where it is too long, or not known."""
    try:
        text = ast.unparse(_InPlace(row, given).visit(copy.deepcopy(looked_at)))
    # Python before 3.12 writes no line break into a part of an f-string.
    except (_UnknownError, ValueError):
        return None
    return text if len(text) <= _CHARS_MAX else None


class _InPlace(ast.NodeTransformer):
    def __init__(self, row: Row, given: Mapping[str, ast.expr | None]) -> None:
        self._row = row
        self._given = given
        self._left = _NAMES_MAX * 20
        self._through: tuple[str, ...] = ()

    def visit_Name(self, node: ast.Name) -> ast.expr:
        is_one = node.id in self._row or node.id in self._given
        if not is_one or not isinstance(node.ctx, ast.Load) or node.id in self._through:
            return node
        value = self._row.get(node.id) or self._given.get(node.id)
        self._left -= 1
        if value is None or self._left < 0 or len(self._through) >= _NAMES_MAX:
            raise _UnknownError
        before, self._through = self._through, (*self._through, node.id)
        put_in = self.visit(copy.deepcopy(value))
        self._through = before
        return put_in if isinstance(put_in, ast.expr) else node
