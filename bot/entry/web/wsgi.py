"""What gunicorn loads: the app of this process, made after the fork."""

import signal

import flask

from bot.adapters.doorbell.background import BackgroundDoorbell
from bot.adapters.doorbell.redis_queue import RedisDoorbell
from bot.entry.lifeline import die_with_parent
from bot.entry.log import configure_log
from bot.entry.settings import Settings
from bot.entry.web.app import create_app
from bot.entry.wiring import make_bench


def make_app() -> flask.Flask:
    """The app from the environment's settings; gunicorn calls it in each worker."""
    # A killed master says no goodbye: whoever comes next needs the port at once.
    die_with_parent(signal.SIGKILL)
    settings = Settings()
    configure_log(settings.log_level)
    # A thread rings for the whole process: this one does not fork.
    doorbell = BackgroundDoorbell(RedisDoorbell(settings.doorbell_url))
    return create_app(settings, make_bench(settings, "web", doorbell))
