"""`/setup`: from a link with a code, once, to an App, its keys in the settings file, and installed.

Everybody who has the link may set the server up. Its code works once; after that a cookie of that one
browser stands for it. What comes back from GitHub must carry the random `state` that was sent there.
"""

import contextlib
import hmac
import json
import os
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import flask

from bot.adapters.github.registration import ConversionProblem, NotConverted, Registered, convert
from bot.core.talk import setup_text
from bot.entry.app_manifest import AppOptions, creation_url, manifest
from bot.entry.settings import Settings
from bot.entry.settings_file import write_settings

_COOKIE = "headgate_setup"
_CODE_FILE = "setup-code"


@dataclass(frozen=True)
class InstalledPull:
    """A repository of the installation, and the pull that was opened there; 0: none yet."""

    name: str
    url: str
    number: int


Installed = Callable[[], list[InstalledPull]]


class Setup:
    """One set-up of one server. `installed` lists the first pulls of repositories that have the App by now."""

    def __init__(self, settings: Settings, app_options: AppOptions, installed: Installed) -> None:
        self.settings = settings
        self.app_options = app_options
        self.installed = installed
        self.made: Registered | None = None
        self._lock = threading.Lock()
        self._code = _kept_code(settings.var)
        self._cookie = ""
        self._state = ""
        self._chosen = app_options
        self._public_url = ""

    def link(self, url: str) -> str:
        return f"{url}/setup?{urlencode({'code': self._code})}"

    def take_code(self, code: str) -> str | None:
        with self._lock:
            if not self._code or not hmac.compare_digest(code.encode(), self._code.encode()):
                return None
            self._code = ""
            with contextlib.suppress(OSError):
                (self.settings.var / _CODE_FILE).unlink()
            self._cookie = secrets.token_urlsafe(32)
            return self._cookie

    def knows(self, cookie: str) -> bool:
        return bool(self._cookie) and hmac.compare_digest(cookie.encode(), self._cookie.encode())

    def begin(self, app_options: AppOptions, public_url: str) -> str:
        """Remember what was chosen; returns the `state` that GitHub must send back."""
        with self._lock:
            self._chosen, self._public_url = app_options, public_url
            self._state = secrets.token_urlsafe(24)
            return self._state

    def create(self, code: str, state: str) -> Registered | None:
        """Fetch the App and write its keys down; None for a state that is not ours.

        Raises `NotConverted`.
        """
        with self._lock:
            if not self._state or not hmac.compare_digest(state.encode(), self._state.encode()):
                return None
            made = convert(self.settings.github_api_url, code)
            self._state = ""
            write_settings(self._values(made))
            self.made = made
            return made

    def _values(self, made: Registered) -> dict[str, str]:
        values = {
            "HEADGATE_APP_ID": str(made.id),
            "HEADGATE_PRIVATE_KEY": made.pem,
            "HEADGATE_PUBLIC_URL": self._public_url,
            "HEADGATE_GITHUB_API_URL": self.settings.github_api_url,
            "HEADGATE_OIDC_ISSUER": self.settings.oidc_issuer,
        }
        # The secret of a webhook that is not active would say that there is one.
        if self._chosen.webhook and made.webhook_secret:
            values["HEADGATE_WEBHOOK_SECRET"] = made.webhook_secret
        return values


def _kept_code(var: Path) -> str:
    """The code of this server, the same after a restart until it is used."""
    path = var / _CODE_FILE
    with contextlib.suppress(OSError):
        if known := path.read_text().strip():
            return known
    code = secrets.token_urlsafe(18)
    var.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(code)
    return code


def kept_link(settings: Settings, url: str) -> str | None:
    """The link that a running server waits for; None if it does not wait."""
    with contextlib.suppress(OSError):
        if code := (settings.var / _CODE_FILE).read_text().strip():
            return f"{url}/setup?{urlencode({'code': code})}"
    return None


def webhook_address(text: str) -> str | None:
    """The webhook's full address for a server's; empty for none, None if it is no address."""
    given = text.strip().rstrip("/")
    if not given:
        return ""
    parts = urlsplit(given)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return None
    return given if parts.path else f"{given}/webhook"


