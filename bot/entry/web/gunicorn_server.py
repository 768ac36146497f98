"""The web process: gunicorn around the Flask app, in this very process and its one worker."""

from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter

from bot.entry.settings import Settings
from bot.entry.web.admission import Peers
from bot.entry.web.worker_choice import threaded_workers, worker_class
from bot.entry.web.wsgi import make_app

# Threads of the one web process: a request is one database write and a nudge. More of them than
# connections that a proxy keeps open in a burst, so that each stays with its own.
WEB_THREADS = 48


class GunicornServer(BaseApplication):  # type: ignore[misc]
    """gunicorn with our settings, without its command line. `worker`: its `worker_class`."""

    def __init__(self, settings: Settings, worker: type | str) -> None:
        self._settings = settings
        self._worker = worker
        super().__init__()

    def load_config(self) -> None:
        """One process with threads; a slow request does not hold the next."""
        options = {
            "bind": f"{self._settings.host}:{self._settings.port}",
            "workers": 1,
            "worker_class": self._worker,
            "threads": WEB_THREADS,
            "timeout": 60,
            "graceful_timeout": 5,
            "loglevel": "warning",
            "control_socket_disable": True,
        }
        for name, value in options.items():
            self.cfg.set(name, value)

    def load(self) -> object:
        return make_app()


def serve(settings: Settings) -> None:
    """Serve until stopped; ends the process as gunicorn does."""
    peers = Peers(settings.peer_connections, settings.proxies)
    Arbiter(GunicornServer(settings, worker_class(threaded_workers(), peers))).run()
