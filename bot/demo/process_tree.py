"""The processes below one and their memory, read from /proc; on other systems than Linux, none.

A process that has called `adopt_orphans` becomes the parent of orphans below it, so that they are
found, too. Memory is the proportional set size, in which a page shared by n processes counts 1/n to
each; where it may not be read (another user's process), resident pages count, which is never less.
"""

import contextlib
import ctypes
import os
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
_PR_SET_CHILD_SUBREAPER = 36  # <linux/prctl.h>


@dataclass(frozen=True)
class ProcessFacts:
    """A process as it is now; a zombie has ended and waits for its parent to notice."""

    pid: int
    parent: int
    is_zombie: bool


def adopt_orphans() -> None:
    """Make this process the parent of its descendants that lose their own parent."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def processes_below(root: int) -> tuple[ProcessFacts, ...]:
    """All descendants of a process, parents before their children."""
    children: defaultdict[int, list[ProcessFacts]] = defaultdict(list)
    for folder in _PROC.glob("[0-9]*"):
        # A process may end while it is read.
        with contextlib.suppress(OSError):
            facts = _read_stat(int(folder.name), (folder / "stat").read_bytes())
            children[facts.parent].append(facts)
    found: list[ProcessFacts] = []
    unseen = list(children[root])
    while unseen:
        facts = unseen.pop(0)
        found.append(facts)
        unseen.extend(children[facts.pid])
    return tuple(found)


def _read_stat(pid: int, stat: bytes) -> ProcessFacts:
    # "pid (name) state ppid …": the name may hold anything, brackets included (proc(5)).
    state, parent = stat.rpartition(b")")[2].split()[:2]
    return ProcessFacts(pid, int(parent), state in {b"Z", b"X"})


def program_name(pid: int) -> str:
    try:
        return (_PROC / str(pid) / "comm").read_text().strip()
    except OSError:
        return ""


def memory_bytes(pid: int) -> int:
    """The proportional set size of a process; 0 if it has ended."""
    folder = _PROC / str(pid)
    try:
        return pss_bytes((folder / "smaps_rollup").read_text())
    except PermissionError:
        with contextlib.suppress(OSError):
            resident_pages = int((folder / "statm").read_text().split()[1])
            return resident_pages * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        pass
    return 0


def pss_bytes(rollup: str) -> int:
    """The `Pss:` line of an smaps_rollup, in bytes; 0 if there is none."""
    for line in rollup.splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0


def reap(pid: int) -> None:
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
