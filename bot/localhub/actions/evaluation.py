"""Evaluate the trees of `expressions.py` with contexts.

`&&` and `||` return one of their operands and evaluate the second only if they must. The caller
provides the functions that need outside knowledge (`success`, `failure`, `always`, `cancelled`,
`hashFiles`): the service for jobs, the runner for steps.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from bot.localhub.actions.expressions import (
    Binary,
    Call,
    Context,
    ExpressionError,
    Index,
    Literal,
    Not,
    Tree,
    asks_for_status,
    embedded,
    parse_expression,
)
from bot.localhub.actions.values import (
    as_text,
    is_equal,
    is_less,
    is_truthy,
    kind_of,
    property_of,
    spread,
)

WorldFunction = Callable[[list[JsonValue]], JsonValue]

_FORMAT = re.compile(r"\{\{|\}\}|\{(\d+)\}|\{|\}")


@dataclass(frozen=True)
class EvaluationScope:
    """What an expression can use: contexts and functions by lower-case names."""

    contexts: Mapping[str, JsonValue]
    functions: Mapping[str, WorldFunction] = field(default_factory=dict)

    def with_contexts(self, **contexts: JsonValue) -> "EvaluationScope":
        return EvaluationScope({**self.contexts, **contexts}, self.functions)


def evaluate(tree: Tree, evaluation_scope: EvaluationScope) -> JsonValue:
    """The value of a tree. Raises ExpressionError where GitHub fails the step."""
    match tree:
        case Literal(value):
            return value
        case Context(name):
            return evaluation_scope.contexts.get(name)
        case Index(target, key):
            found = evaluate(target, evaluation_scope)
            return (
                spread(found)
                if key is None
                else property_of(found, evaluate(key, evaluation_scope))
            )
        case Not(operand):
            return not is_truthy(evaluate(operand, evaluation_scope))
        case Binary():
            return _binary(tree, evaluation_scope)
        case Call():
            return _call(tree, evaluation_scope)


def resolve(value: JsonValue, evaluation_scope: EvaluationScope) -> JsonValue:
    """A value with its `${{ }}` evaluated; a value that is a single expression keeps its type."""
    if isinstance(value, str):
        pieces = list(embedded(value))
        if len(pieces) == 1 and not isinstance(pieces[0], str):
            return evaluate(pieces[0], evaluation_scope)
        return "".join(
            piece if isinstance(piece, str) else as_text(evaluate(piece, evaluation_scope))
            for piece in pieces
        )
    if isinstance(value, list):
        return [resolve(member, evaluation_scope) for member in value]
    if isinstance(value, dict):
        return {
            as_text(resolve(key, evaluation_scope)): resolve(member, evaluation_scope)
            for key, member in value.items()
        }
    return value


def fill(text: str, evaluation_scope: EvaluationScope) -> str:
    return as_text(resolve(text, evaluation_scope))


def condition_holds(condition: str | None, evaluation_scope: EvaluationScope) -> bool:
    """An `if`: without a status function, `success() &&` is put before it (GitHub, "success")."""
    tree = parse_condition(condition)
    if not asks_for_status(tree):
        tree = Binary("&&", Call("success", ()), tree)
    return is_truthy(evaluate(tree, evaluation_scope))


def parse_condition(condition: str | None) -> Tree:
    """The tree of an `if`, written with or without `${{ }}`; absent or blank means true."""
    text = (condition or "").strip()
    if not text:
        return Literal(value=True)
    if "${{" not in text:
        return parse_expression(text)
    pieces = list(embedded(text))
    if len(pieces) == 1 and not isinstance(pieces[0], str):
        return pieces[0]
    holes = "".join(f"{{{number}}}" for number in range(len(pieces)))
    literals = tuple(Literal(piece) if isinstance(piece, str) else piece for piece in pieces)
    return Call("format", (Literal(holes), *literals))


def _binary(tree: Binary, evaluation_scope: EvaluationScope) -> JsonValue:
    left = evaluate(tree.left, evaluation_scope)
    if tree.operator == "&&":
        return evaluate(tree.right, evaluation_scope) if is_truthy(left) else left
    if tree.operator == "||":
        return left if is_truthy(left) else evaluate(tree.right, evaluation_scope)
    right = evaluate(tree.right, evaluation_scope)
    match tree.operator:
        case "==":
            return is_equal(left, right)
        case "!=":
            return not is_equal(left, right)
        case "<":
            return is_less(left, right)
        case ">":
            return is_less(right, left)
        case "<=":
            return is_less(left, right) or is_equal(left, right)
        case _:
            return is_less(right, left) or is_equal(left, right)


def _call(tree: Call, evaluation_scope: EvaluationScope) -> JsonValue:
    arguments = [evaluate(argument, evaluation_scope) for argument in tree.arguments]
    if tree.function in evaluation_scope.functions:
        return evaluation_scope.functions[tree.function](arguments)
    if tree.function not in _FUNCTIONS:
        raise ExpressionError(f"Unrecognized function: '{tree.function}'")
    return _FUNCTIONS[tree.function](arguments)


def _contains(arguments: list[JsonValue]) -> JsonValue:
    whole, item = arguments
    if isinstance(whole, list):
        return any(is_equal(member, item) for member in whole)
    if isinstance(whole, dict) or isinstance(item, list | dict):
        return False
    return as_text(item).upper() in as_text(whole).upper()


def _starts_with(arguments: list[JsonValue]) -> JsonValue:
    whole, part = arguments
    if isinstance(whole, list | dict) or isinstance(part, list | dict):
        return False
    return as_text(whole).upper().startswith(as_text(part).upper())


def _ends_with(arguments: list[JsonValue]) -> JsonValue:
    whole, part = arguments
    if isinstance(whole, list | dict) or isinstance(part, list | dict):
        return False
    return as_text(whole).upper().endswith(as_text(part).upper())


def _format(arguments: list[JsonValue]) -> JsonValue:
    pattern, *values = arguments

    def replacement(match: re.Match[str]) -> str:
        if match.group() in ("{{", "}}"):
            return match.group()[0]
        if match.group(1) is None:
            raise ExpressionError(f"The following format string is invalid: {as_text(pattern)}")
        if int(match.group(1)) >= len(values):
            raise ExpressionError(
                "The following format string references more arguments than were supplied: "
                + as_text(pattern)
            )
        return as_text(values[int(match.group(1))])

    return _FORMAT.sub(replacement, as_text(pattern))


def _join(arguments: list[JsonValue]) -> JsonValue:
    whole = arguments[0]
    named = arguments[1] if len(arguments) > 1 else None
    # A separator that is an array or object is ignored; the comma is used.
    separator = "," if len(arguments) == 1 or isinstance(named, list | dict) else as_text(named)
    if isinstance(whole, list):
        return separator.join(
            "" if isinstance(member, list | dict) else as_text(member) for member in whole
        )
    return "" if isinstance(whole, dict) else as_text(whole)


def _to_json(arguments: list[JsonValue]) -> JsonValue:
    return json.dumps(_plain_numbers(arguments[0]), indent=2, ensure_ascii=False)


def _plain_numbers(value: JsonValue) -> JsonValue:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_plain_numbers(member) for member in value]
    if isinstance(value, dict):
        return {key: _plain_numbers(member) for key, member in value.items()}
    return value


def _from_json(arguments: list[JsonValue]) -> JsonValue:
    text = as_text(arguments[0])
    if not text.strip():
        raise ExpressionError(f"Error parsing fromJson: a {kind_of(arguments[0])} without JSON")
    try:
        read: JsonValue = json.loads(text)
    except ValueError as error:
        raise ExpressionError(f"Error parsing fromJson: {error}") from error
    return read


_FUNCTIONS: dict[str, WorldFunction] = {
    "contains": _contains,
    "startswith": _starts_with,
    "endswith": _ends_with,
    "format": _format,
    "join": _join,
    "tojson": _to_json,
    "fromjson": _from_json,
}
