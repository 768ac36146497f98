"""An App's own registration: made from a manifest's code, looked at, and its webhook changed.

Without PyGithub's requester: a conversion carries no token, and what GitHub's clock says is read from
a refusal, too.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import StrEnum
from urllib.parse import quote

import requests
from pydantic import BaseModel, ValidationError

from bot.adapters.github.api import Api
from bot.adapters.github.app_tokens import AppTokens, UnreadableKey, missing_permissions
from bot.core.talk.setup_text import CLOCK_OFF_MAX

API_VERSION = "2022-11-28"

_TIMEOUT_SECONDS = 30


class Registered(BaseModel):
    """GitHub's only answer about a new App. Without a webhook it has no webhook secret."""

    id: int
    slug: str
    name: str
    html_url: str
    pem: str
    webhook_secret: str | None = None


class ConversionProblem(StrEnum):
    USED_OR_EXPIRED = "used_or_expired"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"


class NotConverted(Exception):
    def __init__(self, problem: ConversionProblem, detail: str = "") -> None:
        super().__init__(detail)
        self.problem = problem
        self.detail = detail


def convert(api_url: str, code: str) -> Registered:
    """The App of a manifest's code, which is good once and for an hour; raises `NotConverted`."""
    if not code.isalnum():
        raise NotConverted(ConversionProblem.USED_OR_EXPIRED)
    try:
        answer = requests.post(
            f"{api_url.rstrip('/')}/app-manifests/{code}/conversions",
            headers=_headers(),
            timeout=_TIMEOUT_SECONDS,
        )
    except requests.RequestException as failure:
        detail = type(failure).__name__
        raise NotConverted(ConversionProblem.UNREACHABLE, detail) from failure
    if answer.status_code == 404:
        raise NotConverted(ConversionProblem.USED_OR_EXPIRED)
    try:
        return Registered.model_validate_json(answer.content)
    except ValidationError as failure:
        detail = f"status {answer.status_code}"
        raise NotConverted(ConversionProblem.REFUSED, detail) from failure


class AppProblem(StrEnum):
    NO_KEY = "no_key"
    WRONG_KEY = "wrong_key"
    NO_SUCH_APP = "no_such_app"
    CLOCK_OFF = "clock_off"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"


class AppStanding(BaseModel):
    """An App as GitHub has it, or the problem. `clock_ahead` is by how much ours is ahead."""

    problem: AppProblem | None = None
    detail: str = ""
    clock_ahead: timedelta = timedelta()
    slug: str = ""
    html_url: str = ""
    settings_path: str = ""
    lacks: tuple[str, ...] = ()
    events: tuple[str, ...] = ()


class _Owner(BaseModel):
    login: str
    type: str


class _App(BaseModel):
    slug: str
    html_url: str
    owner: _Owner
    permissions: dict[str, str] = {}
    events: tuple[str, ...] = ()


def look_at_app(api_url: str, app_id: int, private_key: str) -> AppStanding:
    tokens = AppTokens(Api(api_url, API_VERSION), app_id, private_key)
    try:
        token = tokens.app_token()
    except UnreadableKey as failure:
        return AppStanding(problem=AppProblem.NO_KEY, detail=failure.detail)
    try:
        answer = requests.get(
            f"{api_url.rstrip('/')}/app",
            headers={**_headers(), "Authorization": f"Bearer {token}"},
            timeout=_TIMEOUT_SECONDS,
        )
    except requests.RequestException as failure:
        return AppStanding(problem=AppProblem.UNREACHABLE, detail=type(failure).__name__)
    ahead = _clock_ahead(answer.headers, datetime.now(UTC))
    if answer.status_code == 200:
        app = _App.model_validate_json(answer.content)
        return AppStanding(
            clock_ahead=ahead,
            slug=app.slug,
            html_url=app.html_url,
            settings_path=_settings_path(app),
            lacks=missing_permissions(app.permissions),
            events=app.events,
        )
    problem = AppProblem.REFUSED
    if answer.status_code == 404:
        problem = AppProblem.NO_SUCH_APP
    elif answer.status_code == 401:
        problem = AppProblem.CLOCK_OFF if abs(ahead) > CLOCK_OFF_MAX else AppProblem.WRONG_KEY
    return AppStanding(problem=problem, detail=f"status {answer.status_code}", clock_ahead=ahead)


def is_public(api_url: str, slug: str) -> bool:
    """Whether everybody may install an App: then, and only then, a stranger can read it."""
    try:
        url = f"{api_url.rstrip('/')}/apps/{quote(slug, safe='')}"
        return requests.get(url, headers=_headers(), timeout=_TIMEOUT_SECONDS).status_code == 200
    except requests.RequestException:
        return False


def _settings_path(app: _App) -> str:
    """Below GitHub's address: the page where its owner changes an App."""
    is_organization = app.owner.type == "Organization"
    place = f"/organizations/{app.owner.login}" if is_organization else ""
    return f"{place}/settings/apps/{app.slug}"


def set_webhook(api_url: str, app_id: int, private_key: str, url: str, secret: str) -> None:
    """Where GitHub sends webhooks, and what signs them; raises `Refused`, `Retryable`.

    Whether it sends any is a switch that only the App's page has.
    """
    api = Api(api_url, API_VERSION)
    token = AppTokens(api, app_id, private_key).app_token()
    body = {"url": url, "secret": secret, "content_type": "json", "insecure_ssl": "0"}
    api.send("PATCH", "/app/hook/config", token, body=body)


def _headers() -> dict[str, str]:
    return {
        "Accept": "application/vnd.github+json",
        "User-Agent": "headgate",
        "X-GitHub-Api-Version": API_VERSION,
    }


def _clock_ahead(headers: Mapping[str, str], now: datetime) -> timedelta:
    try:
        return now - parsedate_to_datetime(headers.get("Date", ""))
    except (TypeError, ValueError):
        return timedelta()
