"""The app that gunicorn serves, made after the fork."""

import signal

import flask

from bot.adapters.doorbell.background import BackgroundDoorbell
from bot.adapters.doorbell.redis_queue import RedisDoorbell
from bot.entry.die_with_parent import die_with_parent
from bot.entry.log import configure_log, count_warnings
from bot.entry.settings import Settings
from bot.entry.web.app import create_app
from bot.entry.wiring import make_ports


def make_app() -> flask.Flask:
    # After a killed master, its successor needs the port at once.
    die_with_parent(signal.SIGKILL)
    settings = Settings()
    configure_log(settings.log_level)
    # A thread rings for the whole process, which is safe because this process does not fork.
    doorbell = BackgroundDoorbell(RedisDoorbell(settings.doorbell_url))
    ports = make_ports(settings, "web", doorbell)
    count_warnings(ports.meter)
    return create_app(settings, ports)
