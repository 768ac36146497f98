"""Ends everything that a command has started, even outside of its process group.

A daemon that forks twice and opens a session of its own leaves its group, but not its ancestry:
on Linux this process adopts such orphans (prctl(2), PR_SET_CHILD_SUBREAPER) and finds them in
/proc. Elsewhere only the process group is ended. One command at a time: earlier children are left
alone.
"""

import ctypes
import os
import signal
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36  # <linux/prctl.h>
# Against a command that forks as fast as it is killed; then the sandbox ends the rest.
_ENDING_SECONDS_MAX = 10.0


@contextmanager
def end_descendants_on_exit() -> Iterator[None]:
    """Ends and reaps every process that starts inside the block, also after an exception.

    Wait inside for a child whose exit code matters; afterwards it is gone.
    """
    _set_subreaper(1)
    spared = frozenset(_children_by_parent()[os.getpid()])
    try:
        yield
    finally:
        _end_descendants(spared)
        _set_subreaper(0)


def end_group(leader: int, signal_number: signal.Signals) -> None:
    """Signal a process group, which may be gone already."""
    try:
        os.killpg(leader, signal_number)
    except (ProcessLookupError, PermissionError):
        return


def _end_descendants(spared: frozenset[int]) -> None:
    deadline = time.monotonic() + _ENDING_SECONDS_MAX
    pause = threading.Event()
    while True:
        victims = _descendants(spared)
        for pid in victims:
            try:
                os.kill(pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                continue
        _reap(victims)
        if not _descendants(spared) or time.monotonic() > deadline:
            return
        pause.wait(0.01)


def _descendants(spared: frozenset[int]) -> list[int]:
    children = _children_by_parent()
    found: list[int] = []
    unseen = [pid for pid in children[os.getpid()] if pid not in spared]
    while unseen:
        pid = unseen.pop()
        found.append(pid)
        unseen.extend(children[pid])
    return found


def _reap(pids: list[int]) -> None:
    for pid in pids:
        try:
            os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:
            continue  # a grandchild: it comes to us once its parent is gone


def _children_by_parent() -> defaultdict[int, list[int]]:
    children: defaultdict[int, list[int]] = defaultdict(list)
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_bytes()
        except OSError:
            continue  # it ended while we looked
        # "pid (name) state ppid …": the name may hold anything, brackets included (proc(5)).
        parent = int(stat.rpartition(b")")[2].split()[1])
        children[parent].append(int(folder.name))
    return children


def _set_subreaper(value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, value, 0, 0, 0)
