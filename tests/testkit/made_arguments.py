"""Arguments for any function, made from a text by what the function says that it takes."""

import dataclasses
import enum
import inspect
import types
import typing
from collections import abc
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

from pydantic import BaseModel, ValidationError

from tests.testkit.patterns import PROGRAMS

_DEPTH_MAX = 4
_PLAIN: dict[object, object] = {
    int: 1,
    float: 1.0,
    bool: True,
    type(None): None,
    date: date(2026, 1, 1),
    datetime: datetime(2026, 1, 1, tzinfo=UTC),
    timedelta: timedelta(1),
}
_MANY: dict[object, Callable[[list[Any]], object]] = {
    tuple: tuple,
    set: set,
    frozenset: frozenset,
    abc.Set: frozenset,
    abc.Sequence: tuple,
    abc.Iterator: iter,
    **dict.fromkeys((list, abc.Iterable, abc.Collection, abc.Container), list),
}


class NotMade(Exception):
    """Something that a text alone does not make."""


def arguments(function: Callable[..., object], text: str) -> dict[str, Any]:
    """By name; the text stands in each of them that takes words. Raises `NotMade`."""
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except NameError as error:
        raise NotMade(str(error)) from error
    return {
        name: _made(hints[name], text, 0)
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
    }


def _made(hint: Any, text: str, depth: int) -> Any:  # noqa: ANN401
    if depth > _DEPTH_MAX:
        raise NotMade(hint)
    if hint in (str, object):
        return text
    if hint is bytes:
        return text.encode("utf-8", "surrogatepass")
    if hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, typing.NewType):
        return _made(hint.__supertype__, text, depth)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return next(iter(hint))
    if isinstance(hint, type) and hint.__module__.partition(".")[0] in PROGRAMS:
        return _record(hint, text, depth)
    return _composed(hint, text, depth)


def _composed(hint: Any, text: str, depth: int) -> Any:  # noqa: ANN401
    origin, given = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return given[0]
    if origin is typing.Annotated:
        return _made(given[0], text, depth)
    if origin in (typing.Union, types.UnionType):
        return _one_of(given, text, depth)
    if origin is tuple and given[-1] is not Ellipsis:
        return tuple(_made(one, text, depth + 1) for one in given)
    if origin in _MANY:
        parts = text.splitlines() if given[0] is str else [text[: len(text) // 2]] * 2
        return _MANY[origin]([_made(given[0], part, depth + 1) for part in parts])
    if origin in (dict, abc.Mapping):
        return {_made(given[0], text[:20], depth + 1): _made(given[1], text, depth + 1)}
    raise NotMade(hint)


def _one_of(hints: tuple[Any, ...], text: str, depth: int) -> Any:  # noqa: ANN401
    for hint in hints:
        try:
            return _made(hint, text, depth)
        except NotMade:
            continue
    raise NotMade(hints)


def _record(kind: Any, text: str, depth: int) -> Any:  # noqa: ANN401
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind, include_extras=True)
        fields = {f.name: hints[f.name] for f in dataclasses.fields(kind) if f.init}
    elif issubclass(kind, BaseModel):
        fields = {n: f.annotation for n, f in kind.model_fields.items() if f.is_required()}
    else:
        raise NotMade(kind)
    try:
        return kind(**{name: _made(hint, text, depth + 1) for name, hint in fields.items()})
    except (ValidationError, ValueError, TypeError) as error:
        raise NotMade(kind) from error
