"""The web process: gunicorn around the Flask app, in this very process and its one worker.

The app is made in the worker, after the fork. Deliberately absent: any door; those are in `app`.
"""

from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter

from bot.entry.settings import Settings
from bot.entry.web.keep_alive import KeepAliveWorker
from bot.entry.web.wsgi import make_app

# Threads of the one web process: a request is one database write and a nudge. More of them than
# connections that a proxy keeps open in a burst, so that each stays with its own.
WEB_THREADS = 48


class _Gunicorn(BaseApplication):  # type: ignore[misc]
    """gunicorn told by us, not by its command line."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        super().__init__()

    def load_config(self) -> None:
        """One process with threads; a slow request does not hold the next."""
        told = {
            "bind": f"{self._settings.host}:{self._settings.port}",
            "workers": 1,
            "worker_class": KeepAliveWorker,
            "threads": WEB_THREADS,
            "timeout": 60,
            "graceful_timeout": 5,
            "loglevel": "warning",
            "control_socket_disable": True,
        }
        for name, value in told.items():
            self.cfg.set(name, value)

    def load(self) -> object:
        """The app, made in the worker."""
        return make_app()


def serve(settings: Settings) -> None:
    """Serve until stopped; ends the process as gunicorn does."""
    Arbiter(_Gunicorn(settings)).run()
