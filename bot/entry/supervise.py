"""All processes of one machine: started in order, restarted when they die, ended together.

Our own parts are forks of the supervisor, which has imported what they need, so that the code is in
memory once. Each child has a slot name, the same after a restart, by which it gets its repository
leases back at once. The supervisor has one thread and opens no database and no socket, so that a
fork inherits none.
"""

import ctypes
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Protocol

from bot.entry.die_with_parent import die_with_parent
from bot.entry.terminal import Terminal

# A child that lived this long has recovered; its next restart is immediate again.
RECOVERED_SECONDS = 10.0
_DELAY_LONGEST_SECONDS = 5.0
_STOP_GRACE_SECONDS = 8.0
_POLL_SECONDS = 0.1

# <linux/prctl.h>
_PR_SET_NAME = 15
_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Program:
    """Another program, run under a slot name."""

    slot: str
    argv: tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """Our own code, run under a slot name in a fork of the supervisor."""

    slot: str
    run: Callable[[], None]


class _Process(Protocol):
    def poll(self) -> int | None: ...
    def terminate(self) -> None: ...
    def kill(self) -> None: ...
    def wait(self, timeout: float | None = None) -> object: ...


class _Forked:
    """A forked part with the methods of `Popen`."""

    def __init__(self, part: Part) -> None:
        self._process = _FORK.Process(target=_run_part, args=(part,), name=part.slot)
        # Before the child has its own handlers, a signal would be lost in the copy of ours.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def poll(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""
        return self._process.exitcode

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        self._process.kill()

    def wait(self, timeout: float | None = None) -> None:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(self._process.name, timeout or 0.0)


def _run_part(part: Part) -> None:
    # A session of its own: Ctrl-C reaches only the supervisor, which ends the children in order.
    os.setsid()
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    os.environ["HEADGATE_SLOT"] = part.slot
    # If the supervisor is killed, no second process may keep a slot name.
    supervisor = multiprocessing.parent_process()
    die_with_parent(signal.SIGTERM, supervisor.pid if supervisor else None)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_NAME, part.slot.encode()[:15], 0, 0, 0)
    part.run()


@dataclass
class _Child:
    program: Program | Part
    process: _Process
    started_at: float
    deaths: int = 0
    restart_at: float = 0.0


class Supervisor:
    """Keeps programs running until stopped; `on_death` gets the slot before it is restarted."""

    def __init__(
        self, programs: Sequence[Program | Part], console: Terminal, on_death: Callable[[str], None]
    ) -> None:
        self._programs = programs
        self._console = console
        self._on_death = on_death
        self._children: list[_Child] = []
        self._stop = threading.Event()

    def run(self) -> None:
        """Start everything and keep it running; returns when stopped."""
        for number in _SIGNALS:
            signal.signal(number, self._on_signal)
        try:
            for program in self._programs:
                self._children.append(_Child(program, _start(program), time.monotonic()))
            self._console.print(
                f"headgate is up: {', '.join(p.slot for p in self._programs)} (Ctrl-C ends it)"
            )
            while not self._stop.wait(_POLL_SECONDS):
                for child in self._children:
                    self._restart_if_dead(child)
        finally:
            self._end()

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._stop.set()

    def _restart_if_dead(self, child: _Child) -> None:
        now = time.monotonic()
        code = child.process.poll()
        if code is None:
            return
        if not child.restart_at:
            lived = now - child.started_at
            child.deaths = 1 if lived > RECOVERED_SECONDS else child.deaths + 1
            delay = min(0.2 * (child.deaths - 1), _DELAY_LONGEST_SECONDS)
            child.restart_at = now + delay
            self._console.print(f"{child.program.slot} ended ({code}); restarting it")
            self._on_death(child.program.slot)
        if now >= child.restart_at:
            child.process = _start(child.program)
            child.started_at, child.restart_at = now, 0.0

    def _end(self) -> None:
        """Our own parts first: while they end what they have begun, they need the programs."""
        until = time.monotonic() + _STOP_GRACE_SECONDS
        for kind in (Part, Program):
            self._end_all([c for c in self._children if isinstance(c.program, kind)], until)

    def _end_all(self, children: Sequence[_Child], until: float) -> None:
        for child in children:
            if child.process.poll() is None:
                child.process.terminate()
        for child in children:
            try:
                child.process.wait(max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.process.kill()
                child.process.wait()


def _start(program: Program | Part) -> _Process:
    if isinstance(program, Part):
        return _Forked(program)
    return subprocess.Popen(
        program.argv,
        env={**os.environ, "HEADGATE_SLOT": program.slot},
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )


def run_in_fork(function: Callable[[], None]) -> bool:
    """Call a function in a fork, so that this process does not keep its memory; False if it failed."""
    process = _FORK.Process(target=function)
    process.start()
    process.join()
    return process.exitcode == 0
