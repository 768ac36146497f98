"""A PostgreSQL server of the tests' own, which ends with the process that wanted it.

However that process ends: the server is another's child by then, and nobody else would end it.
"""

import importlib
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# Waits for a byte, or for the end of whoever started it. A stop at once: nothing is to be kept.
_UNDERTAKER = """
import os, shutil, signal, sys, time
sys.stdin.read(1)
try:
    with open(sys.argv[1] + "/postmaster.pid") as file:
        server = int(file.readline())
    os.kill(server, signal.SIGQUIT)
    for _ in range(200):
        os.kill(server, 0)
        time.sleep(0.1)
except (OSError, ValueError):
    pass
shutil.rmtree(sys.argv[1], ignore_errors=True)
"""


@contextmanager
def own_postgres() -> Iterator[str]:
    """Yields the server's URL, without a database's name."""
    # Started by root it runs as a user of its own, who may not enter pytest's folders.
    folder = Path(tempfile.mkdtemp(prefix="headgate-postgres-"))
    # In a session of its own: what is sent to the tests' group does not reach it.
    undertaker = subprocess.Popen(
        [sys.executable, "-c", _UNDERTAKER, str(folder)],
        stdin=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        with warnings.catch_warnings():
            # It speaks of a folder for sockets that it makes for itself.
            warnings.simplefilter("ignore")
            pgserver = importlib.import_module("pgserver")
        server = pgserver.get_server(folder, cleanup_mode=None)
        yield server.get_uri().replace("postgresql://", "postgresql+psycopg://")
    finally:
        # A byte, because a child of ours may still hold the pipe open.
        undertaker.communicate(b"\n", timeout=60)
