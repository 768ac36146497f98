"""A process that kills what the runner started when the runner ends.

`python -m bot.localhub.actions.reaper MARK` reads its standard input, which closes when the runner
ends in any way (`kill -9` too), and then kills every process that has the mark in its environment.
It prints nothing and keeps nothing else open.
"""

import contextlib
import signal
import subprocess
import sys
from pathlib import Path

from bot.localhub.actions.processes import kill_tracked

_ROOT = Path(__file__).parents[3]


def start_reaper(mark: str) -> "subprocess.Popen[bytes]":
    """Start the reaper of this process; closing its `stdin` ends it."""
    return subprocess.Popen(
        [sys.executable, "-S", "-m", "bot.localhub.actions.reaper", mark],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={"PYTHONPATH": str(_ROOT)},
        start_new_session=True,
    )


def main() -> None:
    """Wait for the end of the input, then kill."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        sys.stdin.buffer.read()
    kill_tracked(sys.argv[1])


if __name__ == "__main__":
    main()
