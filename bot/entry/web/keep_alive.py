"""gunicorn's threaded worker, whose threads stay with a connection, and all of them on one core.

gunicorn hands a connection back to its poller after every answer, and the next request to whichever
thread is free: four hand-overs between threads for a delivery, which cost more than to take it in.
Here a thread waits a moment for the next request of the same connection. The rule: nobody lingers
while a connection waits for a thread. On one core, because Python runs one of the threads at a time,
and handing that right from core to core costs as much as a delivery. Deliberately absent: how a request is read and answered;
that stays gunicorn's own.
"""

import os
import select
import sys
from collections import deque

from gunicorn.workers.gthread import TConn, ThreadWorker


class KeepAliveWorker(ThreadWorker):  # type: ignore[misc]
    """gunicorn's `gthread`, with threads that linger."""

    # Longer than the next delivery of a burst takes to come; no longer may a new connection wait
    # for a thread where every thread lingers, or a stop for those that do.
    linger_seconds = 0.02

    def init_process(self) -> None:
        """What gthread does, on one core; one mark for each connection that waits for a thread."""
        _stay_on_one_core()
        self._waiting: deque[None] = deque()
        super().init_process()

    def enqueue_req(self, conn: TConn) -> None:
        """Have a thread take the connection up."""
        self._waiting.append(None)
        super().enqueue_req(conn)

    def handle(self, conn: TConn) -> object:
        """One request, and those that follow at once on the same connection."""
        self._waiting.popleft()
        outcome = super().handle(conn)
        while outcome is True and self._may_linger() and self._comes_more(conn):
            outcome = super().handle(conn)
        return outcome

    def _may_linger(self) -> bool:
        return bool(self.alive) and not self._waiting

    def _comes_more(self, conn: TConn) -> bool:
        """Whether there is something to read within a moment; that it is the end, reading tells."""
        waiting = select.poll()
        waiting.register(conn.sock, select.POLLIN)
        return bool(waiting.poll(self.linger_seconds * 1000))


def _stay_on_one_core() -> None:
    """Where the system can be told; processes beside one another take different ones."""
    if sys.platform == "linux":
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[os.getpid() % len(cores)]})
