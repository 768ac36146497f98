"""Pages, `Link` headers and the `created` filter of lists.

GitHub gives 30 items a page and at most 100; a page beyond the last is empty.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

_PER_PAGE = 30
_PER_PAGE_MAX = 100
_Item = TypeVar("_Item")


def wanted_page(arguments: Mapping[str, str]) -> tuple[int, int]:
    """Page and size from a query; invalid values count as absent."""
    page = _positive(arguments.get("page"), 1)
    return page, min(_positive(arguments.get("per_page"), _PER_PAGE), _PER_PAGE_MAX)


def page_of(items: Sequence[_Item], page: int, per_page: int) -> Sequence[_Item]:
    return items[(page - 1) * per_page : page * per_page]


def page_links(url: str, page: int, per_page: int, total: int) -> str:
    """The `Link` header; empty if there is one page."""
    last = max(1, -(-total // per_page))
    targets: dict[str, int] = {}
    if page > 1:
        targets |= {"prev": page - 1, "first": 1}
    if page < last:
        targets |= {"next": page + 1, "last": last}
    return ", ".join(f'<{_with_page(url, number)}>; rel="{rel}"' for rel, number in targets.items())


def created_between(at: datetime, wanted: str) -> bool:
    """GitHub's date search: `2026-01-31`, `>=…`, `<…`, `…..…`; an invalid one filters nothing."""
    if not wanted:
        return True
    if ".." in wanted:
        first, _, last = wanted.partition("..")
        return created_between(at, f">={first}") and created_between(at, f"<={last}")
    for sign in (">=", "<=", ">", "<"):
        if wanted.startswith(sign):
            return _compare(at, sign, wanted.removeprefix(sign))
    return _compare(at, ">=", wanted) and _compare(at, "<=", wanted)


def _compare(at: datetime, sign: str, text: str) -> bool:
    if text in ("", "*"):
        return True
    try:
        start = datetime.fromisoformat(text)
    except ValueError:
        return True
    start = start if start.tzinfo else start.replace(tzinfo=UTC)
    # A date without a time means the whole day, a time the whole second.
    end = start + (timedelta(days=1) if len(text) == len("2026-01-31") else timedelta(seconds=1))
    return {">=": at >= start, ">": at >= end, "<": at < start, "<=": at < end}[sign]


def _with_page(url: str, page: int) -> str:
    parts = urlsplit(url)
    query = [(key, value) for key, value in parse_qsl(parts.query) if key != "page"]
    return urlunsplit(parts._replace(query=urlencode([*query, ("page", str(page))])))


def _positive(text: str | None, otherwise: int) -> int:
    return int(text) if text and text.isdecimal() and int(text) > 0 else otherwise
