"""A gate's shell line, and how it ended; `command_gate.py` says what an exit code means."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class CommandEnd(StrEnum):
    EXITED = "exited"
    TIMED_OUT = "timed_out"
    NOT_STARTED = "not_started"


@dataclass(frozen=True)
class Command:
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


def gate_shell() -> list[str]:
    """The shell of gates, as arguments.

    It stops at the first line that fails (`-e`) and, where it is bash, at the first part of a pipe (`pipefail`):
    a gate of two lines does not pass by its second.
    """
    for bash in ("/bin/bash", "/usr/bin/bash"):
        if Path(bash).exists():
            return [bash, "--noprofile", "--norc", "-e", "-o", "pipefail"]
    return ["/bin/sh", "-e"]
