"""What every resolver gets: the caller and the arguments of a field; also errors and paging."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from bot.localhub.github_json import Json
from bot.localhub.hub import Hub
from bot.localhub.model import Actor

T = TypeVar("T")

# GitHub, "Rate limits and query limits for the GraphQL API": `first` and `last` are 1 to 100.
PAGE_MAX = 100


class QueryError(Exception):
    """A field without an answer; `kind` is GitHub's `type` of an error."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True)
class QueryContext:
    hub: Hub
    actor: Actor


@dataclass(frozen=True)
class Arguments:
    values: Mapping[str, object] = field(default_factory=dict)

    def text(self, name: str) -> str:
        value = self.values.get(name)
        return value if isinstance(value, str) else ""

    def number(self, name: str) -> int | None:
        value = self.values.get(name)
        return value if isinstance(value, int) else None

    def texts(self, name: str) -> list[str]:
        value = self.values.get(name)
        return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []

    def part(self, name: str) -> "Arguments":
        value = self.values.get(name)
        return Arguments(value if isinstance(value, dict) else {})

    def parts(self, name: str) -> list["Arguments"]:
        value = self.values.get(name)
        items = value if isinstance(value, list) else []
        return [Arguments(item) for item in items if isinstance(item, dict)]


def page(items: Sequence[T], arguments: Arguments) -> Json:
    """A connection: `first` of the items after a cursor, or the `last` of them.

    Without either, the items may be counted but not read.
    """
    first, last = arguments.number("first"), arguments.number("last")
    for size in (first, last):
        if size is not None and not 0 <= size <= PAGE_MAX:
            kind = "EXCESSIVE_PAGINATION"
            raise QueryError(kind, f"Requesting {size} records exceeds the limit of {PAGE_MAX}.")
    if first is None and last is None:
        message = "You must provide a `first` or `last` value to properly paginate."
        refusal = QueryError("MISSING_PAGINATION_BOUNDARIES", message)
        # The executor raises an exception that is a value if the field is requested.
        return {"totalCount": len(items), "nodes": refusal, "pageInfo": refusal}
    after = arguments.text("after")
    start = int(after) if after.isdecimal() else 0
    end = len(items)
    if first is not None:
        end = min(end, start + first)
    elif last is not None:
        start = max(start, end - last)
    nodes = list(items[start:end])
    return {
        "totalCount": len(items),
        "nodes": nodes,
        "pageInfo": {
            "hasNextPage": end < len(items),
            "hasPreviousPage": start > 0,
            "startCursor": str(start) if nodes else None,
            "endCursor": str(end) if nodes else None,
        },
    }
