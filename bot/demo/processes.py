"""The demo's processes: each started with a log, watched, measured, and ended.

When `end` has returned, nothing that a process or its children started is running, even if some of
them were killed before.
"""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bot.demo.process_tree import (
    ProcessFacts,
    adopt_orphans,
    memory_bytes,
    processes_below,
    program_name,
    reap,
)
from bot.ports import UserError

# Headgate's own checkout or installation, which the processes import.
ROOT = Path(__file__).resolve().parents[2]

# A program that cannot start ends by itself; one that is alive may be on a slow machine.
_START_SECONDS = 300
_TOLD_EVERY_SECONDS = 20
_POLL_SECONDS = 0.05

# At the first SIGTERM a runner lets the steps of a job end; at the second it ends them at once.
_ASK_AGAIN_SECONDS = 1.0
# `headgate up` gives its children 8 s; what still runs after this is killed.
_STOP_SECONDS = 10.0

_LOG_LINES_SHOWN = 15
# The kernel walks all pages of a process to say its share: a tenth of a core at once a second.
_MEASURE_SECONDS = 3.0

# Settings of the user's own Headgate, model or GitHub, which the demo must not use.
_NOT_PASSED_ON = (
    "HEADGATE_",
    "ANTHROPIC_",
    "DATABASE_URL",
    "REDIS_URL",
    "GITHUB_",
    "RUNNER_",
    "ACTIONS_",
)


@dataclass
class MemoryPeak:
    """The most memory that all processes used at one time, in all and by part, in bytes."""

    total_bytes: int = 0
    parts: dict[str, int] = field(default_factory=dict)


class Processes:
    """The processes of one demo by name; `folder` gets their logs, `say` what takes long."""

    def __init__(self, folder: Path, say: Callable[[str], None] = print) -> None:
        self._folder = folder
        self._say = say
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._measured_at = 0.0
        self.peak = MemoryPeak()
        # Killed programs do not remove their temporary folders: they are inside ours.
        self._scratch = folder / "tmp"
        self._scratch.mkdir(parents=True, exist_ok=True)
        adopt_orphans()

    def start(self, name: str, argv: tuple[str, ...], environment: Mapping[str, str]) -> None:
        with self._log(name).open("ab") as log:
            self._running[name] = subprocess.Popen(
                argv,
                env={**self._environment(), **environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self._folder,
                # Ctrl-C reaches only the demo, which ends the others in order.
                start_new_session=True,
            )

    def _environment(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(_NOT_PASSED_ON)}
        # The package may be run from a checkout that is not installed.
        ours = {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "TMPDIR": str(self._scratch)}
        # Nor the file of the user's own Headgate.
        return {**kept, **ours, "HEADGATE_SETTINGS": str(self._folder / "settings.env")}

    def _log(self, name: str) -> Path:
        return self._folder / f"{name}.log"

    def log_tail(self, name: str) -> str:
        try:
            lines = self._log(name).read_text("utf-8", "replace").splitlines()
        except OSError:
            return ""
        return "\n".join(lines[-_LOG_LINES_SHOWN:])

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._running)

    def pid(self, name: str) -> int:
        return self._running[name].pid

    def kill(self, name: str) -> None:
        """End a process with SIGKILL; it is no longer expected to run."""
        process = self._running.pop(name)
        process.kill()
        process.wait()

    def wait_until(self, is_there: Callable[[], bool], name: str) -> None:
        """Wait until it is there. Raises UserError with the end of the log after five minutes."""
        began = time.monotonic()
        told = 0
        while not is_there():
            self.check()
            waited = time.monotonic() - began
            if waited > _START_SECONDS:
                raise UserError(self._failure(name, f"did not answer within {_START_SECONDS} s"))
            if waited > told + _TOLD_EVERY_SECONDS:
                told += _TOLD_EVERY_SECONDS
                self._say(f"{name} does not answer yet ({told} s); its log is {self._log(name)}.")
            time.sleep(_POLL_SECONDS)

    def check(self) -> None:
        """Measure memory and reap orphans. Raises UserError if a process has ended by itself."""
        for name, process in self._running.items():
            code = process.poll()
            if code is not None:
                raise UserError(self._failure(name, f"ended by itself (exit code {code})"))
        if time.monotonic() < self._measured_at + _MEASURE_SECONDS:
            return
        self._measured_at = time.monotonic()
        below = processes_below(os.getpid())
        self._reap(below)
        self._measure(below)

    def _failure(self, name: str, what: str) -> str:
        tail = self.log_tail(name) or "(nothing)"
        return (
            f"{name} {what}. Its last output:\n{tail}\nIf an address is in use, run the demo "
            "again; it will use other ports. To see what is missing on this machine, run "
            "`headgate doctor`."
        )

    def _reap(self, below: tuple[ProcessFacts, ...]) -> None:
        ours = {process.pid for process in self._running.values()}
        for facts in below:
            if facts.is_zombie and facts.parent == os.getpid() and facts.pid not in ours:
                reap(facts.pid)

    def _measure(self, below: tuple[ProcessFacts, ...]) -> None:
        parents = {facts.pid: facts.parent for facts in below}
        parts: dict[str, int] = {"demo": memory_bytes(os.getpid())}
        for facts in below:
            part = self._part_of(facts.pid, parents)
            parts[part] = parts.get(part, 0) + memory_bytes(facts.pid)
        total = sum(parts.values())
        if total > self.peak.total_bytes:
            self.peak = MemoryPeak(total, parts)

    def _part_of(self, pid: int, parents: Mapping[int, int]) -> str:
        """The part that a process counts for: a started one, a part of `headgate up`, or jobs."""
        roots = {process.pid: name for name, process in self._running.items()}
        line = [pid]
        while line[-1] not in roots and line[-1] in parents:
            line.append(parents[line[-1]])
        name = roots.get(line[-1], "")
        if name == "headgate" and len(line) > 1:
            return program_name(line[-2]) or name
        if name.startswith("runner") and len(line) > 1:
            return "jobs"
        return name or "jobs"

    def end(self) -> None:
        """End every process and everything that they started; a second Ctrl-C has no effect."""
        with _ignoring_signals():
            running = list(self._running.values())
            until = time.monotonic() + _STOP_SECONDS
            for process in running:
                process.terminate()
            if not _all_ended(running, time.monotonic() + _ASK_AGAIN_SECONDS):
                for process in running:
                    process.terminate()
            _all_ended(running, until)
            while left := [p for p in processes_below(os.getpid()) if not p.is_zombie]:
                for facts in left:
                    _kill(facts.pid)
                time.sleep(_POLL_SECONDS)
            for process in running:
                process.wait()
            self._running.clear()
            self._reap(processes_below(os.getpid()))


def _all_ended(running: list[subprocess.Popen[bytes]], until: float) -> bool:
    while any(process.poll() is None for process in running):
        if time.monotonic() > until:
            return False
        time.sleep(_POLL_SECONDS)
    return True


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


@contextmanager
def _ignoring_signals() -> Iterator[None]:
    before = {s: signal.signal(s, signal.SIG_IGN) for s in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, how in before.items():
            signal.signal(number, how)
