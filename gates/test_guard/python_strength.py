"""What an assertion in Python says: whether it can fail, how much, and about what."""

import ast
import re
from collections import ChainMap
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gates.test_guard.found_test import Assertion, Strength
from gates.test_guard.python_copies import is_made_of, is_said_again, meant
from gates.test_guard.python_names import FAILS, SKIPS, last_name
from gates.test_guard.python_tolerance import tolerance, whole
from gates.test_guard.python_walk import walk

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
_ANY_FAILURE = frozenset({"Exception", "BaseException"})
_SNAPSHOT = re.compile(r"(?:^|_)snapshot(?:$|_)")


def is_assertion(node: ast.AST) -> bool:
    return isinstance(node, ast.Assert) or (
        isinstance(node, ast.Call) and _ASSERTS.match(last_name(node.func)) is not None
    )


@dataclass(frozen=True)
class Around:
    """What else is known of nodes: ids of those that may never run, classes of the file that say
    themselves what they equal, functions of the file that do not assert, whatever their name, and what its names
    stand for.
    """

    conditional: Collection[int] = ()
    equal_to_all: frozenset[str] = frozenset()
    calm: frozenset[str] = frozenset()
    values: dict[str, ast.expr] = field(default_factory=dict)


def assertions(nodes: Sequence[ast.AST], around: Around = Around()) -> Iterator[Assertion]:
    return (said for _, said in asserting(nodes, around))


def asserting(
    nodes: Sequence[ast.AST], around: Around = Around()
) -> Iterator[tuple[ast.AST, Assertion]]:
    """The nodes that assert and can fail, each with what it says."""
    values = _Values({}, {})
    known = ChainMap(values.before, around.values)
    for node in nodes:
        is_conditional = id(node) in around.conditional
        if isinstance(node, ast.Assert) and not _skips_instead(node.msg):
            strength = _strength(node.test, values)
            if strength is not None:
                if around.equal_to_all.intersection(_called(node.test, values.before)):
                    strength = Strength.PRESENCE
                yield node, _made(node.test, strength, known, is_conditional=is_conditional)
        elif isinstance(node, ast.Call) and not _is_calm(node, around):
            name = last_name(node.func)
            if _ASSERTS.match(name) and not _is_constant_call(node):
                yield (
                    node,
                    _made(
                        node, _strength_of_call(node, values), known, is_conditional=is_conditional
                    ),
                )
        if isinstance(node, ast.stmt):
            given = _given_by(node)
            values.before.update(given)
            values = _Values(given, values.before)


def _called(node: ast.AST, before: Mapping[str, ast.expr]) -> Iterator[str]:
    for one in walk(node):
        if isinstance(one, ast.Name):
            one = before.get(one.id, one)
        if isinstance(one, ast.Call):
            yield last_name(one)


def _is_calm(node: ast.Call, around: Around) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id in around.calm


def _made(
    node: ast.expr, strength: Strength, values: Mapping[str, ast.expr], *, is_conditional: bool
) -> Assertion:
    off = tolerance(node, values)
    return Assertion(ast.unparse(node), _atoms(node), strength, off, is_conditional)


def _skips_instead(message: ast.expr | None) -> bool:
    """`assert a == b, pytest.skip("…")`: the message is made where it fails."""
    return message is not None and any(
        last_name(one) in SKIPS | FAILS | {"exit", "_exit"}
        for one in walk(message)
        if isinstance(one, ast.Call)
    )


@dataclass(frozen=True)
class _Values:
    """What names were given: `just` by the statement in front, since when nothing has happened, and `before`."""

    just: Mapping[str, ast.expr]
    before: dict[str, ast.expr]


def _given_by(statement: ast.stmt) -> dict[str, ast.expr]:
    match statement:
        case ast.Assign(targets=targets, value=value):
            return {target.id: value for target in targets if isinstance(target, ast.Name)}
        case _:
            return {}


def _is_constant_call(node: ast.Call) -> bool:
    """`self.assertTrue(True)`, `self.assertEqual(1, 1)`; a call without arguments may say much."""
    return bool(node.args) and all(isinstance(one, ast.Constant) for one in node.args)


def _strength_of_call(node: ast.Call, values: _Values) -> Strength:
    name = last_name(node.func)
    if name in {"raises", "assertRaises", "assertRaisesRegex", "warns"}:
        if {last_name(one) for one in node.args[:1]} & _ANY_FAILURE:
            return Strength.PRESENCE
        says_how = name == "assertRaisesRegex" or any(
            one.arg == "match" and not _matches_all(one.value) for one in node.keywords
        )
        return Strength.VALUE if says_how else Strength.RELATION
    if _ASSERTS_EXACTLY.match(name):
        sides = node.args[:2] if len(node.args) > 1 else ()
        said = _strength_of_comparison(sides[0], ast.Eq(), sides[1], values) if sides else None
        return Strength.PRESENCE if sides and said is None else said or Strength.VALUE
    return Strength.PRESENCE if _ASSERTS_PRESENCE.match(name) else Strength.RELATION


def _matches_all(pattern: ast.expr) -> bool:
    return isinstance(pattern, ast.Constant) and pattern.value in {None, "", ".", ".*", ".+"}


