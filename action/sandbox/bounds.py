"""Bounds for a command as a whole: the memory of all its processes, the disk under its folders.

`Limits` bound each process. Memory as a whole is bounded by a cgroup where this machine lets us
make one; elsewhere it is looked at every second. The disk is always looked at: a quota would need
a file system that has them.
"""

import contextlib
import itertools
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from action.sandbox.trees import holds_more_than

LOOK_SECONDS = 1.0
# This much of the disk stays free for the runner, or half of what was free if that is less.
DISK_LEFT_BYTES = 1024**3
# Of the machine's memory so much is for a command: the runner and the harness need the rest.
MEMORY_SHARE = 0.85
GROUP_PREFIX = "headgate-"

_CGROUPS = Path("/sys/fs/cgroup")
_PROC = Path("/proc")
# So much shared memory that a command left is waited for, and so long.
_LEFT_BYTES, _GIVING_BACK_SECONDS = 64 * 1024**2, 2.0
# How long a group is tried to be removed while the last of its processes end.
_REMOVING_SECONDS = 3.0
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Totals:
    memory_bytes: int
    disk_bytes: int


def machine_memory() -> int:
    """What one command may take of this machine's memory."""
    return int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * MEMORY_SHARE)


class Group:
    """A cgroup for one command, version 1 or 2; the command's first process enters it itself."""

    def __init__(self, path: Path, counter: tuple[str, str]) -> None:
        self._path = path
        self._counter = counter

    @property
    def entrance(self) -> Path:
        return self._path / "cgroup.procs"

    @property
    def has_met_limit(self) -> bool:
        file, word = self._counter
        lines = (self._path / file).read_text(encoding="utf-8").splitlines()
        return any(line.startswith(f"{word} ") and line != f"{word} 0" for line in lines)

    def remove(self) -> None:
        """Once all its processes have ended, which a killed one does in its own time."""
        deadline = time.monotonic() + _REMOVING_SECONDS
        while self._path.exists() and time.monotonic() < deadline:
            try:
                self._path.rmdir()
            except OSError:
                time.sleep(0.02)


def make_group(memory_bytes: int, cgroups: Path = _CGROUPS) -> Group | None:
    """A new group under our own; None where this machine lets us make none."""
    for home, limits, counter in (
        (
            _own_group(cgroups, ""),
            {"memory.max": str(memory_bytes), "memory.swap.max": "0"},
            ("memory.events", "oom_kill"),
        ),
        (
            _own_group(cgroups / "memory", "memory"),
            {"memory.limit_in_bytes": str(memory_bytes)},
            ("memory.oom_control", "oom_kill"),
        ),
    ):
        if home is not None and (group := _made(home, limits, counter)) is not None:
            return group
    return None


