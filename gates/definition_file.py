"""Reads the file behind `--definition`, strictly: unknown keys and wrong types are refused.

By the types of the dataclasses themselves, without pydantic, whose import would be most of a
judge's start time.
"""

import json
import types
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from typing import TypeVar, get_args, get_origin, get_type_hints

from gates.settings import Definition

T = TypeVar("T")


class UnreadableDefinitionError(Exception):
    """The file is not a definition; the sentence says where and why."""


def read_definition(content: bytes) -> Definition:
    try:
        raw = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise UnreadableDefinitionError(f"Invalid JSON: {error}") from error
    return _record(Definition, raw, "")


def _record(kind: type[T], raw: object, where: str) -> T:
    if not isinstance(raw, dict):
        raise UnreadableDefinitionError(f"{where or 'the file'}: must be an object")
    hints = get_type_hints(kind)
    known = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    for name in raw:
        if name not in known:
            raise UnreadableDefinitionError(f"{where}{name}: unknown key")
    for name, field in known.items():
        if name not in raw and field.default is MISSING:
            raise UnreadableDefinitionError(f"{where}{name}: is missing")
    make: Callable[..., T] = kind
    values = {name: _value(hints[name], value, f"{where}{name}") for name, value in raw.items()}
    try:
        return make(**values)
    except ValueError as error:
        raise UnreadableDefinitionError(f"{where}{error}") from error


def _value(hint: object, raw: object, where: str) -> object:
    if get_origin(hint) is types.UnionType:
        return None if raw is None else _value(get_args(hint)[0], raw, where)
    if get_origin(hint) is tuple:
        if not isinstance(raw, list):
            raise UnreadableDefinitionError(f"{where}: must be a list")
        each = get_args(hint)[0]
        return tuple(_value(each, one, f"{where}.{place}") for place, one in enumerate(raw))
    if not isinstance(hint, type):
        raise TypeError(f"no field of a definition may be of type {hint}")
    if is_dataclass(hint):
        return _record(hint, raw, f"{where}.")
    if issubclass(hint, StrEnum):
        allowed = [member.value for member in hint]
        if raw not in allowed:
            raise UnreadableDefinitionError(f"{where}: must be one of {', '.join(allowed)}")
        return hint(raw)
    # By the exact type, because a bool is an int to isinstance.
    if type(raw) is not hint:
        raise UnreadableDefinitionError(f"{where}: must be of type {hint.__name__}")
    return raw
