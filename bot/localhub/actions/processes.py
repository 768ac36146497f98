"""Processes of steps: start, wait, interrupt, and kill with all their children.

Cancellation follows GitHub: SIGINT to the step's own process, 7.5 s, SIGTERM, 2.5 s, then the whole
tree is killed ("Workflow cancellation reference"). The tree comes from parents and process groups
in `/proc`; a process that has left both is found by its tracking id when the job ends.
"""

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

_PROC = Path("/proc")

# A longer line of output is split.
LINE_BYTES_MAX = 65_536

# How long output is read after the step's process has ended: a child in the background that
# keeps the pipe open must not block the step.
DRAIN_SECONDS = 1.0


class Stop(StrEnum):
    """Why a job ends early, least urgent first."""

    CANCEL = "cancel"
    TIMEOUT = "timeout"
    SHUTDOWN = "shutdown"
    FORCE = "force"


class Ending(StrEnum):
    EXITED = "exited"
    STOPPED = "stopped"
    TIMED_OUT = "timed_out"


@dataclass(frozen=True)
class GracePeriods:
    """How long a process may take to react to a signal. GitHub's times."""

    interrupt_seconds: float = 7.5
    terminate_seconds: float = 2.5


@dataclass(frozen=True)
class Command:
    argv: Sequence[str]
    env: Mapping[str, str]
    folder: Path


@dataclass(frozen=True)
class Ended:
    ending: Ending
    exit_code: int


class StopSwitch:
    """Tells waiting threads that a job must end; may be pulled several times."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pulled: set[Stop] = set()
        self._waiting: list[queue.SimpleQueue[Stop | None]] = []

    def pull(self, stop: Stop) -> None:
        """End the job. Repeating a reason has no effect."""
        with self._lock:
            if stop in self._pulled:
                return
            self._pulled.add(stop)
            for waiting in self._waiting:
                waiting.put(stop)

    @property
    def pulled(self) -> frozenset[Stop]:
        with self._lock:
            return frozenset(self._pulled)

    @property
    def is_pulled(self) -> bool:
        return bool(self._pulled)

    def has(self, *stops: Stop) -> bool:
        return not self._pulled.isdisjoint(stops)

    @contextlib.contextmanager
    def notifying(
        self, waiting: "queue.SimpleQueue[Stop | None]", known: frozenset[Stop]
    ) -> Iterator[None]:
        """Put reasons into a queue: those given already, without the known ones, and all new ones."""
        with self._lock:
            for stop in self._pulled - known:
                waiting.put(stop)
            self._waiting.append(waiting)
        try:
            yield
        finally:
            with self._lock:
                self._waiting.remove(waiting)


def run_command(
    command: Command,
    on_line: Callable[[bytes], None],
    switch: StopSwitch,
    known: frozenset[Stop],
    timeout_seconds: float | None,
    grace_periods: GracePeriods,
) -> Ended:
    """Run until the end or until stopped. Raises OSError if it cannot be started.

    `known` are the reasons to stop that had been given when it was decided to run the command: they
    do not end it. One that came since does, however early.
    """
    process = subprocess.Popen(
        list(command.argv),
        env=dict(command.env),
        cwd=command.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    reader = threading.Thread(target=_read, args=(process, on_line), daemon=True)
    reader.start()
    events: queue.SimpleQueue[Stop | None] = queue.SimpleQueue()
    with switch.notifying(events, known):
        threading.Thread(target=_await_exit, args=(process, events), daemon=True).start()
        ending = _supervise(process, events, timeout_seconds, grace_periods)
    exit_code = process.wait()
    reader.join(DRAIN_SECONDS)
    return Ended(ending, exit_code)


def kill_tree(pid: int) -> None:
    """Kill a process, its group and all its descendants, repeatedly until none is left."""
    for _ in range(20):
        table = _table()
        found = _with_descendants({pid}, table)
        found |= {one for one, (_, group) in table.items() if group == pid}
        alive = found & table.keys()
        if not alive:
            return
        _kill(alive)
        time.sleep(0.005)


def kill_tracked(mark: str) -> int:
    """Kill all processes whose environment holds a mark, with descendants; returns how many."""
    killed: set[int] = set()
    needle = mark.encode()
    for _ in range(20):
        table = _table()
        marked = {pid for pid in table if pid != os.getpid() and needle in _environment(pid)}
        found = _with_descendants(marked, table) - {os.getpid()}
        if not found:
            break
        killed |= found
        _kill(found)
        time.sleep(0.005)
    return len(killed)


def _read(process: "subprocess.Popen[bytes]", on_line: Callable[[bytes], None]) -> None:
    stream = process.stdout
    if stream is None:
        return
    with stream:
        while line := stream.readline(LINE_BYTES_MAX):
            on_line(line)


def _await_exit(
    process: "subprocess.Popen[bytes]", events: "queue.SimpleQueue[Stop | None]"
) -> None:
    process.wait()
    events.put(None)


def _supervise(
    process: "subprocess.Popen[bytes]",
    events: "queue.SimpleQueue[Stop | None]",
    timeout_seconds: float | None,
    grace_periods: GracePeriods,
) -> Ending:
    try:
        event = events.get(timeout=timeout_seconds)
    except queue.Empty:
        event, ending = Stop.TIMEOUT, Ending.TIMED_OUT
    else:
        ending = Ending.STOPPED
    if event is None:
        return Ending.EXITED
    steps = (
        (signal.SIGINT, grace_periods.interrupt_seconds),
        (signal.SIGTERM, grace_periods.terminate_seconds),
    )
    for number, patience in steps:
        if event is Stop.FORCE:
            break
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(number)
        if _has_ended(events, patience):
            break
    kill_tree(process.pid)
    return ending


def _has_ended(events: "queue.SimpleQueue[Stop | None]", patience: float) -> bool:
    """Whether the wait is over: the process has ended, or must be killed now."""
    deadline = time.monotonic() + patience
    while True:
        try:
            event = events.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            return False
        if event is None or event is Stop.FORCE:
            return True


def _table() -> dict[int, tuple[int, int]]:
    """Parent and process group of every process that is not a zombie."""
    table: dict[int, tuple[int, int]] = {}
    for folder in _PROC.glob("[0-9]*"):
        try:
            # The name is in brackets and may contain any character.
            fields = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if fields and fields[0] not in ("Z", "X"):
            table[int(folder.name)] = (int(fields[1]), int(fields[2]))
    return table


def _with_descendants(roots: set[int], table: Mapping[int, tuple[int, int]]) -> set[int]:
    found = set(roots)
    while True:
        more = {pid for pid, (parent, _) in table.items() if parent in found} - found
        if not more:
            return found
        found |= more


def _environment(pid: int) -> bytes:
    try:
        return (_PROC / str(pid) / "environ").read_bytes()
    except OSError:
        return b""


def _kill(pids: Iterable[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
