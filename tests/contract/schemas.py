"""GitHub's schemas as JSON Schema, and the keys of a value that they do not name.

As GitHub uses OpenAPI 3.0, it differs from JSON Schema 2020-12 only by `nullable`. A schema lets other
keys pass, so `undocumented_keys` finds them.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

from tests.contract.operations import JsonObject, object_at

# The name under which the description is registered, so that a part of it can refer to others.
DOCUMENT_URI = "urn:github"

_COMPOSED = ("allOf", "anyOf", "oneOf")


def as_json_schema(node: object) -> object:
    """A schema of OpenAPI 3.0 as one of JSON Schema 2020-12."""
    if isinstance(node, list):
        return [as_json_schema(item) for item in node]
    if not isinstance(node, dict):
        return node
    is_nullable = node.get("nullable") is True
    made: JsonObject = {}
    for key, value in node.items():
        if key in ("properties", "patternProperties") and isinstance(value, dict):
            made[key] = {name: as_json_schema(schema) for name, schema in value.items()}
        elif key == "$ref" and isinstance(value, str):
            made[key] = f"{DOCUMENT_URI}{value}"
        elif key in ("enum", "required"):
            made[key] = value
        elif key not in ("nullable", "default"):
            made[key] = as_json_schema(value)
    if not is_nullable:
        return made
    if "$ref" in made or any(key in made for key in _COMPOSED):
        return {"anyOf": [made, {"type": "null"}]}
    return _with_null(made)


def _with_null(made: JsonObject) -> JsonObject:
    kind, choices = made.get("type"), made.get("enum")
    if isinstance(kind, str):
        made["type"] = [kind, "null"]
    if isinstance(choices, list) and None not in choices:
        made["enum"] = [*choices, None]
    return made


class Documented:
    """The keys that a value may have, by its possible schemas."""

    def __init__(self, document: JsonObject) -> None:
        self._document = document
        # With each shape its schema, so that the schema's `id` is not used again.
        self._shapes: dict[int, tuple[object, _Shape]] = {}

    def undocumented_keys(self, value: object, schema: object) -> set[str]:
        """The places (`user.karma`, `labels[].mood`) that no schema names."""
        if id(schema) not in self._shapes:
            self._shapes[id(schema)] = (schema, _Shape(self._document, [schema]))
        found: set[str] = set()
        _note_unnamed(value, self._shapes[id(schema)][1], "", found)
        return found


class _Shape:
    """The possible plain schemas of a value; their parts are resolved when needed."""

    def __init__(self, document: JsonObject, schemas: Sequence[object]) -> None:
        self._document = document
        self._plain = list(_plain(document, schemas))
        # An object without a schema may hold anything.
        self._named = [schema for schema in self._plain if "properties" in schema]
        # Whether a value that has this shape may hold a key that is not named, at any depth.
        self._names_parts = bool(self._named) or any("items" in one for one in self._plain)
        self._is_free = any(s.get("additionalProperties") not in (None, False) for s in self._plain)
        self._held: dict[str, tuple[_Shape | None, bool]] = {}
        self._by_keys: dict[tuple[str, ...], tuple[list[str], list[tuple[str, _Shape]]]] = {}

    def of_keys(self, keys: tuple[str, ...]) -> "tuple[list[str], list[tuple[str, _Shape]]]":
        """Of an object's keys those that no schema names, and those whose values have names inside.

        Objects come with the same keys again and again, and most of their values are plain.
        """
        found = self._by_keys.get(keys)
        if found is None:
            held = [(key, *self.held(key)) for key in keys]
            unnamed = [key for key, own, is_allowed in held if own is None and not is_allowed]
            inside = [(key, own) for key, own, _ in held if own is not None and own._names_parts]
            found = self._by_keys[keys] = (unnamed, inside)
        return found

    @cached_property
    def items(self) -> "_Shape":
        """The shape of a list's members."""
        return _Shape(self._document, [one["items"] for one in self._plain if "items" in one])

    def held(self, key: str) -> "tuple[_Shape | None, bool]":
        """The shape of the value of a key, None where no schema describes it; whether it may be there."""
        found = self._held.get(key)
        if found is None:
            named = [object_at(schema, "properties") for schema in self._named]
            own = _Shape(self._document, [properties.get(key) for properties in named])
            is_named = any(key in properties for properties in named)
            is_allowed = is_named or self._is_free or not self._named
            found = self._held[key] = (own if own._plain else None, is_allowed)
        return found


def _plain(document: JsonObject, schemas: Sequence[object]) -> Iterator[JsonObject]:
    """Every plain schema that these reach through references and compositions."""
    for schema in schemas:
        if not isinstance(schema, dict):
            continue
        reference = schema.get("$ref")
        if isinstance(reference, str):
            yield from _plain(document, [object_at(document, *reference[2:].split("/"))])
            continue
        yield schema
        for key in _COMPOSED:
            members = schema.get(key)
            if isinstance(members, list):
                yield from _plain(document, members)


def _note_unnamed(value: object, shape: _Shape, place: str, found: set[str]) -> None:
    if isinstance(value, list):
        for item in value:
            _note_unnamed(item, shape.items, f"{place}[]", found)
    elif isinstance(value, dict):
        unnamed, inside = shape.of_keys(tuple(value))
        found.update(f"{place}.{key}".removeprefix(".") for key in unnamed)
        for key, own in inside:
            held = value[key]
            if isinstance(held, list | dict):
                _note_unnamed(held, own, f"{place}.{key}".removeprefix("."), found)
