"""The WSGI application: blueprints, the prefix `/api/v3`, identification, faults, headers, log.

One function per step of a request, in the order in which they run.
"""

import hashlib
import re
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING

from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException
from werkzeug.http import http_date
from werkzeug.routing import BaseConverter, Rule
from werkzeug.routing.rules import RulePart

from bot.localhub import bad_answers
from bot.localhub.access import ANONYMOUS
from bot.localhub.errors import ApiError, not_found
from bot.localhub.faults import REQUEST_KINDS, Fault, FaultKind
from bot.localhub.hub import Hub
from bot.localhub.model import Exchange
from bot.localhub.routes import (
    activity,
    api,
    apps,
    checks,
    comments,
    commit_comments,
    contents,
    git_http,
    graphql,
    issues,
    objects,
    oidc,
    pulls,
    relations,
    repositories,
    review_comments,
    rulesets,
    statuses,
)
from bot.localhub.secondary_limits import (
    CREATES_CONTENT,
    GRAPHQL_POINTS_A_MINUTE,
    MESSAGE,
    POINTS_A_MINUTE,
    READ_POINTS,
    WRITE_POINTS,
    Spending,
    TooFast,
)
from bot.localhub.traffic import ObservedExchange, has_observers, notify_exchange
from bot.localhub.web import app_pages, edit_pages, views

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

# Mounts something beside the hub's own blueprints, such as the Actions service.
Extension = Callable[[Flask, Hub], None]

API_PREFIX = "/api/v3"
# Not the REST API: the OIDC issuer, and routes of extensions with tokens of their own
# (`/_actions/…`). Their callers are neither identified nor counted here.
INTERNAL_PREFIX = "/_"
# GitHub, "API Versions": without the header, the first counts.
API_VERSIONS = ("2022-11-28", "2026-03-10")
NO_USER_AGENT = (
    "Request forbidden by administrative rules. Please make sure your request has a User-Agent header "
    "(https://docs.github.com/en/rest/overview/resources-in-the-rest-api#user-agent-required)."
)
_BY_ID = re.compile(r"/repositories/(\d+)(/.*)?")
# Faults that answer instead of the operation.
_PLANTED_ANSWERS = {
    FaultKind.REFUSE_BEFORE,
    FaultKind.SECONDARY_LIMIT,
    FaultKind.TIME_OUT,
    FaultKind.PAGE,
}
_ANSWERED_WITHOUT_LIMIT = {"/rate_limit", "/meta", "/graphql", "/api/graphql"}
_BLUEPRINTS = (
    activity,
    apps,
    repositories,
    rulesets,
    objects,
    contents,
    issues,
    comments,
    commit_comments,
    relations,
    pulls,
    review_comments,
    checks,
    statuses,
    oidc,
    graphql,
    git_http,
    app_pages,
    edit_pages,
    views,
)
_PAGES = {area.blueprint.name for area in (app_pages, edit_pages, views)}


class _Addresses:
    """Serves everything below `/api/v3` as well, the way GitHub Enterprise Server does.

    `/repositories/{id}/…` is `/repos/{owner}/{name}/…`, whatever the name is by now.
    """

    def __init__(self, inner: "WSGIApplication", hub: Hub) -> None:
        self._inner = inner
        self._hub = hub

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        path = str(environ.get("PATH_INFO", ""))
        if path == API_PREFIX or path.startswith(f"{API_PREFIX}/"):
            environ["PATH_INFO"] = path[len(API_PREFIX) :] or "/"
            environ["SCRIPT_NAME"] = str(environ.get("SCRIPT_NAME", "")) + API_PREFIX
            environ["localhub.api"] = "1"
        by_id = _BY_ID.fullmatch(str(environ["PATH_INFO"]))
        if by_id is not None:
            every = list(self._hub.state.repositories.values())
            for held in every:
                if held.id == int(by_id[1]):
                    environ["PATH_INFO"] = f"/repos/{held.full_name}{by_id[2] or ''}"
        return self._inner(environ, start_response)


class _Rule(Rule):
    """Parses each path once a process, and compiles the building of its URL when somebody asks.

    For two hundred rules that took a third of a second at every start, and few are ever asked.
    """

    def _parse_rule(self, rule: str) -> Iterable[RulePart]:
        if rule not in _PARSED:
            before = len(self._trace)
            parts = list(super()._parse_rule(rule))
            _PARSED[rule] = _Parsed(parts, self._trace[before:], self._converters)
            return parts
        parsed = _PARSED[rule]
        self._trace += parsed.trace
        self._converters = {**self._converters, **parsed.converters}
        self.arguments.update(parsed.converters)
        return parsed.parts

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled: list[Callable[..., tuple[str, str]]] = []

        def build(rule: Rule, **values: object) -> tuple[str, str]:
            if not compiled:
                compiled.append(super(_Rule, self)._compile_builder(append_unknown))
            return compiled[0](rule, **values)

        return build


@dataclass(frozen=True)
class _Parsed:
    """What a path says of a rule; the same in every hub, as all have werkzeug's converters."""

    parts: list[RulePart]
    trace: list[tuple[bool, str]]
    converters: dict[str, BaseConverter]


