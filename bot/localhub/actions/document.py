"""YAML with positions: a text becomes nodes that know their line and column.

Errors have the words of GitHub's parser, `(Line: 3, Col: 5): Unexpected value 'x'`. Scalars follow
the YAML 1.2 core schema: `on` is a string.
"""

import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from pydantic import JsonValue
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, ScalarNode, SequenceNode

from bot.localhub.actions.expressions import ExpressionError

# GitHub refuses workflow files beyond 500 KB (Actions limits).
TEXT_LENGTH_MAX = 512_000

_DEPTH_MAX = 50
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Position:
    """Line and column, both counted from 1."""

    line: int
    column: int


class DocumentError(ValueError):
    """A file that GitHub would refuse. The text begins with the position if one is known."""

    def __init__(self, sentence: str, place: Position | None = None) -> None:
        self.place = place
        self.sentence = sentence
        super().__init__(
            sentence if place is None else f"(Line: {place.line}, Col: {place.column}): {sentence}"
        )


@dataclass(frozen=True)
class Node:
    """One value of a document, and where its `key` stands; one of scalar, members and fields is set."""

    place: Position
    scalar: str | int | float | bool | None = None
    members: tuple["Node", ...] | None = None
    fields: dict[str, "Node"] | None = None
    key: Position | None = None

    @property
    def is_scalar(self) -> bool:
        return self.members is None and self.fields is None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is written after the colon."""
        return self.is_scalar and self.scalar is None

    def refuse(self, sentence: str) -> DocumentError:
        return DocumentError(sentence, self.place)

    def mapping(self, allowed: Iterable[str] | None = None) -> dict[str, "Node"]:
        """The fields; if `allowed` is given, any other key is an error."""
        if self.fields is None:
            if self.members is not None:
                raise self.refuse("A sequence was not expected")
            raise self.refuse(f"Unexpected value '{scalar_text(self.scalar)}'")
        if allowed is not None:
            known = set(allowed)
            for key, value in self.fields.items():
                if key not in known:
                    raise DocumentError(f"Unexpected value '{key}'", value.key_position)
        return self.fields

    @property
    def key_position(self) -> Position:
        return self.key or self.place

    def sequence(self) -> tuple["Node", ...]:
        if self.members is None:
            if self.fields is not None:
                raise self.refuse("A mapping was not expected")
            raise self.refuse(f"Unexpected value '{scalar_text(self.scalar)}'")
        return self.members

    def text(self) -> str:
        """A scalar as a string; an absent one is empty."""
        if not self.is_scalar:
            raise self.refuse("A scalar value was expected")
        return scalar_text(self.scalar)

    def filled_text(self) -> str:
        text = self.text()
        if not text:
            raise self.refuse("Unexpected value ''")
        return text

    def texts(self) -> tuple[str, ...]:
        if self.members is None:
            return (self.filled_text(),)
        return tuple(member.filled_text() for member in self.members)

    def flag(self) -> bool:
        if not isinstance(self.scalar, bool):
            raise self.refuse(f"Unexpected value '{self.text()}'")
        return self.scalar

    def plain(self) -> JsonValue:
        if self.fields is not None:
            return {key: value.plain() for key, value in self.fields.items()}
        if self.members is not None:
            return [member.plain() for member in self.members]
        return self.scalar

    def guarded(self, check: Callable[[str], _Result]) -> _Result:
        """Run a check of the text and raise its error with the position."""
        try:
            return check(self.text())
        except ExpressionError as error:
            raise self.refuse(str(error)) from error


def scalar_text(value: str | float | bool | None) -> str:
    """A YAML scalar as GitHub writes it into a string."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return format(value, ".15g")
    return str(value)


def read_document(text: str) -> Node:
    """Parse one YAML document. Raises DocumentError."""
    if len(text) > TEXT_LENGTH_MAX:
        raise DocumentError(f"The file is longer than {TEXT_LENGTH_MAX} characters")
    reader = YAML(typ="safe", pure=True)
    try:
        root = reader.compose(io.StringIO(text))
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "The YAML cannot be read"
        place = Position(mark.line + 1, mark.column + 1) if mark is not None else None
        raise DocumentError(str(problem), place) from error
    except ValueError as error:
        raise DocumentError(f"The YAML cannot be read: {error}") from error
    if root is None:
        raise DocumentError("The file is empty")
    return _convert(root, reader, None, 0)


def _convert(raw: object, reader: YAML, key: Position | None, depth: int) -> Node:
    if not isinstance(raw, MappingNode | SequenceNode | ScalarNode):
        raise DocumentError("The YAML cannot be read")
    place = Position(raw.start_mark.line + 1, raw.start_mark.column + 1)
    if depth > _DEPTH_MAX:
        raise DocumentError("The file nests too deep", place)
    if isinstance(raw, MappingNode):
        return Node(place, fields=_fields(raw, reader, depth), key=key)
    if isinstance(raw, SequenceNode):
        members = tuple(_convert(member, reader, None, depth + 1) for member in raw.value)
        return Node(place, members=members, key=key)
    return Node(place, scalar=_scalar(raw, reader), key=key)


def _fields(raw: MappingNode, reader: YAML, depth: int) -> dict[str, Node]:
    fields: dict[str, Node] = {}
    for raw_key, raw_value in raw.value:
        place = Position(raw_key.start_mark.line + 1, raw_key.start_mark.column + 1)
        if not isinstance(raw_key, ScalarNode):
            raise DocumentError("A scalar value was expected", place)
        name = str(raw_key.value)
        if any(name.upper() == known.upper() for known in fields):
            raise DocumentError(f"'{name}' is already defined", place)
        fields[name] = _convert(raw_value, reader, place, depth + 1)
        if fields[name].is_empty and raw_value.start_mark == raw_value.end_mark:
            # An absent value: GitHub reports the position after the colon, the parser the next token.
            end = raw_key.end_mark
            behind = Position(end.line + 1, end.column + 2)
            fields[name] = Node(behind, key=place)
    return fields


def _scalar(raw: ScalarNode, reader: YAML) -> str | int | float | bool | None:
    value = reader.constructor.construct_object(raw) if raw.tag in _PLAIN_TAGS else raw.value
    if isinstance(value, str | int | float) or value is None:
        return value
    return str(raw.value)


_PLAIN_TAGS = frozenset(f"tag:yaml.org,2002:{kind}" for kind in ("null", "bool", "int", "float"))
