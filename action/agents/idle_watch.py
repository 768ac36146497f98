"""Ends a program that hangs: no request, no output, no change of its tree, no processor time.

A slow build uses the processor. An agent whose request is not answered yet does not hang.
"""

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from action.agents.budget import Budget
from action.sandbox.bounds import family_of
from action.sandbox.trees import Step, walk

# How often is looked, at most.
_LOOKS = 20
# Of one core: an interpreter that only waits uses less.
_BUSY_SHARE = 0.05
_FILES_MAX = 20_000


class IdleWatch:
    """Watches one start of a program; `has_ended_it` says that it was quiet for too long."""

    def __init__(self, tree: Path, budget: Budget, seconds: float, end: Callable[[], None]) -> None:
        self._tree = tree
        self._budget = budget
        self._seconds = seconds
        self._end = end
        self._output = 0
        self._over = threading.Event()
        self.has_ended_it = False

    def hear(self, chunk: bytes) -> None:
        self._output += len(chunk)

    @contextmanager
    def during(self) -> Iterator[None]:
        if self._seconds <= 0:
            yield
            return
        thread = threading.Thread(target=self._watch, name="quiet", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()

    def _watch(self) -> None:
        every = self._seconds / _LOOKS
        quiet_looks = 0
        before, used, files = self._signs(), _processor_seconds(), (0, 0)
        while not self._over.wait(every):
            now, using = self._signs(), _processor_seconds()
            is_busy = using - used > _BUSY_SHARE * every or self._budget.has_open_requests
            is_quiet = now == before and not is_busy
            quiet_looks = quiet_looks + 1 if is_quiet else 0
            before, used = now, using
            # Looking through the tree costs the most: only where a quiet time begins and ends.
            if quiet_looks == 1:
                files = newest_file(self._tree)
            if quiet_looks < _LOOKS:
                continue
            quiet_looks = 0
            if files == newest_file(self._tree):
                self.has_ended_it = True
                self._end()
                return

    def _signs(self) -> tuple[int, int, int]:
        return self._output, self._budget.turns, self._budget.tokens.total


def _processor_seconds() -> float:
    """What all processes below this one have used that still live."""
    ticks = 0
    for pid in family_of(os.getpid())[1:]:
        try:
            stat = Path(f"/proc/{pid}/stat").read_bytes()
        except OSError:
            continue
        # proc(5), counted from behind the name: utime, stime, and those of children that have ended.
        ticks += sum(map(int, stat.rpartition(b")")[2].split()[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def newest_file(tree: Path) -> tuple[int, int]:
    """How many files a tree has, and when the newest of them was changed."""
    count, newest = 0, 0
    with contextlib.suppress(OSError):
        for met in walk(tree):
            if met.step is not Step.FILE:
                continue
            with contextlib.suppress(OSError):
                status = os.stat(met.name, dir_fd=met.inside, follow_symlinks=False)
                count, newest = count + 1, max(newest, status.st_mtime_ns)
            if count >= _FILES_MAX:
                break
    return count, newest
