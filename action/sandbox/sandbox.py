"""The sandbox: runs one command in isolation and leaves no process of it behind.

Every command gets namespaces of its own (about 50 ms), and everything that it started ends with it.
Only the writable folders last. One interface for bubblewrap, our own namespaces, and no isolation
at all; `choice.py` decides which. There is no network except the proxies that a command is given,
unix sockets that the harness answers.
"""

import contextlib
import marshal
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from action.order import SandboxAllowance
from action.report import SandboxKind
from action.sandbox import enter, inside
from action.sandbox.bounds import Group, Totals, Watch, machine_memory, make_group
from action.sandbox.seccomp import filter_here
from action.sandbox.view import Mount, View

ENTER = Path(enter.__file__)
INSIDE = Path(inside.__file__)
OUTPUT_TAIL_BYTES = 64_000
# One argument may be 128 KiB (MAX_ARG_STRLEN); a longer shell line belongs in a file.
SHELL_CHARACTERS_MAX = 100_000
# A killed namespace is gone at once; a program without one gets time to end its children.
ENDING_SECONDS = 5.0
# In a range that neither distributions nor systemd hand out (60578 to 61183).
SANDBOX_UID = 60_777

OnOutput = Callable[[bytes], None]


@dataclass(frozen=True)
class Limits:
    """Per command: enough for a parallel build, too little to overload the machine."""

    processes_max: int = 1_024
    file_bytes_max: int = 2 * 1024**3
    # Private writable memory of one process. Address space would be the wrong measure: V8, Go
    # and the JVM reserve terabytes that they never touch.
    memory_bytes_max: int = 8 * 1024**3
    open_files_max: int = 8_192
    # Of all processes of the command, and of all its files on the disk.
    memory_total_bytes: int = field(default_factory=machine_memory)
    disk_total_bytes: int = 20 * 1024**3

    def totals(self) -> Totals:
        return Totals(self.memory_total_bytes, self.disk_total_bytes)

    def by_name(self) -> dict[str, int]:
        return {
            "NPROC": self.processes_max,
            "FSIZE": self.file_bytes_max,
            "DATA": self.memory_bytes_max,
            "NOFILE": self.open_files_max,
            "CORE": 0,
        }


@dataclass(frozen=True)
class ProxySocket:
    """A unix socket of the harness, and the variables that name its port inside (`{port}`)."""

    socket: Path
    env: Mapping[str, str]


@dataclass(frozen=True)
class Command:
    """What to run; `env` comes on top of the sandbox's own."""

    argv: Sequence[str]
    cwd: Path
    timeout_seconds: float
    env: Mapping[str, str] = field(default_factory=dict)
    proxies: Sequence[ProxySocket] = ()
    stdin: bytes = b""
    layers: Sequence["Layer"] = ()


@dataclass(frozen=True)
class Layer:
    """A writable folder (`place`) that shows others: what a command changes goes to `upper`.

    `shown` are left as they are, the first above the next. `work` is an empty folder on the file system of
    `upper`. No path may hold `,` or `:`.
    """

    place: Path
    shown: tuple[Path, ...]
    upper: Path
    work: Path

    def in_plan(self) -> dict[str, str]:
        """As `enter` reads it."""
        shown = ":".join(str(path) for path in self.shown)
        folders = {"place": self.place, "upper": self.upper, "work": self.work}
        return {"shown": shown, **{name: str(path) for name, path in folders.items()}}


def user_inside(kind: SandboxKind) -> int | None:
    """The user that a root harness changes to; None where it is no other."""
    return SANDBOX_UID if os.geteuid() == 0 and kind is not SandboxKind.NONE else None


def shell(line: str) -> tuple[str, ...]:
    return ("bash", "-c", line)


@dataclass(frozen=True)
class CommandResult:
    """How a command ended; `exit_code` is None if it was killed or timed out."""

    exit_code: int | None
    signal: int | None
    timed_out: bool
    output_tail: str
    output_bytes: int
    seconds: float

    @property
    def is_success(self) -> bool:
        return self.exit_code == 0


def _ignore_output(_chunk: bytes) -> None:
    """For commands whose output need not be followed."""


