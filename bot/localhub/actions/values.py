"""The values of the expression language and GitHub's way to convert and compare them.

Numbers are floating point, strings compare without regard to case, and values of different kinds
are compared as numbers (GitHub, "Evaluate expressions in workflows and actions", "Operators").
Conversions never raise: one that makes no sense gives NaN.
"""

import math
from collections.abc import Mapping

from pydantic import JsonValue

NOT_A_NUMBER = math.nan


class Spread(list[JsonValue]):
    """The result of `.*`: a property of it is read from each member."""


def kind_of(value: JsonValue) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def is_truthy(value: JsonValue) -> bool:
    """False, zero, NaN, the empty string and null are falsy; empty arrays and objects are not."""
    if isinstance(value, float) and math.isnan(value):
        return False
    return isinstance(value, list | dict) or bool(value)


def as_number(value: JsonValue) -> float:
    """The value as a number; arrays, objects and strings that are no numbers give NaN."""
    if value is None:
        return 0.0
    if isinstance(value, bool | int | float):
        return float(value)
    return number_in(value) if isinstance(value, str) else NOT_A_NUMBER


def number_in(text: str) -> float:
    """A string as a number: decimal, 0x, 0o; blank is zero."""
    text = text.strip()
    if not text:
        return 0.0
    if text in ("Infinity", "+Infinity"):
        return math.inf
    if text == "-Infinity":
        return -math.inf
    if not text.isascii() or "_" in text or text.lower().strip("+-") in ("inf", "infinity", "nan"):
        return NOT_A_NUMBER
    try:
        if text.startswith("0x"):
            return float(int(text[2:], 16))
        if text.startswith("0o"):
            return float(int(text[2:], 8))
        return float(text)
    except ValueError:
        return NOT_A_NUMBER


def as_text(value: JsonValue) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return number_text(float(value))
    if isinstance(value, str):
        return value
    return "Array" if isinstance(value, list) else "Object"


def number_text(value: float) -> str:
    """A number with at most fifteen significant digits, whole numbers without a point."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0:
        return "0"
    return format(value, ".15g").replace("e", "E")


def is_equal(left: JsonValue, right: JsonValue) -> bool:
    """`==`: loose, strings without case, arrays and objects only if they are the same one."""
    if kind_of(left) != kind_of(right):
        if isinstance(left, list | dict) or isinstance(right, list | dict):
            return False
        return as_number(left) == as_number(right)
    if isinstance(left, str) and isinstance(right, str):
        return left.upper() == right.upper()
    if isinstance(left, list | dict):
        return left is right
    return left == right


def is_less(left: JsonValue, right: JsonValue) -> bool:
    """`<`: never true of null with null, arrays, objects or NaN."""
    if isinstance(left, str) and isinstance(right, str):
        return left.upper() < right.upper()
    if isinstance(left, list | dict) or isinstance(right, list | dict):
        return False
    return as_number(left) < as_number(right)


def property_of(value: JsonValue, key: JsonValue) -> JsonValue:
    """`value.key` or `value[key]`; null if there is none."""
    if isinstance(value, Spread):
        return Spread([found for member in value for found in _found(member, key)])
    found = _found(value, key)
    return found[0] if found else None


def _found(value: JsonValue, key: JsonValue) -> list[JsonValue]:
    if isinstance(value, dict) and not isinstance(key, list | dict):
        return _entry(value, as_text(key))
    if isinstance(value, list):
        position = as_number(key)
        if math.isfinite(position) and 0 <= math.floor(position) < len(value):
            return [value[math.floor(position)]]
    return []


def _entry(value: Mapping[str, JsonValue], name: str) -> list[JsonValue]:
    # Of keys that differ by case only the first counts, as in GitHub's dictionaries.
    wanted = name.upper()
    return [member for key, member in value.items() if key.upper() == wanted][:1]


def spread(value: JsonValue) -> Spread:
    if isinstance(value, Spread):
        return Spread([inner for member in value for inner in spread(member)])
    if isinstance(value, list):
        return Spread(value)
    return Spread(list(value.values()) if isinstance(value, dict) else [])
