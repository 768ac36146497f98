"""What the journal's bodies look like, and whether a body of one shape can be read as another.

A shape is the JSON schema of every event, with all that events hold (effects, plans, findings, gate
results), without the words in it. `make journal-shape` records today's in `journal_shape.json`. It
refuses where what was written under the recorded shape could not be read today, unless the event
has been given a new version with a step in `upcast.py`.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from bot.core.journal.events import EVENTS
from bot.core.journal.upcast import version_of

RECORDED = Path(__file__).parent / "journal_shape.json"

Schema = Mapping[str, Any]

# What says something to people only, or is looked at in a way of its own.
_WORDS = frozenset({"title", "description", "discriminator", "examples"})
_OWN_WAY = frozenset(
    {"default", "properties", "required", "enum", "const", "items", "prefixItems", "$ref"}
)
_ALTERNATIVES = ("anyOf", "oneOf")


def shape_now() -> dict[str, Any]:
    """Today's shape: the version of each event, and the schema of everything."""
    return shape_of(EVENTS.json_schema())


def shape_of(schema: Schema) -> dict[str, Any]:
    """A schema of events as it is recorded."""
    whole = cast("dict[str, Any]", _without_words(schema))
    types = sorted(_ref(each) for each in whole["oneOf"])
    return {"versions": {name: version_of(name) for name in types}, "values": whole["$defs"]}


def _without_words(schema: object, *, names_fields: bool = False) -> object:
    """A schema without titles and the like; below `properties` and `$defs` the keys are names."""
    if isinstance(schema, list):
        return [_without_words(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept = schema if names_fields else {k: v for k, v in schema.items() if k not in _WORDS}
    return {
        key: _without_words(value, names_fields=not names_fields and key in {"properties", "$defs"})
        for key, value in sorted(kept.items())
    }


def unreadable(old: Schema, new: Schema) -> list[str]:
    """Why bodies of an old shape cannot be read as the new one: a sentence for each event's reason.

    An event whose version has been raised has a step from the old shape, and is left out.
    """
    found: list[str] = []
    for name, version in old["versions"].items():
        if name not in new["versions"]:
            if version_of(name) <= version:
                found.append(f"{name} is gone: its name stands in journals")
        elif new["versions"][name] == version:
            reasons = _Comparison(old["values"], new["values"]).of(name, name)
            found += [f"{name}: {reason}" for reason in dict.fromkeys(reasons)]
        elif new["versions"][name] < version:
            found.append(f"{name} was at version {version}: a step in upcast.py is gone")
    return found


class _Comparison:
    """Whether every body that fits one schema fits another; what a body may hold only shrinks."""

    def __init__(self, old: Schema, new: Schema) -> None:
        self._old, self._new = old, new
        self._seen: dict[tuple[str, str], list[str]] = {}

    def of(self, old: str, new: str) -> list[str]:
        """Reasons against a named value."""
        if (old, new) not in self._seen:
            # A value that holds itself is fine if all else in it is.
            self._seen[old, new] = []
            self._seen[old, new] = list(self._compared(self._old[old], self._new[new], new))
        return self._seen[old, new]

    def _compared(self, old: Schema, new: Schema, at: str) -> Iterator[str]:
        while "$ref" in new and "$ref" not in old:
            new = self._new[_ref(new)]
        while "$ref" in old and "$ref" not in new:
            old = self._old[_ref(old)]
        if "$ref" in old:
            yield from self.of(_ref(old), _ref(new))
        elif any(key in old or key in new for key in _ALTERNATIVES):
            for each in _alternatives(old):
                against = [list(self._compared(each, a, at)) for a in _alternatives(new)]
                if all(against):
                    yield min(against, key=len)[0] if len(against) == 1 else self._none_of(each, at)
        else:
            yield from self._same_kind(old, new, at)

    def _none_of(self, old: Schema, at: str) -> str:
        name = _ref(old) if "$ref" in old else old.get("type", old.get("const"))
        return f"{at} takes no {name} any more, as it is written"

    def _same_kind(self, old: Schema, new: Schema, at: str) -> Iterator[str]:
        if (before := _values(old)) is not None:
            after = _values(new)
            if after is not None or new.get("type") != "string":
                for gone in sorted(before - (after or frozenset())):
                    yield f"{at} does not know {gone} any more"
            return
        if _values(new) is not None:
            yield f"{at} takes few values now"
            return
        if "type" in new and old.get("type") != new["type"]:
            yield f"{at} has another type: {old.get('type')} before, {new['type']} now"
            return
        for key in sorted((old.keys() | new.keys()) - _OWN_WAY - {"additionalProperties"}):
            if key in new and old.get(key) != new[key]:
                yield f"{at} has another {key}: {old.get(key)} before, {new[key]} now"
        yield from self._fields(old, new, at)
        yield from self._elements(old, new, at)

    def _fields(self, old: Schema, new: Schema, at: str) -> Iterator[str]:
        before, after = old.get("properties", {}), new.get("properties", {})
        for name, field in before.items():
            # A body from before there was the field would say something else.
            if (
                name in after
                and "default" in field
                and field["default"] != after[name].get("default")
            ):
                yield f"{at}.{name} has another default: {field['default']!r} before"
            if name in after:
                yield from self._compared(field, after[name], f"{at}.{name}")
            elif new.get("additionalProperties") is False:
                yield f"{at}.{name} is gone"
        for name in new.get("required", ()):
            if name not in before:
                yield f"{at}.{name} is new and has no default"
        inside, now = old.get("additionalProperties"), new.get("additionalProperties")
        if isinstance(inside, dict) and isinstance(now, dict):
            yield from self._compared(inside, now, f"{at}[…]")

    def _elements(self, old: Schema, new: Schema, at: str) -> Iterator[str]:
        if "items" in old and "items" in new:
            yield from self._compared(old["items"], new["items"], f"{at}[]")
        if len(old.get("prefixItems", ())) != len(new.get("prefixItems", ())):
            yield f"{at} has another number of members"
            return
        pairs = zip(old.get("prefixItems", ()), new.get("prefixItems", ()), strict=True)
        for place, (before, after) in enumerate(pairs):
            yield from self._compared(before, after, f"{at}[{place}]")


def _ref(schema: Schema) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


def _alternatives(schema: Schema) -> list[Schema]:
    for key in _ALTERNATIVES:
        if key in schema:
            return list(schema[key])
    return [schema]


def _values(schema: Schema) -> frozenset[str] | None:
    if "const" in schema:
        return frozenset({str(schema["const"])})
    return frozenset(map(str, schema["enum"])) if "enum" in schema else None


def recorded() -> dict[str, Any]:
    """The shape as it was recorded last."""
    return cast("dict[str, Any]", json.loads(RECORDED.read_text()))


def as_text(shape: Schema) -> str:
    """A shape as it stands in the file."""
    return json.dumps(shape, indent=1, sort_keys=True) + "\n"


def main() -> int:
    """Record today's shape; 1 where it could not read what is written."""
    now = shape_now()
    reasons = unreadable(recorded(), now) if RECORDED.exists() else []
    if reasons:
        sys.stderr.write("\n".join(reasons))
        sys.stderr.write("\nGive these events a step in bot/core/journal/upcast.py first.\n")
        return 1
    RECORDED.write_text(as_text(now))
    return 0


if __name__ == "__main__":
    sys.exit(main())
