"""The name by which a process holds leases: the same after a restart, another's never.

A name is a file in `var` that the process keeps locked: the system gives it back when the process
dies, however it dies. Two processes of one slot, or two machines that think they have one name,
hold two files.
"""

import fcntl
import os
import secrets
import socket
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import IO

_held: dict[tuple[Path, str], str] = {}


def holder_at(var: Path, slot: str) -> str:
    """This process's name in a slot; the first one that is free, kept until the process ends."""
    if (var, slot) not in _held:
        for number in count(1):
            with _open(_file(var, slot, number)) as file:
                if _is_locked(file):
                    continue
                _held[var, slot] = _name(file, slot)
                # The lock is the open file's, and nothing ever closes this copy.
                os.dup(file.fileno())
                break
    return _held[var, slot]


def dead_holders_at(var: Path, slot: str) -> Iterator[str]:
    """The names in a slot whose processes have ended."""
    for number in count(1):
        path = _file(var, slot, number)
        if not path.exists():
            return
        with _open(path) as file:
            if not _is_locked(file):
                yield _name(file, slot)


def _file(var: Path, slot: str, number: int) -> Path:
    return var / "slots" / f"{slot}.{number}"


def _open(path: Path) -> IO[str]:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("a+")


def _is_locked(file: IO[str]) -> bool:
    """Whether another process has it; locked for us otherwise."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def _name(file: IO[str], slot: str) -> str:
    """The host for people who read logs; the file's own word, because hosts share names."""
    file.seek(0)
    if not (word := file.read().strip()):
        word = secrets.token_hex(4)
        file.write(word)
        file.flush()
    return f"{socket.gethostname()}/{slot}/{word}"
