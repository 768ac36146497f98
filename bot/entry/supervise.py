"""One machine, all processes: started in order, restarted when they die, ended together.

Each child has a slot name, the same after a restart, by which it gets its repository leases back at
once. A child that dies again and again is restarted ever later. Ctrl-C or SIGTERM ends everything,
children first asked and then made to. Whoever starts it is told which slot died, before it is
started again. Deliberately absent: any work of its own.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType

from rich.console import Console

# A child that lived this long has recovered; its next restart is immediate again.
RECOVERED_SECONDS = 10.0
_DELAY_LONGEST_SECONDS = 5.0
_STOP_GRACE_SECONDS = 8.0
_BEAT_SECONDS = 0.1


@dataclass(frozen=True)
class Program:
    """What to run under which slot name."""

    slot: str
    argv: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass
class _Child:
    program: Program
    process: subprocess.Popen[bytes]
    started_at: float
    deaths: int = 0
    restart_at: float = 0.0


class Supervisor:
    """Keeps programs running until told to stop."""

    def __init__(
        self, programs: Sequence[Program], console: Console, on_death: Callable[[str], None]
    ) -> None:
        self._programs = programs
        self._console = console
        self._on_death = on_death
        self._children: list[_Child] = []
        self._stop = threading.Event()

    def run(self) -> None:
        """Start everything and keep it running; returns when stopped."""
        signal.signal(signal.SIGTERM, self._on_signal)
        signal.signal(signal.SIGINT, self._on_signal)
        for program in self._programs:
            self._children.append(_Child(program, _start(program), time.monotonic()))
        self._console.print(
            f"headgate is up: {', '.join(p.slot for p in self._programs)} (Ctrl-C ends it)"
        )
        try:
            while not self._stop.wait(_BEAT_SECONDS):
                for child in self._children:
                    self._tend(child)
        finally:
            self._end()

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._stop.set()

    def _tend(self, child: _Child) -> None:
        now = time.monotonic()
        code = child.process.poll()
        if code is None:
            return
        if not child.restart_at:
            lived = now - child.started_at
            child.deaths = 1 if lived > RECOVERED_SECONDS else child.deaths + 1
            delay = min(0.2 * (child.deaths - 1), _DELAY_LONGEST_SECONDS)
            child.restart_at = now + delay
            self._console.print(f"{child.program.slot} ended ({code}); starting it again")
            self._on_death(child.program.slot)
        if now >= child.restart_at:
            child.process = _start(child.program)
            child.started_at, child.restart_at = now, 0.0

    def _end(self) -> None:
        for child in self._children:
            if child.process.poll() is None:
                child.process.terminate()
        until = time.monotonic() + _STOP_GRACE_SECONDS
        for child in self._children:
            try:
                child.process.wait(max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.process.kill()
                child.process.wait()


def _start(program: Program) -> subprocess.Popen[bytes]:
    # A session of its own: Ctrl-C reaches the supervisor alone, which ends children in order.
    return subprocess.Popen(
        program.argv,
        env={**os.environ, **program.environment, "HEADGATE_SLOT": program.slot},
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )


def python(*arguments: str) -> tuple[str, ...]:
    """A command line of this very interpreter."""
    return (sys.executable, *arguments)
