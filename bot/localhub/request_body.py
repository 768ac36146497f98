"""A JSON request body, read field by field with GitHub's errors.

A missing field or one of the wrong type is 422, a body that is no JSON object is 400.
"""

import json
from collections.abc import Sequence

from bot.localhub.errors import ApiError, invalid
from bot.localhub.github_json import Json

# GitHub: "body is too long (maximum is 65536 characters)".
BODY_MAX = 65_536
TITLE_MAX = 256


def _wrong_type(field: str, wanted: str) -> ApiError:
    """422 in the words of GitHub's schema check."""
    return ApiError(422, f"Invalid request.\n\nFor 'properties/{field}', value is not {wanted}.")


class Body:
    """Typed access to one JSON object; `resource` names it in errors."""

    def __init__(self, fields: Json, resource: str) -> None:
        self._fields = fields
        self._resource = resource

    @classmethod
    def parse(cls, raw: bytes, resource: str) -> "Body":
        """The body of a request; an empty one has no fields."""
        if not raw.strip():
            return cls({}, resource)
        try:
            loaded = json.loads(raw)
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            raise ApiError(400, "Problems parsing JSON") from error
        if not isinstance(loaded, dict):
            raise ApiError(400, "Body should be a JSON object")
        return cls(loaded, resource)

    def __contains__(self, field: str) -> bool:
        return field in self._fields

    def has(self, field: str) -> bool:
        return self._fields.get(field) is not None

    def missing(self, field: str) -> ApiError:
        return invalid(self._resource, field, "missing_field")

    def maybe_text(self, field: str, length_max: int = BODY_MAX) -> str | None:
        value = self._fields.get(field)
        if value is None:
            return None
        if not isinstance(value, str):
            raise _wrong_type(field, "a string")
        if len(value) > length_max:
            message = f"{field} is too long (maximum is {length_max} characters)"
            raise invalid(self._resource, field, "custom", message)
        return value

    def text(self, field: str, length_max: int = BODY_MAX) -> str:
        """A string; required and not blank."""
        value = self.maybe_text(field, length_max)
        if value is None or not value.strip():
            raise self.missing(field)
        return value

    def one_of(self, field: str, allowed: Sequence[str]) -> str | None:
        """A string of a fixed set; None if it is absent."""
        value = self.maybe_text(field)
        if value is not None and value not in allowed:
            raise invalid(self._resource, field, "invalid", f"{field} must be one of {allowed}")
        return value

    def maybe_integer(self, field: str) -> int | None:
        value = self._fields.get(field)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            raise _wrong_type(field, "an integer")
        return value

    def integer(self, field: str) -> int:
        value = self.maybe_integer(field)
        if value is None:
            raise self.missing(field)
        return value

    def flag(self, field: str) -> bool:
        """A boolean; False if it is absent."""
        value = self._fields.get(field, False)
        if not isinstance(value, bool):
            raise _wrong_type(field, "a boolean")
        return value

    def items(self, field: str) -> list[object]:
        """An array; empty if it is absent."""
        value = self._fields.get(field)
        if value is None:
            return []
        if not isinstance(value, list):
            raise _wrong_type(field, "an array")
        return value

    def texts(self, field: str) -> list[str]:
        """An array of strings; objects with a `name` count, as GitHub takes labels."""
        found = []
        for item in self.items(field):
            name = item.get("name") if isinstance(item, dict) else item
            if not isinstance(name, str):
                raise _wrong_type(field, "an array of strings")
            found.append(name)
        return found

    def integers(self, field: str) -> list[int]:
        found = []
        for item in self.items(field):
            if isinstance(item, bool) or not isinstance(item, int):
                raise _wrong_type(field, "an array of integers")
            found.append(item)
        return found

    def bodies(self, field: str) -> list["Body"]:
        found = []
        for item in self.items(field):
            if not isinstance(item, dict):
                raise _wrong_type(field, "an array of objects")
            found.append(Body(item, self._resource))
        return found

    def part(self, field: str) -> "Body | None":
        value = self._fields.get(field)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise _wrong_type(field, "an object")
        return Body(value, self._resource)

    def json(self, field: str) -> Json:
        """An object that is checked elsewhere; empty if it is absent."""
        part = self.part(field)
        return {} if part is None else dict(part._fields)

    def json_keys(self) -> tuple[str, ...]:
        return tuple(self._fields)

    def text_map(self, field: str) -> dict[str, str] | None:
        part = self.part(field)
        if part is None:
            return None
        if not all(isinstance(item, str) for item in part._fields.values()):
            raise _wrong_type(field, "an object of strings")
        return {str(key): str(item) for key, item in part._fields.items()}
