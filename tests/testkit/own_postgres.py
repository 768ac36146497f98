"""A PostgreSQL server of the tests' own, which ends with the process that wanted it.

However that process ends: the server is another's child by then, and nobody else would end it.
"""

import importlib
import signal
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.testkit.undertaker import ends_with_us


@contextmanager
def own_postgres() -> Iterator[str]:
    """Yields the server's URL, without a database's name."""
    # Started by root it runs as a user of its own, who may not enter pytest's folders.
    folder = Path(tempfile.mkdtemp(prefix="headgate-postgres-"))
    with ends_with_us(folder, signal.SIGQUIT):
        with warnings.catch_warnings():
            # It speaks of a folder for sockets that it makes for itself.
            warnings.simplefilter("ignore")
            pgserver = importlib.import_module("pgserver")
        server = pgserver.get_server(folder, cleanup_mode=None)
        yield server.get_uri().replace("postgresql://", "postgresql+psycopg://")
