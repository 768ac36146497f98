"""A limit on processor time for work on texts by strangers.

A signal ends the work, also inside a regular expression. Signals come to the main thread of a
process, where all jobs run; threads that ask a model have no limit, and read what was read before.
"""

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

T = TypeVar("T")

# If something in the work swallows the first one.
_AGAIN_SECONDS = 0.1


class TooCostly(Exception):
    """The work took more of the processor than it may."""


def within(seconds: float, work: Callable[[], T]) -> T:
    """What the work returns. Raises `TooCostly` after so many seconds of the processor."""
    if threading.current_thread() is not threading.main_thread():
        return work()
    is_over = False

    def _stop(_number: int, _frame: FrameType | None) -> None:
        if not is_over:
            raise TooCostly(f"more than {seconds:g} s of processor time")

    before = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, _AGAIN_SECONDS)
    try:
        return work()
    finally:
        is_over = True
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
