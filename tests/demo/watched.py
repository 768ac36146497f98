"""Starts programs in processes of their own, reads their output, and finds what still runs."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from bot.entry.die_with_parent import die_with_parent

ROOT = Path(__file__).parents[2]

# Generous: a machine may be busy.
TIMEOUT_SECONDS = 240


def eventually(is_so: Callable[[], bool], seconds: float = TIMEOUT_SECONDS) -> None:
    """Wait until a condition holds."""
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until, "the condition did not become true"
        threading.Event().wait(0.1)


def start(
    *arguments: str, folder: Path, environment: Mapping[str, str] | None = None
) -> "subprocess.Popen[str]":
    """A Python process of the checkout whose output goes to `<folder>/output`."""
    with (folder / "output").open("w") as output:
        return subprocess.Popen(
            [sys.executable, *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
            | dict(environment or {}),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            preexec_fn=partial(_as_in_a_terminal, os.getpid()),
        )


def _as_in_a_terminal(tests: int) -> None:
    """Ctrl-C is heard, also where the tests run in the background; it ends with the tests."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    die_with_parent(signal.SIGTERM, tests)


def output(folder: Path) -> str:
    """The output of a started process so far."""
    return (folder / "output").read_text()


def is_running(pid: int) -> bool:
    """Whether a process exists and has not ended."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in {"Z", "X"}


def running_in(folder: Path) -> list[int]:
    """The processes that have a path below a folder in their environment or arguments."""
    needle = os.fsencode(folder)
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            text = (process / "environ").read_bytes() + (process / "cmdline").read_bytes()
        except OSError:
            continue
        if needle in text and int(process.name) != os.getpid():
            found.append(int(process.name))
    return [pid for pid in found if is_running(pid)]
