"""The app that gunicorn serves, made after the fork."""

import gc
import signal
import sys
from typing import TYPE_CHECKING

from bot.adapters.doorbell.background import BackgroundDoorbell
from bot.adapters.doorbell.redis_queue import RedisDoorbell
from bot.core.talk import setup_text
from bot.entry.app_manifest import AppOptions
from bot.entry.die_with_parent import die_with_parent
from bot.entry.log import configure_log, count_warnings
from bot.entry.settings import Settings
from bot.entry.web.app import create_app
from bot.entry.web.installed_pulls import pulls_of_installations
from bot.entry.web.setup_pages import Setup
from bot.entry.web.until_set_up import UntilSetUp
from bot.entry.wiring import make_ports

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


def make_app() -> "WSGIApplication":
    # After a killed master, its successor needs the port at once.
    die_with_parent(signal.SIGKILL)
    settings = Settings()
    configure_log(settings.log_level)
    if settings.has_app:
        return _server(settings)
    setup = Setup(settings, AppOptions(), pulls_of_installations)
    url = f"http://{settings.host}:{settings.port}"
    sys.stderr.write(f"{setup_text.open_link(setup.link(url))}\n")
    sys.stderr.flush()
    return UntilSetUp(setup, _server)


def _server(settings: Settings) -> "WSGIApplication":
    # A thread rings for the whole process, which is safe because this process does not fork.
    doorbell = BackgroundDoorbell(RedisDoorbell(settings.doorbell_url))
    ports = make_ports(settings, "web", doorbell)
    count_warnings(ports.meter)
    app = create_app(settings, ports)
    # What stays for good is not gone through again and again: that stops a burst for a third of a second.
    gc.freeze()
    return app
