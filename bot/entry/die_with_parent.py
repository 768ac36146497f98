"""A process that must not outlive the one that started it: the kernel sees to it (Linux).

An orphan would keep a port, a lease or a queue that its successor needs: a gunicorn worker whose
master was killed holds the port for seconds, and takes requests that it never answers. Elsewhere
than on Linux the orphan ends by itself, later.
"""

import ctypes
import signal
import sys

_PR_SET_PDEATHSIG = 1  # prctl(2); kept over an exec, not over a fork


def die_with_parent(by: signal.Signals) -> None:
    """Be sent this signal when the parent dies."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, by)
