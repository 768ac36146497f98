"""Serves a hub on loopback: threads, keep-alive, no Nagle, and a clean shutdown.

Werkzeug's threaded server with HTTP/1.1, because faults need access to the connection and tests
need a server that starts and ends in milliseconds. There is no TLS.
"""

import contextlib
import io
import logging
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING

from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler

from bot.localhub.app import Extension, create_app
from bot.localhub.hub import Hub

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

# An idle connection is closed after this long.
IDLE_SECONDS = 120
# A longer request is its connection's last.
_KEPT_BYTES_MAX = 1 << 20
_WITHOUT_BODY = ("204", "304")


class _Connection(WSGIRequestHandler):
    """One connection, with several requests one after another, which Werkzeug by itself does not have."""

    protocol_version = "HTTP/1.1"
    # Headers and body are separate writes; with Nagle each answer would wait for a delayed ACK.
    disable_nagle_algorithm = True
    timeout = IDLE_SECONDS

    def run_wsgi(self) -> None:
        length = self._length_if_kept()
        if length is None:
            super().run_wsgi()
            return
        # Whole, also where the application does not look at it: the next request comes behind it.
        body = self.rfile.read(length)
        self.environ = environ = {**self.make_environ(), "wsgi.input": io.BytesIO(body)}
        started: list[tuple[str, list[tuple[str, str]]]] = []

        def start_response(
            status: str, headers: list[tuple[str, str]], _exc_info: object = None
        ) -> Callable[[bytes], object]:
            started.append((status, headers))
            return self.wfile.write

        answer = self.server.app(environ, start_response)
        try:
            content = b"".join(answer)
            self._send(*started[-1], content)
        finally:
            if callable(close := getattr(answer, "close", None)):
                close()

    def _length_if_kept(self) -> int | None:
        """How long a request's body is after whose answer the connection stays open."""
        # git by itself sends once more what it sent on an open connection and has no answer to.
        is_git = self.headers.get("User-Agent", "").startswith("git/")
        length = self.headers.get("Content-Length", "0")
        if (
            self.close_connection
            or is_git
            or "Transfer-Encoding" in self.headers
            or "Expect" in self.headers
            or not length.isdecimal()
        ):
            return None
        return int(length) if int(length) <= _KEPT_BYTES_MAX else None

    def _send(self, status: str, headers: list[tuple[str, str]], content: bytes) -> None:
        """The answer in one write."""
        has_body = self.command != "HEAD" and not status.startswith(_WITHOUT_BODY)
        if has_body and "content-length" not in (name.lower() for name, _ in headers):
            headers = [*headers, ("Content-Length", str(len(content)))]
        head = "".join(f"{name}: {value}\r\n" for name, value in headers)
        self.wfile.write(f"HTTP/1.1 {status}\r\n{head}\r\n".encode("latin-1") + content)

    def make_environ(self) -> "WSGIEnvironment":
        environ = super().make_environ()
        environ["localhub.hang_up"] = self._hang_up
        return environ

    def _hang_up(self) -> None:
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def send_response(self, code: int, message: str | None = None) -> None:
        """The status line alone; the application sends the date, by the hub's clock."""
        self.send_response_only(code, message)

    def log(self, type: str, message: str, *args: object) -> None:  # noqa: A002 - werkzeug's name
        """The hub keeps a log of its own."""


class _Server(ThreadingMixIn, BaseWSGIServer):
    """A thread per connection; open connections are closed at the end."""

    multithread = True
    daemon_threads = True
    # Thirty clients that connect at once must not be refused.
    request_queue_size = 256

    def __init__(self, host: str, port: int, app: "WSGIApplication") -> None:
        self._open: set[socket.socket] = set()
        self._open_lock = threading.Lock()
        super().__init__(host, port, app, handler=_Connection)

    def process_request(self, request: object, client_address: object) -> None:
        if isinstance(request, socket.socket):
            with self._open_lock:
                self._open.add(request)
        super().process_request(request, client_address)  # type: ignore[arg-type]

    def shutdown_request(self, request: object) -> None:
        if isinstance(request, socket.socket):
            with self._open_lock:
                self._open.discard(request)
        super().shutdown_request(request)  # type: ignore[arg-type]

    def end(self) -> None:
        """Stop listening and close all connections."""
        self.shutdown()
        self.server_close()
        with self._open_lock:
            still_open = list(self._open)
        for connection in still_open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


def _server(hub: Hub, host: str, port: int, extensions: Sequence[Extension]) -> _Server:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = _Server(host, port, _not_yet)
    # Extensions may read the base URL when they are mounted, and a free port is known only now.
    hub.base_url = f"http://{host}:{server.server_port}"
    server.app = create_app(hub, extensions)
    return server


def _not_yet(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
    start_response("503 Service Unavailable", [("Content-Length", "0")])
    return [b""]


def serve(
    hub: Hub,
    host: str,
    port: int,
    extensions: Sequence[Extension] = (),
    on_ready: Callable[[str], None] | None = None,
) -> None:
    """Serve until interrupted; `on_ready` is called with the URL before the first answer."""
    server = _server(hub, host, port, extensions)
    if on_ready is not None:
        on_ready(hub.base_url)
    try:
        server.serve_forever()
    finally:
        server.server_close()
        hub.close()


@contextlib.contextmanager
def running(hub: Hub, port: int = 0, extensions: Sequence[Extension] = ()) -> Iterator[str]:
    """Serve in a thread and yield the base URL; port 0 takes a free one."""
    server = _server(hub, "127.0.0.1", port, extensions)
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.05}, name="localhub", daemon=True
    )
    thread.start()
    try:
        yield hub.base_url
    finally:
        server.end()
        thread.join(5)
        hub.close()