_PARSED: dict[str, _Parsed] = {}


def create_app(hub: Hub, extensions: Sequence[Extension] = ()) -> Flask:
    """The application of one hub; `extensions` are mounted last."""
    app = Flask(__name__, template_folder="pages", static_folder=None)
    app.url_rule_class = _Rule
    app.extensions["localhub"] = hub
    app.url_map.strict_slashes = False
    # A push may be large; all other bodies have limits of their own.
    app.config["MAX_CONTENT_LENGTH"] = None
    for area in _BLUEPRINTS:
        app.register_blueprint(area.blueprint)
    for extend in extensions:
        extend(app, hub)
    app.before_request(_identify)
    app.before_request(_redirect_former_name)
    app.before_request(_apply_fault)
    app.before_request(_count_secondary_limits)
    app.after_request(_finish)
    app.teardown_request(_end_request)
    app.register_error_handler(ApiError, _refuse)
    app.register_error_handler(HTTPException, _refuse_http)
    app.wsgi_app = _Addresses(app.wsgi_app, hub)  # type: ignore[method-assign]
    return app


def _is_page() -> bool:
    return request.blueprint in _PAGES


def _identify() -> Response | None:
    """Identify the caller, and count the request against the hourly limit."""
    g.actor = ANONYMOUS
    g.fault = None
    g.is_limited = False
    hub = api.hub()
    if request.path.startswith(INTERNAL_PREFIX):
        return None
    is_git = request.blueprint == git_http.blueprint.name
    if _is_page() and not _is_of_a_program():
        return None
    if not is_git:
        _require_known_client()
    g.actor = hub.access.identify(request.headers.get("Authorization"))
    if _is_page():
        # Answered here: what is raised for a page becomes a page.
        return _refuse(not_found())
    g.is_limited = not is_git and request.path not in _ANSWERED_WITHOUT_LIMIT
    if g.is_limited:
        hub.limits.spend(g.actor)
    return None


def _is_of_a_program() -> bool:
    """Whether a path that is only a page's was asked for as one of the API.

    The API has a host of its own at GitHub; here it shares one with the pages.
    """
    is_api = bool(request.environ.get("localhub.api")) or "Authorization" in request.headers
    return is_api or "json" in request.headers.get("Accept", "")


def _require_known_client() -> None:
    """403 without a User-Agent, 400 for an unknown version of the API."""
    if not request.headers.get("User-Agent", "").strip():
        raise ApiError(403, NO_USER_AGENT)
    version = request.headers.get("X-GitHub-Api-Version", API_VERSIONS[0])
    if version not in API_VERSIONS:
        raise ApiError(400, f"{version} is not a supported version of the REST API.")


def _redirect_former_name() -> Response | None:
    """Where the repository of the path has another name by now, and the caller may know it."""
    hub = api.hub()
    full_name = _repository_of(request.path)
    moved = hub.state.moved(full_name) if full_name else None
    if moved is None or not (g.actor.app or hub.access.can_see(g.actor, moved)):
        return None
    query = f"?{request.query_string.decode()}" if request.query_string else ""
    if not request.path.startswith("/repos/"):
        # git, which goes on with the new address, and pages.
        rest = request.path.lstrip("/")[len(full_name) :]
        address = f"{hub.base_url}/{moved.full_name}{rest}{query}"
        return Response(status=301, headers={"Location": address})
    rest = request.path.removeprefix("/repos/")[len(full_name) :]
    address = f"{hub.state.api_url}/repositories/{moved.id}{rest}{query}"
    is_read = request.method in ("GET", "HEAD")
    response = api.answer(
        {
            "message": "Moved Permanently" if is_read else "Temporary Redirect",
            "url": address,
            "documentation_url": "https://docs.github.com/rest/guides/best-practices-for-using-the-rest-api#follow-redirects",
        },
        301 if is_read else 307,
    )
    response.headers["Location"] = address
    return response


def _apply_fault() -> Response | None:
    fault = api.hub().faults.next_match(request.method, request.path, REQUEST_KINDS)
    g.fault = fault
    if fault is None:
        return None
    match fault.kind:
        case FaultKind.DELAY:
            Event().wait(fault.delay_seconds)
        case FaultKind.REFUSE_BEFORE:
            return _planted_refusal(fault, ApiError(fault.status, fault.message))
        case FaultKind.SECONDARY_LIMIT:
            return _planted_refusal(fault, ApiError(403, MESSAGE))
        case FaultKind.TIME_OUT:
            Event().wait(fault.delay_seconds)
            _hang_up()
            return api.nothing(504)
        case FaultKind.PAGE:
            return Response(bad_answers.PAGE, mimetype="text/html")
        case FaultKind.LOSE_ANSWER | FaultKind.TRUNCATE | FaultKind.LAG:
            # It is lost or spoilt at the end, after the operation.
            return None
        case _:
            api.hub().faults.apply(fault, _repository_of(request.path))
    return None


