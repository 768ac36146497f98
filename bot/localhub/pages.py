"""Pages of lists (GitHub, "Using pagination in the REST API")."""

from collections.abc import Sequence
from typing import TypeVar
from urllib.parse import urlencode

from flask import request

PER_PAGE_DEFAULT = 30
PER_PAGE_MAX = 100

T = TypeVar("T")


def query_integer(name: str, default: int) -> int:
    """A number of the query; anything else is the default, as on GitHub."""
    value = request.args.get(name, "")
    return int(value) if value.isdecimal() else default


def page_size() -> int:
    return max(1, min(query_integer("per_page", PER_PAGE_DEFAULT), PER_PAGE_MAX))


def page_of(items: Sequence[T]) -> tuple[Sequence[T], dict[str, str]]:
    """The requested page of a list, and the `Link` header of the others."""
    size = page_size()
    number = max(1, query_integer("page", 1))
    last = max(1, -(-len(items) // size))
    wanted: dict[str, int] = {}
    if number < last:
        wanted |= {"next": number + 1, "last": last}
    if number > 1:
        wanted |= {"prev": min(number - 1, last), "first": 1}
    links = [f'<{_page_url(target)}>; rel="{relation}"' for relation, target in wanted.items()]
    headers = {"Link": ", ".join(links)} if links else {}
    return items[(number - 1) * size : number * size], headers


def _page_url(number: int) -> str:
    query = [(key, value) for key, value in request.args.items(multi=True) if key != "page"]
    return f"{request.base_url}?{urlencode([*query, ('page', str(number))])}"
