"""Arguments for any function, made from a text by what the function says that it takes."""

import ast
import contextlib
import dataclasses
import enum
import inspect
import re
import types
import typing
from collections import Counter, abc, defaultdict
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from pydantic import BaseModel, JsonValue, ValidationError

from gates.failure_locations import FailureLocations
from tests.testkit.patterns import PROGRAMS

# Further below, what holds many holds one or none; a record in records without end is not made.
_DEPTH_MAX, _RECORDS_MAX = 4, 9
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
_TABLES: dict[object, Callable[[dict[Any, Any]], object]] = {
    dict: dict,
    abc.Mapping: dict,
    defaultdict: lambda found: defaultdict(lambda: next(iter(found.values()), None), found),
}


def _code(text: str) -> ast.Module:
    """A function of as many statements as the text has lines, each with its words."""
    body = "".join(f"    {_name(line)}({line!r})\n" for line in text.splitlines())
    return ast.parse(f"def test_it():\n{body}    pass\n")


def _name(line: str) -> str:
    return "".join(sign for sign in line if sign.isascii() and sign.isalpha()) or "x"


def _element(text: str) -> Element:
    found = Element("testcase", {"name": text, "file": text})
    found.text = text
    return found


# What others' libraries make of a text.
_MADE: dict[object, Callable[[str], object]] = {
    ast.AST: _code,
    ast.Module: _code,
    ast.stmt: lambda text: _code(text).body[0],
    ast.FunctionDef: lambda text: _code(text).body[0],
    ast.expr: lambda text: ast.parse(repr(text), mode="eval").body,
    Element: _element,
    JsonValue: str,
    re.Pattern[str]: lambda text: re.compile(re.escape(text[:20])),
    Counter[str]: lambda text: Counter(text.splitlines()),
    type[BaseModel]: lambda _text: BaseModel,
    FailureLocations: lambda text: FailureLocations(text.splitlines(), Path("/nowhere")),
}


class NotMade(Exception):
    """Something that a text alone does not make."""


def arguments(function: Callable[..., object], text: str) -> dict[str, Any]:
    """By name; the text stands in each of them that takes words. Raises `NotMade`."""
    return {name: _made(hint, text, 0) for name, hint in _taken(function).items()}


def made(kind: type, text: str) -> object:
    """An object of this class, whose module only reads; the text stands in each part that takes words."""
    is_plain = not dataclasses.is_dataclass(kind) and not issubclass(kind, (BaseModel, enum.Enum))
    if not is_plain or getattr(kind, "_is_protocol", False):
        return _made(kind, text, 0)
    makes = kind.__new__ if issubclass(kind, tuple) else kind.__init__
    return kind(**arguments(makes, text))


_Way = Callable[[str, int], Any]
_WAYS: dict[int, tuple[object, _Way]] = {}


def _made(hint: Any, text: str, depth: int) -> Any:  # noqa: ANN401
    if depth > _RECORDS_MAX:
        raise NotMade(hint)
    # By the object: `A | B` equals `B | A`, and is made otherwise. It is kept, so that it stays the only one.
    known = _WAYS.get(id(hint))
    if known is None:
        known = _WAYS[id(hint)] = (hint, _way(hint))
    return known[1](text, depth)


def _way(hint: Any) -> _Way:  # noqa: ANN401
    """How it is made; found once, as millions are made."""
    if hint in (str, object):
        return lambda text, _depth: text
    if hint is bytes:
        return lambda text, _depth: text.encode("utf-8", "surrogatepass")
    if hint in _PLAIN:
        plain = _PLAIN[hint]
        return lambda _text, _depth: plain
    if hint in _MADE:
        make = _MADE[hint]
        return lambda text, _depth: make(text)
    if isinstance(hint, typing.NewType):
        return _way(hint.__supertype__)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        first = next(iter(hint))
        return lambda _text, _depth: first
    if isinstance(hint, type) and hint.__module__.partition(".")[0] in PROGRAMS:
        return lambda text, depth: _record(hint, text, depth)
    return _composed(hint)


def _composed(hint: Any) -> _Way:  # noqa: ANN401
    origin, given = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return lambda _text, _depth: given[0]
    if origin is typing.Annotated:
        return _way(given[0])
    if origin in (typing.Union, types.UnionType):
        return lambda text, depth: _one_of(given, text, depth)
    if origin is abc.Callable:
        return lambda text, depth: lambda *_given: _made(given[1], text, depth + 1)
    if origin is tuple and given[-1] is not Ellipsis:
        return lambda text, depth: tuple(_made(one, text, depth + 1) for one in given)
    if origin in _MANY:
        return _many(_MANY[origin], given[0])
    if origin in _TABLES:
        return _table(_TABLES[origin], *given)
    raise NotMade(hint)


def _many(holder: Callable[[list[Any]], object], one: Any) -> _Way:  # noqa: ANN401
    def of_words(text: str, depth: int) -> object:
        """What `_some` gives for them, without a call for each."""
        return holder([*_lines(text)[: None if depth < _DEPTH_MAX else 1]])

    def of_parts(text: str, depth: int) -> object:
        parts = [text[: len(text) // 2] or text] * 2
        return holder(_some(lambda part: _made(one, part, depth + 1), parts, depth))

    return of_words if one is str else of_parts


# A record has the same words in a hundred places; what holds them is made for each.
@lru_cache(maxsize=8)
def _lines(text: str) -> list[str]:
    return text.splitlines()


def _table(holder: Callable[[dict[Any, Any]], object], key: Any, value: Any) -> _Way:  # noqa: ANN401
    def made_table(text: str, depth: int) -> object:
        def row(part: str) -> tuple[object, object]:
            return _made(key, part[:20], depth + 1), _made(value, part, depth + 1)

        return holder(dict(_some(row, [text], depth)))

    return made_table


def _some(one: Callable[[str], Any], parts: list[str], depth: int) -> list[Any]:
    """Of each part; deep below of the first, if it can be made."""
    if depth < _DEPTH_MAX:
        return [one(part) for part in parts]
    with contextlib.suppress(NotMade):
        return [one(part) for part in parts[:1]]
    return []


def _one_of(hints: tuple[Any, ...], text: str, depth: int) -> Any:  # noqa: ANN401
    for hint in hints:
        try:
            return _made(hint, text, depth)
        except NotMade:
            continue
    raise NotMade(hints)


def _record(kind: Any, text: str, depth: int) -> Any:  # noqa: ANN401
    fields = _fields(kind)
    # Where any text will not do, a word may.
    for words in (text, "a"):
        with contextlib.suppress(ValidationError, ValueError, TypeError):
            return kind(**{name: _made(hint, words, depth + 1) for name, hint in fields.items()})
    raise NotMade(kind)


@cache
def _fields(kind: Any) -> dict[str, Any]:  # noqa: ANN401
    """What an object of this class is made of, each with its type."""
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind, include_extras=True)
        return {f.name: hints[f.name] for f in dataclasses.fields(kind) if f.init}
    if getattr(kind, "_is_protocol", False):
        raise NotMade(kind)
    if issubclass(kind, BaseModel):
        return {n: f.annotation for n, f in kind.model_fields.items() if f.is_required()}
    if not kind.__module__.startswith("bot.core.") or "__init__" not in vars(kind):
        # Others may do more than keep what they are given.
        raise NotMade(kind)
    return _taken(kind.__init__)


@cache
def _taken(function: Callable[..., object]) -> dict[str, Any]:
    """What it takes by name, and of which type."""
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except NameError as error:
        raise NotMade(str(error)) from error
    return {
        name: hints[name]
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL) and name in hints
    }
