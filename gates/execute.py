"""Runs one command and says how it ended.

The command has a process group, a time limit and a bounded memory of its output; when it ends, so
does everything that it started. `command_gate.py` says what an exit code means.
"""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from gates.descendants import end_descendants_on_exit, end_group
from gates.wording import log_tail

# Four bytes a character and as much again for terminal sequences that are stripped.
CAPTURE_BYTES_MAX = 128 * 1024
# What a test runner gets to write its report after SIGTERM.
GRACE_SECONDS = 3.0
PROGRESS_EVERY_SECONDS = 5.0

_READ_BYTES = 64 * 1024

Progress = Callable[[str], None]


class CommandEnd(StrEnum):
    EXITED = "exited"
    SIGNALLED = "signalled"
    TIMED_OUT = "timed_out"
    NOT_STARTED = "not_started"


@dataclass(frozen=True)
class Command:
    """A shell line and where it runs; `environment` is all the environment it gets."""

    name: str
    line: str
    folder: Path
    environment: Mapping[str, str]
    timeout_seconds: float


@dataclass(frozen=True)
class CommandOutcome:
    """How a command ended; `exit_code` only where it exited, `reason` where it did not."""

    end: CommandEnd
    exit_code: int | None
    reason: str
    seconds: float
    log_tail: str


def run_command(command: Command, on_progress: Progress) -> CommandOutcome:
    """Run a command until it and all that it has started have ended.

    The shell stops at the first line that fails (`-e`) and, where it is bash, at the first part
    of a pipe (`pipefail`): a gate of two lines does not pass by its second.
    """
    if not command.folder.is_dir():
        return _not_started(f"the folder {command.folder} does not exist")
    started = time.monotonic()
    # Also left by an exception, even during the start: stopping this program stops its command.
    with end_descendants_on_exit():
        try:
            process = subprocess.Popen(
                [*_shell(), "-c", command.line],
                cwd=command.folder,
                env=dict(command.environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            return _not_started(error.strerror or str(error))
        except ValueError as error:
            return _not_started(str(error))
        output = _Output(process)
        in_time = _wait(process, command, output, on_progress)
        if not in_time:
            end_group(process.pid, signal.SIGTERM)
            _wait_quietly(process, GRACE_SECONDS)
        end_group(process.pid, signal.SIGKILL)
        process.wait()
    tail = output.finish()
    seconds = round(time.monotonic() - started, 3)
    if not in_time:
        reason = f"ran longer than {command.timeout_seconds:g} s"
        return CommandOutcome(CommandEnd.TIMED_OUT, None, reason, seconds, tail)
    if process.returncode < 0:
        reason = _signal_name(-process.returncode)
        return CommandOutcome(CommandEnd.SIGNALLED, None, reason, seconds, tail)
    return CommandOutcome(CommandEnd.EXITED, process.returncode, "", seconds, tail)


class _Output:
    """Drains a pipe to its end in a thread of its own and remembers the last of it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None  # noqa: S101 (opened as a pipe by the caller)
        self._pipe = process.stdout
        self._kept = bytearray()
        self._lock = threading.Lock()
        self.bytes_seen = 0
        self._thread = threading.Thread(target=self._drain, daemon=True)
        self._thread.start()

    def finish(self) -> str:
        """The tail; waits for the pipe's end, which comes when the last writer is gone."""
        self._thread.join(GRACE_SECONDS)
        if not self._thread.is_alive():
            self._pipe.close()
        with self._lock:
            return log_tail(bytes(self._kept), self.bytes_seen - len(self._kept))

    def _drain(self) -> None:
        while chunk := os.read(self._pipe.fileno(), _READ_BYTES):
            with self._lock:
                self.bytes_seen += len(chunk)
                self._kept += chunk
                del self._kept[:-CAPTURE_BYTES_MAX]


def _wait(
    process: subprocess.Popen[bytes], command: Command, output: _Output, on_progress: Progress
) -> bool:
    started = time.monotonic()
    deadline = started + command.timeout_seconds
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        if _wait_quietly(process, min(left, PROGRESS_EVERY_SECONDS)):
            return True
        seconds = time.monotonic() - started
        on_progress(f"{command.name} runs for {seconds:.0f} s, {output.bytes_seen:,} bytes of log")


def _wait_quietly(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Wait for the end; True if it came. The process stays unreaped where it did not."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def _shell() -> list[str]:
    for bash in ("/bin/bash", "/usr/bin/bash"):
        if Path(bash).exists():
            return [bash, "--noprofile", "--norc", "-e", "-o", "pipefail"]
    return ["/bin/sh", "-e"]


def _not_started(reason: str) -> CommandOutcome:
    return CommandOutcome(CommandEnd.NOT_STARTED, None, reason, 0.0, "")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
