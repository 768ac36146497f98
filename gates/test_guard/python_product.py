"""Whether an assertion in Python holds the product against its own word: `price(1) == ONE`, both of the product.

What it says then is that the two agree. A change can move both at once.
"""

import ast
import posixpath
import re
import sys
from collections.abc import Iterator

from gates.test_guard.python_by_rows import given_once
from gates.test_guard.python_names import last_name
from gates.test_guard.python_walk import Function, walk
from gates.test_guard.python_whole import is_of_tests

_EQUAL = re.compile(
    r"assert_?(?:almost_?)?equals?$|assert(?:List|Dict|Tuple|Set|Sequence)Equal$|assertIs$", re.I
)
_BESIDE_TESTS = re.compile(
    r"(?:^|[._])(?:conftest|helpers?|fixtures?|factor(?:y|ies)|data|cases|utils?|common)(?:[._]|$)"
)
# Libraries whose constants are nobody's product.
_LIBRARIES = frozenset(
    {"pytest", "hypothesis", "numpy", "pandas", "torch", "scipy", "attr", "attrs", "pydantic"}
)


def names_of_product(path: str, tree: ast.Module) -> frozenset[str]:
    """What a file imports from modules that are neither Python's, a library's nor the tests' own."""
    is_in_tests = is_of_tests(posixpath.dirname(path).replace("/", "."))
    found: set[str] = set()
    for node in walk(tree):
        match node:
            case ast.Import(names=names):
                found |= {
                    (n.asname or n.name).partition(".")[0] for n in names if _is_product(n.name)
                }
            case ast.ImportFrom(module=module, names=names, level=level):
                is_tests = level == 1 and (is_in_tests or not module)
                is_helper = level > 0 and _BESIDE_TESTS.search(module or "")
                if not is_tests and not is_helper and (level or _is_product(module or "")):
                    found |= (
                        {n.asname or n.name for n in names}
                        if not is_of_tests(module or "")
                        else set()
                    )
            case _:
                pass
    return frozenset(found)


def _is_product(module: str) -> bool:
    top = module.partition(".")[0]
    is_library = top in sys.stdlib_module_names or top in _LIBRARIES or top == "__future__"
    return not is_library and not is_of_tests(module)


class ByProduct:
    def __init__(self, node: Function, product: frozenset[str]) -> None:
        self._given = given_once(node)
        self._product = product | set(self._rows(node, product)) if product else product

    def says(self, node: ast.AST) -> bool:
        if not self._product:
            return False
        match node:
            case ast.Assert(
                test=ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right])
            ):
                return self._compares(left, right)
            case ast.Call(args=[left, right, *_]) if _EQUAL.match(last_name(node.func)):
                return self._compares(left, right)
            case _:
                return False

    def _rows(self, node: Function, product: frozenset[str]) -> Iterator[str]:
        """Names that are given rows of the product's."""
        for one in node.decorator_list:
            match one:
                case ast.Call(args=[ast.Constant(value=str(names)), rows, *_]) if (
                    last_name(one) == "parametrize" and _root(rows) in product
                ):
                    yield from (name.strip() for name in names.split(","))
                case _:
                    pass
        for inner in walk(node):
            if isinstance(inner, ast.For) and _root(inner.iter) in product:
                yield from (n.id for n in walk(inner.target) if isinstance(n, ast.Name))

    def _compares(self, left: ast.expr, right: ast.expr) -> bool:
        one, other = self._meant(left), self._meant(right)
        if _is_written_out(one) or _is_written_out(other):
            return False
        kinds = (self._is_word(one), self._is_word(other))
        return any(kinds) or (self._is_answer(one) and self._is_answer(other))

    def _meant(self, side: ast.expr) -> ast.expr:
        return self._given.get(side.id, side) if isinstance(side, ast.Name) else side

    def _is_word(self, side: ast.expr) -> bool:
        """A constant of the product's."""
        is_plain = not any(isinstance(one, ast.Call) for one in _chain(side))
        return is_plain and _root(side) in self._product

    def _is_answer(self, side: ast.expr) -> bool:
        """What a function of the product's gives."""
        return _root(side) in self._product


def _chain(node: ast.expr) -> Iterator[ast.expr]:
    yield node
    match node:
        case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.Call(func=inner):
            yield from _chain(inner)
        case _:
            pass


def _root(node: ast.expr) -> str:
    last = list(_chain(node))[-1]
    return last.id if isinstance(last, ast.Name) else ""


def _is_written_out(node: ast.expr) -> bool:
    """A value that stands there, alone or in something that is made of such."""
    match node:
        case ast.Constant() | ast.JoinedStr():
            return True
        case ast.UnaryOp(operand=inner) | ast.Starred(value=inner):
            return _is_written_out(inner)
        case ast.BinOp(left=left, right=right):
            return _is_written_out(left) or _is_written_out(right)
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return not parts or any(map(_is_written_out, parts))
        case ast.Dict(values=parts):
            return not parts or any(map(_is_written_out, parts))
        case ast.Call(args=parts, keywords=named):
            # `Money(5)` is a value; `cost(1)` is an answer.
            is_made = last_name(node)[:1].isupper()
            return is_made and any(map(_is_written_out, (*parts, *(k.value for k in named))))
        case _:
            return False
