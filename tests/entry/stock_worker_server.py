"""The web server on a gunicorn whose threaded worker has lost the method that KeepAliveWorker overrides.

Settings are the environment's, as for `headgate serve`.
"""

from types import SimpleNamespace

from gunicorn.arbiter import Arbiter
from gunicorn.workers import gthread

from bot.entry.log import configure_log
from bot.entry.settings import Settings
from bot.entry.web.gunicorn_server import GunicornServer
from bot.entry.web.worker_choice import worker_class
from bot.entry.wiring import prepare_store


class OtherWorker(gthread.ThreadWorker):  # type: ignore[misc]
    enqueue_req = None


if __name__ == "__main__":
    settings = Settings()
    configure_log(settings.log_level)
    prepare_store(settings)
    upgraded = SimpleNamespace(ThreadWorker=OtherWorker, TConn=gthread.TConn)
    Arbiter(GunicornServer(settings, worker_class(upgraded))).run()