class Sandbox:
    """Runs commands one at a time. `end` may be called from any thread, also by a signal."""

    def __init__(
        self,
        kind: SandboxKind,
        view: View,
        writable: Sequence[Mount],
        limits: Limits,
        allowed: Sequence[SandboxAllowance] = (),
    ) -> None:
        self.kind = kind
        self.uid = user_inside(kind)
        self._view = view
        self._writable = tuple(writable)
        self._limits = limits
        self._filter = filter_here(allowed) or b""
        self._lock = threading.RLock()
        self._running: subprocess.Popen[bytes] | None = None
        self._is_ended = False
        # For every command that brings none of its own.
        self.layers: tuple[Layer, ...] = ()

    def run(self, command: Command, on_output: OnOutput = _ignore_output) -> CommandResult:
        """Run to the end, or to the timeout, or until `end`; nothing of it is left afterwards."""
        started = time.monotonic()
        with (
            _as_file(command.stdin) as stdin,
            self._group() as group,
            self._start(command, stdin, group) as process,
        ):
            tail = _Tail(process, on_output)
            timed_out = False
            watch = Watch(process.pid, self._folders(), self._limits.totals(), group)
            try:
                with watch.during(lambda: self._end_process(process)):
                    _wait(process, command.timeout_seconds)
            except subprocess.TimeoutExpired:
                timed_out = True
            finally:
                self._end_process(process)
                tail.join()
                watch.settle()
                with self._lock:
                    self._running = None
        if watch.sentence:
            tail.add(f"\nheadgate: the command was stopped: {watch.sentence}.\n")
        return _result_of(process.returncode, timed_out, tail, time.monotonic() - started)

    @property
    def search_path(self) -> str:
        return self._view.env.get("PATH", "")

    def end(self) -> None:
        with self._lock:
            self._is_ended = True
        self.end_running()

    def end_running(self) -> None:
        with self._lock:
            running = self._running
        if running is not None:
            self._end_process(running)

    @contextlib.contextmanager
    def _group(self) -> Iterator[Group | None]:
        totals = self._limits.totals()
        group = None if self.kind is SandboxKind.NONE else make_group(totals.memory_bytes)
        try:
            yield group
        finally:
            if group is not None:
                group.remove()

    def _folders(self) -> list[Path]:
        return [mount.source for mount in self._writable]

    def _start(
        self, command: Command, stdin: IO[bytes], group: Group | None
    ) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._is_ended:
                raise SandboxEndedError
            self._running = subprocess.Popen(
                self._arguments(command, group),
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env={**self._view.env, **command.env},
                # The harness's own folder may be closed to the dropped user.
                cwd="/",
                start_new_session=True,
            )
            return self._running

    def _arguments(self, command: Command, group: Group | None = None) -> list[str]:
        proxies = [
            {"socket": str(proxy.socket), "env": dict(proxy.env)} for proxy in command.proxies
        ]
        plan = {
            "cwd": str(command.cwd),
            "proxies": proxies,
            "limits": self._limits.by_name(),
            "filter": self._filter,
        }
        python = [sys.executable, "-I", "-S"]
        first = [*python, str(INSIDE), _as_argument(plan), *command.argv]
        if self.kind is SandboxKind.NONE:
            return first
        binds = [*self._view.shown, *self._writable, _read_only(INSIDE)]
        binds += [_read_only(proxy.socket.parent) for proxy in command.proxies]
        entering = {
            "kind": self.kind.value,
            "uid": self.uid,
            # Parents first: a later mount may lie on an earlier one, never below it.
            "binds": [
                {"source": str(b.source), "target": str(b.target), "writable": b.writable}
                for b in sorted(binds, key=lambda bind: len(bind.target.parts))
            ],
            "links": self._view.links,
            "group": "" if group is None else str(group.entrance),
            "layers": [layer.in_plan() for layer in command.layers or self.layers],
        }
        return [*python, str(ENTER), _as_argument(entering), *first]

    def _end_process(self, process: subprocess.Popen[bytes]) -> None:
        if process.poll() is not None:
            return
        if self.kind is SandboxKind.NONE:
            # The first process ends its descendants itself; killed outright it could not.
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(ENDING_SECONDS)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _as_argument(plan: Mapping[str, object]) -> str:
    """In Python's own notation: importing `json` takes half of the time in which a Python starts."""
    return marshal.dumps(dict(plan)).hex()


def _wait(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Like `process.wait`, which sleeps up to 50 ms between two looks. Raises `TimeoutExpired`."""
    try:
        ended = os.pidfd_open(process.pid)
    except (AttributeError, OSError):
        # No such call on this system, or somebody else has waited for it.
        process.wait(seconds)
        return
    try:
        waiting = select.poll()
        waiting.register(ended, select.POLLIN)
        if not waiting.poll(seconds * 1000):
            raise subprocess.TimeoutExpired(process.args, seconds)
    finally:
        os.close(ended)
    process.wait()


class SandboxEndedError(Exception):
    """The sandbox was ended from outside; nothing more runs in it."""


class _Tail:
    def __init__(self, process: subprocess.Popen[bytes], on_output: OnOutput) -> None:
        self._process = process
        self._on_output = on_output
        self._kept = bytearray()
        self.total_bytes = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def join(self) -> None:
        self._reader.join(ENDING_SECONDS)

    def add(self, sentence: str) -> None:
        self._keep(sentence.encode())

    @property
    def text(self) -> str:
        return self._kept.decode("utf-8", "replace")

    def _read(self) -> None:
        stream = self._process.stdout
        if stream is None:
            return
        while chunk := os.read(stream.fileno(), 65_536):
            self._keep(chunk)
            self._on_output(chunk)

    def _keep(self, chunk: bytes) -> None:
        self.total_bytes += len(chunk)
        self._kept += chunk
        del self._kept[:-OUTPUT_TAIL_BYTES]


def _result_of(returncode: int, timed_out: bool, tail: _Tail, seconds: float) -> CommandResult:
    # The first process says "died of signal n" as 128 + n, because pid 1 cannot die of one.
    died_of = returncode - 128 if 128 < returncode <= 192 else None
    killed = returncode < 0 or timed_out
    return CommandResult(
        exit_code=None if killed or died_of else returncode,
        signal=-returncode if returncode < 0 else died_of,
        timed_out=timed_out,
        output_tail=tail.text,
        output_bytes=tail.total_bytes,
        seconds=seconds,
    )


@contextlib.contextmanager
def _as_file(content: bytes) -> Iterator[IO[bytes]]:
    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.seek(0)
        yield file


def _read_only(path: Path) -> Mount:
    return Mount(path, path, writable=False)
