"""How two answers to one request differ in form, as data: status, media type, keys and types.

Values are not compared: two servers have other names, numbers and times. A null and an empty list say
nothing about form, so they differ from nothing.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import httpx

from tests.contract.description import description
from tests.contract.operations import JsonObject

_TYPES = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    type(None): "null",
    dict: "object",
    list: "array",
}


@dataclass
class Shape:
    """The types that were seen in one place, and the places below it; `[]` is a list's members."""

    types: set[str] = field(default_factory=set)
    below: dict[str, "Shape"] = field(default_factory=dict)

    def take(self, value: object) -> "Shape":
        """Also this value."""
        if value is not None:
            self.types.add(_TYPES[type(value)])
        if isinstance(value, dict):
            for key, held in value.items():
                self.below.setdefault(key, Shape()).take(held)
        elif isinstance(value, list):
            for held in value:
                self.below.setdefault("[]", Shape()).take(held)
        return self


def difference(ours: httpx.Response, theirs: httpx.Response) -> JsonObject:
    """What a line of `make truth` says; empty where there is no difference."""
    said: JsonObject = {}
    if (ours.status_code, _media(ours)) != (theirs.status_code, _media(theirs)):
        said |= {"localhub": _told(ours), "other": _told(theirs)}
    elif _media(ours) == "application/json":
        mine, yours = Shape().take(ours.json()), Shape().take(theirs.json())
        missing, extra = sorted(_lacking(mine, yours, "")), sorted(_lacking(yours, mine, ""))
        said |= {"missing": missing} if missing else {}
        said |= {"extra": extra} if extra else {}
        types = {at: {"localhub": a, "other": b} for at, a, b in _types(mine, yours, "")}
        said |= {"types": types} if types else {}
    return {"operation": operation(ours), **said} if said else {}


def operation(answer: httpx.Response) -> str:
    """The name that GitHub's description has for what was asked."""
    path = answer.request.url.path.removeprefix("/api/v3")
    method = answer.request.method
    return description().operation(method, path)[0] or f"{method} {path}"


def _media(answer: httpx.Response) -> str:
    return str(answer.headers.get("Content-Type", "")).partition(";")[0].strip()


def _told(answer: httpx.Response) -> JsonObject:
    told: JsonObject = {"status": answer.status_code}
    if _media(answer):
        told["media"] = _media(answer)
    if answer.status_code >= 400:
        told["message"] = message(answer)
    return told


def message(answer: httpx.Response) -> str:
    """The words of a refusal."""
    try:
        body = answer.json()
    except ValueError:
        return answer.text[:200]
    return str(body.get("message", "")) if isinstance(body, dict) else ""


def _lacking(mine: Shape, yours: Shape, place: str) -> Iterator[str]:
    """The keys that only the second one has."""
    if mine.types != yours.types:
        return
    for key, held in yours.below.items():
        at = _below(place, key)
        if key in mine.below:
            yield from _lacking(mine.below[key], held, at)
        elif key != "[]":
            yield at


def _types(
    mine: Shape, yours: Shape, place: str
) -> Iterator[tuple[str, Iterable[str], Iterable[str]]]:
    if mine.types and yours.types and mine.types != yours.types:
        yield place, sorted(mine.types), sorted(yours.types)
        return
    for key in mine.below.keys() & yours.below.keys():
        yield from _types(mine.below[key], yours.below[key], _below(place, key))


def _below(place: str, key: str) -> str:
    return f"{place}[]" if key == "[]" else f"{place}.{key}".removeprefix(".")
