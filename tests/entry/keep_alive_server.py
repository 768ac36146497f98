"""gunicorn with our worker and an app that says which thread answered, what it read, or on how many cores.

`PORT THREADS KEEP`.
"""

import os
import sys
import threading
from typing import TYPE_CHECKING

from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter

from bot.entry.web.keep_alive import KeepAliveWorker

if TYPE_CHECKING:
    from collections.abc import Iterable

    from _typeshed.wsgi import StartResponse, WSGIEnvironment


def who_answers(environ: "WSGIEnvironment", start_response: "StartResponse") -> "Iterable[bytes]":
    """The name of the thread; at `/cores` how many cores it may run on, at `/read…` what was asked."""
    name = str(threading.get_ident()).encode()
    if environ["PATH_INFO"].startswith("/read"):
        name = b"<" + environ["PATH_INFO"].encode() + b" " + environ["wsgi.input"].read() + b">"
    if environ["PATH_INFO"] == "/cores":
        name = str(len(os.sched_getaffinity(0))).encode()
    start_response("200 OK", [("Content-Length", str(len(name)))])
    return [name]


class _Server(BaseApplication):  # type: ignore[misc]
    def load_config(self) -> None:
        """The settings of the real one, with other numbers of threads and seconds."""
        port, threads, keep = sys.argv[1:]
        worker = type("Worker", (KeepAliveWorker,), {"keep_seconds": float(keep)})
        options = {
            "bind": f"127.0.0.1:{port}",
            "worker_class": worker,
            "threads": int(threads),
            "control_socket_disable": True,
        }
        for name, value in options.items():
            self.cfg.set(name, value)

    def load(self) -> object:
        """The app."""
        return who_answers


if __name__ == "__main__":
    Arbiter(_Server()).run()