def _repository_of(path: str) -> str:
    """`owner/name` of a path of the API or of git; empty if it names none."""
    words = path.removeprefix("/repos").strip("/").split("/")
    return "/".join(words[:2]).removesuffix(".git") if len(words) > 1 else ""


def _count_secondary_limits() -> None:
    """Count the request against the secondary limits, for GraphQL too."""
    is_graphql = request.blueprint == graphql.blueprint.name
    if not (g.is_limited or is_graphql):
        return
    limits = api.hub().secondary_limits
    limits.enter(g.actor)
    g.is_inside = True
    is_write = request.method not in ("GET", "HEAD", "OPTIONS")
    if is_graphql:
        is_write = b"mutation" in request.get_data()
    endpoint = request.endpoint or ""
    spending = Spending(
        endpoint=endpoint,
        points=WRITE_POINTS if is_write else READ_POINTS,
        creates_content=endpoint in CREATES_CONTENT,
        points_a_minute=GRAPHQL_POINTS_A_MINUTE if is_graphql else POINTS_A_MINUTE,
    )
    limits.spend(g.actor, spending)


def _end_request(_error: BaseException | None) -> None:
    if g.get("is_inside"):
        api.hub().secondary_limits.leave(g.actor)


def _planted_refusal(fault: Fault, error: ApiError) -> Response:
    response = api.answer(error.as_json(), error.status)
    if fault.retry_after_seconds is not None:
        response.headers["Retry-After"] = str(fault.retry_after_seconds)
    return response


def _refuse(error: ApiError) -> Response:
    response = api.answer(error.as_json(), error.status)
    if isinstance(error, TooFast):
        response.headers["Retry-After"] = str(error.retry_after_seconds)
    return response


def _refuse_http(error: HTTPException) -> Response:
    status = error.code or 500
    messages = {404: "Not Found", 405: "Not Found"}
    # GitHub answers 404 for a known path with an unknown method.
    shown = 404 if status == 405 else status
    return _refuse(ApiError(shown, messages.get(status, error.name)))


def _finish(response: Response) -> Response:
    """Headers, conditional answers, the log, and answers that a fault loses."""
    hub = api.hub()
    fault = g.fault
    if isinstance(fault, Fault) and fault.kind is FaultKind.LAG:
        bad_answers.leave_out_newest(response, hub.state.now(), fault.delay_seconds)
    if not _is_page() and request.blueprint != git_http.blueprint.name:
        _make_conditional(hub, response)
        response.headers.update(hub.limits.headers(g.actor))
        response.headers["X-GitHub-Media-Type"] = "github.v3; format=json"
        version = request.headers.get("X-GitHub-Api-Version", API_VERSIONS[0])
        if version in API_VERSIONS:
            response.headers["X-GitHub-Api-Version-Selected"] = version
    # Clients read the hub's clock from this header, as they do with GitHub's.
    response.headers["Date"] = http_date(hub.state.now())
    response.headers["X-GitHub-Request-Id"] = ":".join(
        secrets.token_hex(size).upper() for size in (2, 3, 4, 4, 4)
    )
    with hub.state.lock:
        hub.state.exchanges.append(
            Exchange(
                method=request.method,
                path=request.path,
                status=response.status_code,
                token_kind=g.actor.kind,
                is_write=request.method not in ("GET", "HEAD", "OPTIONS")
                and request.endpoint != "git_http.upload_pack",
            )
        )
    if has_observers():
        _notify_observers(response)
    if isinstance(fault, Fault) and fault.kind is FaultKind.LOSE_ANSWER:
        _hang_up()
    if isinstance(fault, Fault) and fault.kind is FaultKind.TRUNCATE:
        bad_answers.halve(response)
    return response


def _notify_observers(response: Response) -> None:
    not_rest = (*_PAGES, git_http.blueprint.name, graphql.blueprint.name)
    if request.blueprint in not_rest or request.path.startswith(INTERNAL_PREFIX):
        return
    fault = g.fault
    notify_exchange(
        ObservedExchange(
            method=request.method,
            path=request.path,
            query=request.query_string.decode(),
            body=request.get_data(),
            status=response.status_code,
            content_type=response.content_type or "",
            answer=response.get_data(),
            is_planted=isinstance(fault, Fault) and fault.kind in _PLANTED_ANSWERS,
        )
    )


def _make_conditional(hub: Hub, response: Response) -> None:
    if request.method != "GET" or response.status_code != 200 or response.is_streamed:
        return
    etag = f'W/"{hashlib.sha256(response.get_data()).hexdigest()}"'
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "private, max-age=60, s-maxage=60"
    response.headers["Vary"] = "Accept, Authorization, Cookie, X-GitHub-OTP"
    asked = {
        tag.strip().removeprefix("W/")
        for tag in request.headers.get("If-None-Match", "").split(",")
    }
    if etag.removeprefix("W/") in asked:
        response.status_code = 304
        response.set_data(b"")
        if g.is_limited:
            hub.limits.refund(g.actor)


def _hang_up() -> None:
    hang_up = request.environ.get("localhub.hang_up")
    if callable(hang_up):
        hang_up()
