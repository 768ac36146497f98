"""Ends a server, and removes its folder, when the process that started it has ended, however it did."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# Waits for a byte, or for the end of whoever started it. At once: nothing is to be kept.
_UNDERTAKER = """
import os, shutil, signal, sys, time
folder, how, server = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
sys.stdin.read(1)
try:
    if not server:
        with open(folder + "/postmaster.pid") as file:
            server = int(file.readline())
    os.kill(server, how)
    for _ in range(400):
        os.kill(server, 0)
        with open(f"/proc/{server}/stat") as file:
            # One that has ended is there until its parent asks for it.
            if file.read().rpartition(")")[2].split()[0] == "Z":
                break
        time.sleep(0.05)
except (OSError, ValueError):
    pass
shutil.rmtree(folder, ignore_errors=True)
"""


@contextmanager
def ends_with_us(folder: Path, how: signal.Signals, server: int = 0) -> Iterator[None]:
    """`server` is a process; 0: it will write its `postmaster.pid` into the folder."""
    # In a session of its own: what is sent to the tests' group does not reach it.
    undertaker = subprocess.Popen(
        [sys.executable, "-S", "-c", _UNDERTAKER, str(folder), str(int(how)), str(server)],
        stdin=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        yield
    finally:
        # A byte, because a child of ours may still hold the pipe open.
        undertaker.communicate(b"\n", timeout=60)