def _strength(test: ast.expr, values: _Values) -> Strength | None:
    """None for what can never fail."""
    match test:
        case ast.Constant(value=value):
            return None if value else Strength.VALUE
        case ast.Tuple() | ast.List() | ast.Dict() | ast.JoinedStr() | ast.Lambda():
            return None
        case ast.BoolOp(op=ast.Or(), values=parts):
            each = [_strength(value, values) for value in parts]
            if None in each:
                return None
            # Each other way to pass says less of the first.
            return min(one for one in (*each, Strength.RELATION) if one is not None)
        case ast.BoolOp(op=ast.And(), values=parts):
            said = [one for value in parts if (one := _strength(value, values)) is not None]
            return max(said, default=None)
        case ast.UnaryOp(op=ast.Not()):
            return Strength.RELATION
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            return _strength_of_comparison(left, ops[0], comparators[0], values)
        case _:
            return Strength.PRESENCE


def _strength_of_comparison(
    left: ast.expr, op: ast.cmpop, right: ast.expr, values: _Values
) -> Strength | None:
    sides = (_put_in(left, values.just), _put_in(right, values.just))
    one, other = map(ast.dump, sides)
    was, wanted = _put_in(left, values.before), _put_in(right, values.before)
    if isinstance(op, ast.Eq | ast.Is | ast.LtE | ast.GtE) and (one == other or was is wanted):
        return None
    if isinstance(sides[0], ast.Constant) and isinstance(sides[1], ast.Constant):
        return None
    if any(isinstance(a, ast.NamedExpr) and _is_name(b, a.target) for a, b in _both(left, right)):
        return None
    if ast.dump(meant(left, values.just)) == ast.dump(meant(right, values.just)):
        # A copy is of its type, and nobody says more.
        return Strength.PRESENCE
    if is_said_again(left, right, values.before):
        # It may have changed in between, and what it is nobody says.
        return Strength.RELATION
    if any(is_made_of(a, b, values.before) for a, b in _both(left, right)):
        return Strength.RELATION
    if any(last_name(side) == "ANY" for side in sides):
        return Strength.PRESENCE
    is_none = isinstance(right, ast.Constant) and right.value is None
    match op:
        case ast.Eq() | ast.Is():
            return min(_said_of(side) for side in sides)
        case ast.IsNot() | ast.NotEq() if is_none:
            return Strength.PRESENCE
        case _:
            return Strength.RELATION


def _both(left: ast.expr, right: ast.expr) -> tuple[tuple[ast.expr, ast.expr], ...]:
    return (left, right), (right, left)


def _is_name(node: ast.expr, target: ast.Name) -> bool:
    return isinstance(node, ast.Name) and node.id == target.id


def _said_of(side: ast.expr) -> Strength:
    """What being equal to something says of a value: `bool(x)`, `len(x)` and `x % 5` leave most of it out."""
    match side:
        case ast.Call(func=ast.Name(id="bool" | "type" | "callable")):
            return Strength.PRESENCE
        case ast.Name() | ast.Attribute() | ast.Call(args=[]) if _SNAPSHOT.search(last_name(side)):
            # What it must be stands elsewhere, where a tool writes it.
            return Strength.RELATION
        case ast.Call(func=ast.Name(id="len" | "max" | "min")):
            return Strength.RELATION
        case ast.Attribute(attr="__name__" | "__qualname__" | "__doc__" | "__module__"):
            return Strength.RELATION
        case ast.Subscript(value=ast.Tuple() | ast.List() | ast.Dict()):
            # What is picked may be another one than the product's.
            return Strength.PRESENCE
        case ast.Call(func=ast.Name(id="round"), args=[_, places]) if (whole(places) or 0) < 0:
            return Strength.RELATION
        case ast.IfExp() | ast.BoolOp(op=ast.Or()) | ast.Subscript(slice=ast.Slice()):
            return Strength.RELATION
        case ast.BinOp(op=ast.Sub() | ast.BitXor() | ast.Div(), left=left, right=right) if ast.dump(
            left
        ) == ast.dump(right):
            return Strength.PRESENCE
        case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=0)):
            return Strength.PRESENCE
        case ast.BinOp(op=ast.Mod() | ast.FloorDiv() | ast.BitAnd() | ast.BitOr()):
            return Strength.RELATION
        case ast.BinOp(op=ast.Mult(), left=left, right=right) if any(
            isinstance(one, ast.Constant) and one.value == 0 for one in (left, right)
        ):
            return Strength.PRESENCE
        case _:
            return Strength.VALUE


def _put_in(side: ast.expr, values: Mapping[str, ast.expr]) -> ast.expr:
    match side:
        case ast.Name(id=name):
            return values.get(name, side)
        case ast.NamedExpr(value=value):
            return value
        case _:
            return side


def _atoms(node: ast.AST) -> frozenset[str]:
    atoms = set()
    for inner in walk(node):
        match inner:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                atoms.add(name)
            case ast.Constant(value=value):
                atoms.add(repr(value))
            case _:
                pass
    return frozenset(atoms)
