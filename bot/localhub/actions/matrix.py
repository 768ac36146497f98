"""The combinations of `strategy.matrix`, with `include` and `exclude`.

An `include` is added to every combination whose own values it does not change, and is a combination
of its own if there is none (GitHub, "Expanding or adding matrix configurations").
"""

from collections.abc import Mapping
from itertools import product

from pydantic import JsonValue

from bot.localhub.actions.expressions import ExpressionError
from bot.localhub.actions.values import as_text

# GitHub's limit of jobs from one matrix.
COMBINATIONS_MAX = 256

Combination = dict[str, JsonValue]


def combinations(matrix: JsonValue) -> list[Combination]:
    """All combinations in GitHub's order. Raises ExpressionError."""
    if not isinstance(matrix, dict):
        raise ExpressionError("Matrix must be a mapping")
    axes = {key: value for key, value in matrix.items() if key not in ("include", "exclude")}
    for key, value in axes.items():
        if not isinstance(value, list) or not value:
            raise ExpressionError(f"Matrix vector '{key}' does not contain any values")
    originals = _product(axes)
    excluded = _members(matrix, "exclude")
    kept = [one for one in originals if not any(_fits(one, part) for part in excluded)]
    result = [dict(one) for one in kept]
    for extra in _members(matrix, "include"):
        joined = False
        for original, combination in zip(kept, result, strict=False):
            if all(original[key] == value for key, value in extra.items() if key in original):
                combination.update(extra)
                joined = True
        if not joined:
            result.append(dict(extra))
    if not result:
        raise ExpressionError("Matrix must define at least one vector")
    if len(result) > COMBINATIONS_MAX:
        raise ExpressionError(f"Matrix must not define more than {COMBINATIONS_MAX} jobs")
    return result


def combination_title(combination: Combination) -> str:
    return ", ".join(text for value in combination.values() for text in _scalars(value))


def _product(axes: Mapping[str, JsonValue]) -> list[Combination]:
    vectors = [value for value in axes.values() if isinstance(value, list)]
    return [dict(zip(axes, values, strict=True)) for values in product(*vectors)] if axes else []


def _members(matrix: dict[str, JsonValue], key: str) -> list[Combination]:
    members = matrix.get(key) or []
    if not isinstance(members, list):
        raise ExpressionError(f"Matrix '{key}' must be a sequence")
    return [member for member in members if isinstance(member, dict)]


def _fits(combination: Combination, part: Combination) -> bool:
    return all(key in combination and combination[key] == value for key, value in part.items())


def _scalars(value: JsonValue) -> list[str]:
    if isinstance(value, list):
        return [text for member in value for text in _scalars(member)]
    if isinstance(value, dict):
        return [text for member in value.values() for text in _scalars(member)]
    return [as_text(value)]
