"""The web app of a server that has no App yet: the set-up, and from then on the whole server.

Nothing is restarted: the rest of the server is made when the settings name an App.
"""

import json
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import flask

from bot.core.talk import setup_text
from bot.entry.settings import Settings
from bot.entry.settings_file import CurrentSettings
from bot.entry.web.setup_pages import Setup, setup_blueprint

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


WAITS = "waits"


def setup_app(setup: Setup) -> flask.Flask:
    app = flask.Flask(__name__)
    app.register_blueprint(setup_blueprint(setup))
    return app


class UntilSetUp:
    """`/setup` goes to the set-up; anything else to the server, once there is an App."""

    def __init__(self, setup: Setup, make_server: Callable[[Settings], "WSGIApplication"]) -> None:
        self._pages = setup_app(setup)
        self._current = CurrentSettings(setup.settings)
        self._make_server = make_server
        self._server: WSGIApplication | None = None
        self._lock = threading.Lock()

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if path == "/setup" or path.startswith("/setup/"):
            return self._pages(environ, start_response)
        server = self._once_set_up()
        if server is not None:
            return server(environ, start_response)
        is_health = path == "/healthz"
        body = json.dumps({"status": WAITS, "message": setup_text.NOT_SET_UP}).encode()
        start_response(
            "200 OK" if is_health else "503 Service Unavailable",
            [("Content-Type", "application/json"), ("Content-Length", str(len(body)))],
        )
        return [body]

    def _once_set_up(self) -> "WSGIApplication | None":
        with self._lock:
            if self._server is None and (settings := self._current()).has_app:
                self._server = self._make_server(settings)
            return self._server
