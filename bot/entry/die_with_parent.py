"""Have the kernel end this process with the process that started it (Linux only).

An orphan would keep a port, a lease or a queue that its successor needs: a gunicorn worker whose
master was killed holds the port for seconds, and accepts requests that it never answers. On other
systems the orphan ends by itself, later.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1  # prctl(2); kept over an exec, not over a fork


def die_with_parent(by: signal.Signals, parent: int | None = None) -> None:
    """`parent`: who started this process, if it is known; it may have ended before the kernel was asked."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, by)
    if parent is not None and os.getppid() != parent:
        os.kill(os.getpid(), by)
