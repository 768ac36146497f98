"""GitHub's schemas as a validator understands them, and the keys of a value that they do not name.

OpenAPI 3.0 differs from JSON Schema 2020-12 by `nullable` alone, as far as GitHub uses it. A schema
lets further keys pass; `undocumented_keys` finds those. Deliberately absent: which schema holds for
what.
"""

from collections.abc import Iterator, Sequence

from tests.contract.operations import JsonObject, object_at

# Under which name the description is registered, so that a schema cut out of it finds the others.
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
    """Which keys a value may have, by the schemas that it may be of."""

    def __init__(self, document: JsonObject) -> None:
        self._document = document

    def undocumented_keys(self, value: object, schema: object) -> set[str]:
        """The places (`user.karma`, `labels[].mood`) that no schema names."""
        return set(self._walk(value, self._flat([schema]), ""))

    def _flat(self, schemas: Sequence[object]) -> list[JsonObject]:
        """Every plain schema that these lead to through references and compositions."""
        found: list[JsonObject] = []
        for schema in schemas:
            if not isinstance(schema, dict):
                continue
            reference = schema.get("$ref")
            if isinstance(reference, str):
                found += self._flat([object_at(self._document, *reference[2:].split("/"))])
                continue
            found.append(schema)
            for key in _COMPOSED:
                members = schema.get(key)
                if isinstance(members, list):
                    found += self._flat(members)
        return found

    def _walk(self, value: object, schemas: Sequence[JsonObject], place: str) -> Iterator[str]:
        if isinstance(value, list):
            items = self._flat([schema["items"] for schema in schemas if "items" in schema])
            for item in value:
                yield from self._walk(item, items, f"{place}[]")
        elif isinstance(value, dict):
            # An object of whom nothing is said may hold anything.
            named = [schema for schema in schemas if "properties" in schema]
            free = [s for s in schemas if s.get("additionalProperties") not in (None, False)]
            for key, held in value.items():
                own = self._flat([object_at(schema, "properties").get(key) for schema in named])
                here = f"{place}.{key}".removeprefix(".")
                if own:
                    yield from self._walk(held, own, here)
                elif named and not free and not self._is_named(key, named):
                    yield here

    @staticmethod
    def _is_named(key: str, schemas: Sequence[JsonObject]) -> bool:
        return any(key in object_at(schema, "properties") for schema in schemas)