def setup_blueprint(setup: Setup) -> flask.Blueprint:
    """The pages below `/setup`, for the one browser that has used the code."""
    pages = _Pages(setup)
    blueprint = flask.Blueprint("setup", __name__, url_prefix="/setup", template_folder="pages")
    blueprint.add_url_rule("", view_func=pages.begin)
    blueprint.add_url_rule("/start", view_func=pages.start, methods=["POST"])
    blueprint.add_url_rule("/created", view_func=pages.created)
    blueprint.add_url_rule("/installed", view_func=pages.installed)
    return blueprint


Answer = flask.typing.ResponseReturnValue


class _Pages:
    def __init__(self, setup: Setup) -> None:
        self._setup = setup

    def begin(self) -> Answer:
        """With a code: the cookie. With the cookie: what there is to choose."""
        code = flask.request.args.get("code", "")
        if not code:
            return self._refused() or self._form("")
        cookie = self._setup.take_code(code)
        if cookie is None and not self._is_known():
            return _page(setup_text.CODE_WRONG), 403
        response = flask.make_response(flask.redirect("/setup", 303))
        if cookie is not None:
            response.set_cookie(_COOKIE, cookie, path="/setup", httponly=True, samesite="Lax")
        return response

    def start(self) -> Answer:
        if refused := self._refused():
            return refused
        asked = flask.request.form
        webhook = webhook_address(asked.get("webhook", ""))
        if webhook is None:
            return self._form(setup_text.webhook_not_an_address(asked.get("webhook", ""))), 422
        app_options = AppOptions(
            asked.get("organization", "").strip(), asked.get("name", "").strip(), webhook
        )
        own = _own_url()
        state = self._setup.begin(
            app_options, asked.get("public_url", "").strip().rstrip("/") or own
        )
        creation = creation_url(self._setup.settings.github_url, app_options)
        return _page(
            "",
            manifest=json.dumps(manifest(app_options, own)),
            action=f"{creation}?{urlencode({'state': state})}",
        )

    def created(self) -> Answer:
        """GitHub sends the browser back here with the manifest's code."""
        if refused := self._refused():
            return refused
        asked = flask.request.args
        try:
            made = self._setup.create(asked.get("code", ""), asked.get("state", ""))
        except NotConverted as failure:
            return _page(_sentence(failure, self._setup.settings)), 502
        if made is None:
            return _page(setup_text.STATE_WRONG), 403
        return flask.redirect(f"{made.html_url}/installations/new", 303)

    def installed(self) -> Answer:
        """GitHub sends the browser here after the installation."""
        if not self._is_known():
            # Names of repositories are not for everybody.
            return _page("", said=setup_text.INSTALLED)
        pulls = [(one.name, one.url, one.number) for one in self._setup.installed()]
        waits = not pulls or any(not number for _, _, number in pulls)
        return _page("", said=setup_text.INSTALLED, pulls=pulls, again=waits)

    def _is_known(self) -> bool:
        return self._setup.knows(flask.request.cookies.get(_COOKIE, ""))

    def _refused(self) -> Answer | None:
        if not self._is_known():
            return _page(setup_text.CODE_MISSING), 403
        if self._setup.made is not None:
            return _page(setup_text.ALREADY_SET_UP), 410
        return None

    def _form(self, problem: str) -> str:
        # The address that this browser has come by is one at which the server can be reached.
        return _page(problem, app_options=self._setup.app_options, public_url=_own_url())


def _own_url() -> str:
    return flask.request.url_root.rstrip("/")


def installed_blueprint() -> flask.Blueprint:
    """Where GitHub sends a person after an installation, at a server that was set up before."""
    blueprint = flask.Blueprint("installed", __name__, template_folder="pages")

    @blueprint.get("/setup/installed")
    def installed() -> str:
        return _page("", said=setup_text.INSTALLED)

    return blueprint


def _sentence(failure: NotConverted, settings: Settings) -> str:
    match failure.problem:
        case ConversionProblem.USED_OR_EXPIRED:
            return setup_text.CODE_USED_OR_EXPIRED
        case ConversionProblem.UNREACHABLE:
            return setup_text.github_unreachable(settings.github_api_url, failure.detail)
        case ConversionProblem.REFUSED:
            return setup_text.github_refused(failure.detail)


def _page(problem: str, **values: object) -> str:
    return flask.render_template("setup.html", problem=problem, **values)
