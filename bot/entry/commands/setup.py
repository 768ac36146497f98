"""`headgate setup`: serves the set-up's pages until the App is made and installed.

Where `headgate up` runs already, it serves them itself, and this waits beside it.
"""

import json
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPException
from urllib.request import ProxyHandler, build_opener

from werkzeug.serving import make_server

from bot.adapters.github.registration import look_at_app
from bot.core.talk import setup_text
from bot.entry.app_manifest import AppOptions
from bot.entry.commands.before_start import port_trouble
from bot.entry.settings import Settings, settings_file
from bot.entry.settings_file import CurrentSettings
from bot.entry.terminal import Terminal
from bot.entry.web.installed_pulls import pulls_of_installations
from bot.entry.web.setup_pages import Setup, kept_link, webhook_address
from bot.entry.web.until_set_up import WAITS, setup_app

_POLL_SECONDS = 1.0
_ANSWER_SECONDS = 5.0
_ANSWER_BYTES_MAX = 10_000


@dataclass(frozen=True)
class SetupOptions:
    github: str
    organization: str
    name: str
    webhook: str
    wait_minutes: int


def run_setup(options: SetupOptions) -> int:
    """0: made and installed; 1: not in time, or there is an App; 2: wrong usage."""
    console = Terminal(stderr=True, soft_wrap=True, highlight=False)
    if options.github:
        server = options.github.rstrip("/")
        os.environ["HEADGATE_GITHUB_API_URL"] = f"{server}/api/v3"
        os.environ["HEADGATE_OIDC_ISSUER"] = f"{server}/_services/token"
    settings = Settings()
    if settings.has_app:
        console.print(setup_text.app_already_there(settings.app_id, str(settings_file())))
        return 1
    webhook = webhook_address(options.webhook)
    if webhook is None:
        console.print(setup_text.webhook_not_an_address(options.webhook))
        return 2
    url = f"http://{settings.host}:{settings.port}"
    until = time.monotonic() + 60 * options.wait_minutes
    if trouble := port_trouble("HEADGATE_PORT", settings.host, settings.port):
        link = kept_link(settings, url) if _waits_for_an_app(url) else None
        if link is None:
            console.print(trouble.sentence)
            return 1
        console.print(setup_text.open_link(link))
        return _wait(console, until, setup_text.NEXT_RUNNING)
    app_options = AppOptions(options.organization, options.name, webhook)
    with _pages(Setup(settings, app_options, pulls_of_installations), console, url):
        return _wait(console, until, setup_text.NEXT_UP)


def _waits_for_an_app(url: str) -> bool:
    """Whether a server without an App answers there, and no other program."""
    opener = build_opener(ProxyHandler({}))
    try:
        with opener.open(f"{url}/healthz", timeout=_ANSWER_SECONDS) as answer:
            said = json.loads(answer.read(_ANSWER_BYTES_MAX))
    except (OSError, HTTPException, ValueError):
        return False
    return isinstance(said, dict) and said.get("status") == WAITS


@contextmanager
def _pages(setup: Setup, console: Terminal, url: str) -> Iterator[None]:
    # Its lines would show the codes of the addresses.
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = make_server(setup.settings.host, setup.settings.port, setup_app(setup), threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    console.print(setup_text.open_link(setup.link(url)))
    try:
        yield
    finally:
        # The page that says where it is installed is still being read.
        time.sleep(_POLL_SECONDS)
        server.shutdown()
        server.server_close()


def _wait(console: Terminal, until: float, following: str) -> int:
    current = CurrentSettings(Settings())
    if not _until(lambda: current().has_app, until):
        console.print(setup_text.NO_APP)
        return 1
    settings = current()
    app = look_at_app(settings.github_api_url, settings.app_id, settings.app_key())
    console.print(setup_text.app_made(app.slug, str(settings_file())))
    if not _until(lambda: bool(pulls_of_installations()), until):
        console.print(setup_text.not_installed(f"{app.html_url}/installations/new"))
        return 1
    console.print(setup_text.installed_in([one.name for one in pulls_of_installations()]))
    console.print(following)
    return 0


def _until(is_so: Callable[[], bool], until: float) -> bool:
    while not is_so():
        if time.monotonic() > until:
            return False
        time.sleep(_POLL_SECONDS)
    return True
