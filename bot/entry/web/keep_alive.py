"""gunicorn's threaded worker, whose threads stay with a connection, and all of them on one core.

gunicorn hands a connection back to its poller after every answer, and the next request to any free
thread: four hand-overs between threads for a delivery, which cost more than storing it. Here a
thread waits a moment for the next request of the same connection, but never while another
connection waits for a thread. On one core, because Python runs one of the threads at a time, and
passing that right between cores costs as much as a delivery.

`worker_choice` checks what this relies on in gunicorn.
"""

import contextlib
import os
import select
import sys
from collections import deque

from gunicorn.workers.gthread import TConn, ThreadWorker


class KeepAliveWorker(ThreadWorker):  # type: ignore[misc]
    """gunicorn's `gthread`; a thread keeps its connection for a moment after an answer."""

    # Longer than the next delivery of a burst takes to come. A new connection, or a stop, may have
    # to wait this long.
    keep_seconds = 0.02

    def init_process(self) -> None:
        _stay_on_one_core()
        # One mark for each connection that waits for a thread.
        self._waiting: deque[None] = deque()
        super().init_process()

    def enqueue_req(self, conn: TConn) -> None:
        self._waiting.append(None)
        super().enqueue_req(conn)

    def handle(self, conn: TConn) -> object:
        """One request, and those that follow at once on the same connection."""
        # A request is served, however it came here.
        with contextlib.suppress(IndexError):
            self._waiting.popleft()
        outcome = super().handle(conn)
        while outcome is True and self._may_keep() and self._has_more(conn):
            outcome = super().handle(conn)
        return outcome

    def _may_keep(self) -> bool:
        return bool(self.alive) and not self._waiting

    def _has_more(self, conn: TConn) -> bool:
        """Whether there is something to read within a moment, be it the connection's end."""
        waiting = select.poll()
        waiting.register(conn.sock, select.POLLIN)
        return bool(waiting.poll(self.keep_seconds * 1000))


def _stay_on_one_core() -> None:
    """Processes with different ids take different cores."""
    if sys.platform == "linux":
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[os.getpid() % len(cores)]})