def _own_group(mounted: Path, controller: str) -> Path | None:
    """Our own group's folder: of version 2 (no controller's name), or of version 1."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers.split(",") == [controller]:
                home = mounted / path.lstrip("/")
                return home if (home / "cgroup.procs").exists() else None
    return None


def _made(home: Path, limits: Mapping[str, str], counter: tuple[str, str]) -> Group | None:
    for left in home.glob(f"{GROUP_PREFIX}*"):
        # Of a harness that was killed. One that lives has groups that nothing has entered yet.
        if not (_PROC / left.name.removeprefix(GROUP_PREFIX).partition("-")[0]).exists():
            with contextlib.suppress(OSError):
                left.rmdir()
    path = home / f"{GROUP_PREFIX}{os.getpid()}-{next(_numbers)}"
    try:
        path.mkdir()
    except OSError:
        return None
    first = True
    for name, value in limits.items():
        try:
            # Not created: a file that is not there is a controller that is not ours.
            with (path / name).open("r+", encoding="utf-8") as file:
                file.write(value)
        except OSError:
            if first:
                path.rmdir()
                return None
        first = False
    return Group(path, counter)


class Watch:
    """Looks at a running command, and ends it where it takes too much. `sentence` says why."""

    def __init__(
        self, pid: int, folders: Sequence[Path], totals: Totals, group: Group | None
    ) -> None:
        self.sentence = ""
        self._pid = pid
        self._folders = folders
        self._totals = totals
        self._group = group
        self._over = threading.Event()
        self._shared_before = _shared_memory()

    @contextlib.contextmanager
    def during(self, end: Callable[[], None]) -> Iterator[None]:
        """Watch until the block ends; `end` ends the command."""
        free = [_free(folder) for folder in self._folders]
        thread = threading.Thread(target=self._look, args=(free, end), daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()
            self._ask_group()

    def _look(self, free_before: list[int], end: Callable[[], None]) -> None:
        while not self._over.wait(LOOK_SECONDS):
            self.sentence = self._disk(free_before) or self._memory()
            if self.sentence:
                end()
                return

    def _disk(self, free_before: list[int]) -> str:
        for folder, before in zip(self._folders, free_before, strict=True):
            free = _free(folder)
            if free < min(DISK_LEFT_BYTES, before // 2):
                return f"the runner's disk has only {_mib(free)} left"
            # Counted only where so much has gone, because counting takes time.
            limit = self._totals.disk_bytes
            if before - free > limit and holds_more_than(folder, limit):
                return f"its files use more than {_mib(limit)} of the disk"
        return ""

    def _memory(self) -> str:
        limit = self._totals.memory_bytes
        if self._group is not None:
            return ""
        # A process need not hold shared memory, so all that was added since counts as the command's;
        # what an earlier command left is given back only some time after its end.
        now = _shared_memory()
        self._shared_before = min(self._shared_before, now)
        shared = now - self._shared_before
        if memory_of(self._pid, limit - shared) + shared <= limit:
            return ""
        return f"its processes use more than {_mib(limit)} of memory"

    def settle(self) -> None:
        """After the end: wait for shared memory that the kernel gives back late, or the next command would
        begin with it, and could take as much more.
        """
        until = time.monotonic() + _GIVING_BACK_SECONDS
        while self._group is None and time.monotonic() < until:
            if _shared_memory() <= self._shared_before + _LEFT_BYTES:
                return
            time.sleep(0.02)

    def _ask_group(self) -> None:
        with contextlib.suppress(OSError):
            if not self.sentence and self._group is not None and self._group.has_met_limit:
                limit = _mib(self._totals.memory_bytes)
                self.sentence = f"its processes used more than {limit} of memory"


def memory_of(pid: int, enough: int = 0) -> int:
    """Memory of a process and its descendants; what they share by forking counts once, and what they
    share by files in memory not at all.

    Where the cheap upper bound is not above `enough`, that is the answer.
    """
    family = family_of(pid)
    bound = sum(_resident(one) for one in family)
    return bound if bound <= enough else sum(_proportional(one) for one in family)


def family_of(pid: int) -> list[int]:
    """The process, then those below it."""
    children: dict[int, list[int]] = {}
    for folder in _PROC.iterdir():
        if folder.name.isdecimal():
            with contextlib.suppress(OSError, ValueError, IndexError):
                said = (folder / "stat").read_text(encoding="utf-8", errors="replace")
                parent = int(said.rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(folder.name))
    family = [pid]
    for one in family:
        family += children.get(one, [])
    return family


def _resident(pid: int) -> int:
    with contextlib.suppress(OSError, IndexError):
        pages = (_PROC / str(pid) / "statm").read_text(encoding="utf-8").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _proportional(pid: int) -> int:
    with contextlib.suppress(OSError, KeyError):
        said = _kilobytes(_PROC / str(pid) / "smaps_rollup")
        return (said["Pss"] - said.get("Pss_Shmem", 0)) * 1024
    return _resident(pid)


def _shared_memory() -> int:
    """Of the machine: files in memory, mapped or not, and System V segments.

    What lies in the folders in memory that we see is not of it: a sandbox has its own, and what others
    write there is none of a command's.
    """
    with contextlib.suppress(OSError, KeyError):
        return _kilobytes(_PROC / "meminfo")["Shmem"] * 1024 - _seen_in_memory()
    return 0


def _seen_in_memory() -> int:
    """In our own mounts of this kind, each counted once."""
    rows = (line.split() for line in (_PROC / "self" / "mounts").read_text("utf-8").splitlines())
    used: dict[int, int] = {}
    for folder in (row[1] for row in rows if row[2] == "tmpfs"):
        with contextlib.suppress(OSError):
            facts = os.statvfs(folder)
            used[Path(folder).stat().st_dev] = (facts.f_blocks - facts.f_bfree) * facts.f_frsize
    return sum(used.values())


def _kilobytes(file: Path) -> dict[str, int]:
    rows = (line.split() for line in file.read_text(encoding="utf-8").splitlines())
    return {row[0].rstrip(":"): int(row[1]) for row in rows if row[2:] == ["kB"]}


def _free(folder: Path) -> int:
    facts = os.statvfs(folder)
    return facts.f_bavail * facts.f_frsize


def _mib(count: int) -> str:
    return f"{count // 1024**2} MiB"
