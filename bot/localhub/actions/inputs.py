"""The inputs of a workflow, for dispatches and calls, checked as GitHub checks them.

A dispatch sends strings and gets values of the declared types; a call sends values.
"""

import math
from collections.abc import Mapping

from pydantic import JsonValue

from bot.localhub.actions.evaluation import EvaluationScope, resolve
from bot.localhub.actions.expressions import ExpressionError
from bot.localhub.actions.parse_triggers import INPUTS_MAX
from bot.localhub.actions.values import as_text, number_in
from bot.localhub.actions.workflow import Input, InputKind

# Together the inputs of a dispatch may have this many characters (GitHub, "Events that trigger
# workflows", workflow_dispatch).
INPUTS_LENGTH_MAX = 65_535


class InputError(ValueError):
    """Inputs that GitHub answers with 422."""


def dispatch_inputs(
    declared: Mapping[str, Input], given: Mapping[str, JsonValue]
) -> tuple[dict[str, JsonValue], dict[str, JsonValue]]:
    """Typed values for `inputs`, strings for `github.event.inputs`. Raises InputError."""
    if len(given) > INPUTS_MAX:
        raise InputError(f"Invalid request. More than {INPUTS_MAX} inputs were provided.")
    unknown = [name for name in given if name not in declared]
    if unknown:
        listed = ", ".join(f'"{name}"' for name in unknown)
        raise InputError(f"Unexpected inputs provided: [{listed}]")
    if sum(len(as_text(value)) for value in given.values()) > INPUTS_LENGTH_MAX:
        raise InputError(f"inputs are too large: more than {INPUTS_LENGTH_MAX} characters")
    typed: dict[str, JsonValue] = {}
    texts: dict[str, JsonValue] = {}
    for name, wanted in declared.items():
        value = given.get(name)
        if wanted.required and (value is None or as_text(value) == "") and wanted.default is None:
            raise InputError(f"Required input '{name}' not provided")
        text = as_text(wanted.default if value is None else value)
        typed[name] = _typed(name, wanted, text)
        texts[name] = text
    return typed, texts


def call_inputs(
    declared: Mapping[str, Input], given: Mapping[str, JsonValue], evaluation_scope: EvaluationScope
) -> dict[str, JsonValue]:
    """The `inputs` of a called workflow. Raises ExpressionError if a type does not fit."""
    values: dict[str, JsonValue] = {}
    for name, wanted in declared.items():
        value = given[name] if name in given else resolve(wanted.default, evaluation_scope)
        try:
            values[name] = _typed(name, wanted, as_text(value))
        except InputError as error:
            raise ExpressionError(str(error)) from error
    return values


def _typed(name: str, wanted: Input, text: str) -> JsonValue:
    match wanted.kind:
        case InputKind.BOOLEAN:
            if text not in ("true", "false", ""):
                raise InputError(f"Provided value '{text}' for input '{name}' is not a boolean")
            return text == "true"
        case InputKind.NUMBER:
            number = number_in(text)
            if math.isnan(number):
                raise InputError(f"Provided value '{text}' for input '{name}' is not a number")
            return number
        case InputKind.CHOICE:
            if text not in wanted.options and text:
                raise InputError(
                    f"Provided value '{text}' for input '{name}' not in the list of allowed values"
                )
            return text or wanted.options[0]
        case InputKind.STRING | InputKind.ENVIRONMENT:
            return text
