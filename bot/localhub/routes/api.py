"""What routes share: the caller, permissions, the request's body and query, paging, answers.

Routes read the request only by these functions. `access.py` decides about permissions.
"""

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from flask import Response, current_app, g, request

from bot.localhub.actions.host import ActorFacts
from bot.localhub.errors import ApiError, invalid, unprocessable
from bot.localhub.github_json import Json
from bot.localhub.hub import Hub
from bot.localhub.model import Account, Actor, App, Repository
from bot.localhub.pages import page_of
from bot.localhub.request_body import Body

T = TypeVar("T")


def hub() -> Hub:
    found = current_app.extensions["localhub"]
    if not isinstance(found, Hub):
        raise TypeError("the application was made without a hub")
    return found


def actor() -> Actor:
    """Who sent this request; identified before any route runs."""
    found = g.actor
    if not isinstance(found, Actor):
        raise TypeError("the request was not identified")
    return found


def app_of_jwt() -> App:
    return hub().access.app(actor())


def writer() -> Account:
    """The account behind a request that has passed `repository`."""
    account = actor().account
    if account is None:
        raise TypeError("a write request without an account was authorised")
    return account


def repository(owner: str, name: str, permission: str, level: str) -> Repository:
    """The repository of a route's path, if the caller has this permission on it."""
    found = hub().repository(f"{owner}/{name}")
    hub().access.require(actor(), found, permission, level)
    return found


def authorise(full_name: str, permission: str, level: str) -> ActorFacts:
    """The caller's facts, for an extension's route on a repository; raises as `repository` does."""
    owner, _, name = full_name.partition("/")
    repository(owner, name, permission, level)
    facts = hub().actions_host.facts_of(actor())
    if facts is None:
        raise ApiError(401, "Requires authentication")
    return facts


def body(resource: str) -> Body:
    """The request's JSON body; `resource` names it in errors."""
    return Body.parse(request.get_data(), resource)


def answer(shape: Json | Sequence[Json], status: int = 200) -> Response:
    text = json.dumps(shape, separators=(",", ":"), ensure_ascii=False)
    return Response(text, status, content_type="application/json; charset=utf-8")


def created(shape: Json) -> Response:
    response = answer(shape, 201)
    response.headers["Location"] = str(shape["url"])
    return response


def nothing(status: int = 204) -> Response:
    return Response(status=status)


def query_time(name: str) -> datetime | None:
    value = request.args.get(name)
    if value is None:
        return None
    return parse_time(value, name)


def parse_time(value: str, field: str) -> datetime:
    """An ISO 8601 time with its zone; 422 for anything else."""
    try:
        moment = datetime.fromisoformat(value)
    except ValueError as error:
        raise invalid("Request", field, "invalid") from error
    if moment.tzinfo is None:
        raise invalid("Request", field, "invalid")
    return moment


def query_choice(name: str, allowed: Sequence[str], default: str) -> str:
    """One of a few words of the query; 422 for another."""
    value = request.args.get(name) or default
    if value not in allowed:
        raise unprocessable(f"Invalid request.\n\nFor '{name}', {value} is not one of {allowed}.")
    return value


def paged(items: Sequence[T], shape: Callable[[T], Json]) -> Response:
    page, headers = page_of(items)
    response = answer([shape(item) for item in page])
    response.headers.update(headers)
    return response


def counted(items: Sequence[T], shape: Callable[[T], Json], key: str) -> Response:
    page, headers = page_of(items)
    response = answer({"total_count": len(items), key: [shape(item) for item in page]})
    response.headers.update(headers)
    return response
