"""The scripted model as a process of its own, or as a thread of this one.

`running` is for tests and beside localhub, `serve` for a process of its own. One thread a request;
stopping ends the waits of running answers at once.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from werkzeug.serving import BaseWSGIServer, ThreadedWSGIServer, WSGIRequestHandler

from bot.localhub.model_server.app import application
from bot.localhub.model_server.script import Script

LOOPBACK = "127.0.0.1"

# The longest delay of a stop.
_POLL_SECONDS = 0.05


class _Quiet(WSGIRequestHandler):
    """No log line per request, and HTTP/1.1, so that a cut stream differs from a finished one."""

    protocol_version = "HTTP/1.1"

    def log(self, type: str, message: str, *args: object) -> None:  # noqa: A002
        """Nothing is logged: the client's transcript holds the answers."""


@contextmanager
def running(script: Script, port: int = 0) -> Iterator[str]:
    """Serve `script` from a thread on a loopback port, 0 for a free one; yields the base URL."""
    stopping = threading.Event()
    server = _server(script, LOOPBACK, port, stopping)
    thread = threading.Thread(
        target=server.serve_forever, args=(_POLL_SECONDS,), name="model-server", daemon=True
    )
    thread.start()
    try:
        yield f"http://{LOOPBACK}:{server.server_port}"
    finally:
        stopping.set()
        server.shutdown()
        thread.join()
        server.server_close()


def serve(script: Script, host: str = LOOPBACK, port: int = 0) -> None:
    """Serve `script` until the process is interrupted."""
    stopping = threading.Event()
    server = _server(script, host, port, stopping)
    try:
        server.serve_forever()
    finally:
        stopping.set()
        server.server_close()


def _server(script: Script, host: str, port: int, stopping: threading.Event) -> BaseWSGIServer:
    return ThreadedWSGIServer(host, port, application(script, stopping), handler=_Quiet)
