"""A server on a unix socket that a sandbox is shown: a thread for each connection, and a bound on both."""

import socketserver
import threading
from pathlib import Path

# Each is a thread and up to two open files of the harness, which needs its files for its own work.
CONNECTIONS_MAX = 256


class SandboxSocketServer(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """Connections beyond `CONNECTIONS_MAX` are closed unheard."""

    daemon_threads = True
    # An agent asks many things at once.
    request_queue_size = 128
    block_on_close = False

    def __init__(self, path: Path, handler: type[socketserver.BaseRequestHandler]) -> None:
        super().__init__(str(path), handler)
        self._places = threading.Semaphore(CONNECTIONS_MAX)

    def verify_request(self, request: object, client_address: object) -> bool:
        """Whether there is a place for a connection, which is taken."""
        return self._places.acquire(blocking=False)

    def process_request_thread(self, request: object, client_address: object) -> None:
        """Serve a connection, and free its place."""
        try:
            super().process_request_thread(request, client_address)  # type: ignore[arg-type]
        finally:
            self._places.release()
