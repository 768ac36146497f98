"""Walks through folders that somebody hostile made: any depth, any number, any rights, any names.

No recursion and no long paths: one open folder at a time, entered and left by its descriptor. Links
are never followed.
"""

import contextlib
import os
import stat
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Step(Enum):
    FILE = auto()
    # Before it is entered; what is in it follows.
    FOLDER = auto()
    LEFT = auto()


@dataclass(frozen=True)
class Met:
    """An entry by its name in an open folder; `path` is where it lies below the walk's root."""

    step: Step
    name: str
    inside: int
    folder: str

    @property
    def path(self) -> str:
        return f"{self.folder}{self.name}"

    @property
    def disk_bytes(self) -> int:
        return os.stat(self.name, dir_fd=self.inside, follow_symlinks=False).st_blocks * 512


class MovedError(OSError):
    """A folder was moved while it was walked through."""


def walk(root: Path, without: str = "") -> Iterator[Met]:
    """Everything below a folder; what cannot be opened is passed over, and folders called `without`."""
    current = os.open(root, _FOLDER)
    # Of every folder that we are in: which it is, and the names of folders still to enter.
    above: list[tuple[tuple[int, int], list[str], str]] = []
    try:
        folders = yield from _list(current, "", without)
        while True:
            if folders:
                name = folders.pop()
                deeper = _opened(name, current)
                if deeper is None:
                    continue
                above.append((_identity(current), folders, name))
                os.close(current)
                current = deeper
                folders = yield from _list(current, _path_of(above), without)
            elif above:
                identity, folders, name = above.pop()
                parent = os.open("..", _FOLDER, dir_fd=current)
                os.close(current)
                current = parent
                if _identity(current) != identity:
                    raise MovedError(f"{name} was moved")
                yield Met(Step.LEFT, name, current, _path_of(above))
            else:
                return
    finally:
        os.close(current)


def remove(root: Path) -> None:
    """Remove a tree even where its owner took his own rights away."""
    if root.is_symlink() or not root.is_dir():
        root.unlink(missing_ok=True)
        return
    with contextlib.suppress(OSError):
        root.chmod(0o700)
    for met in walk(root):
        with contextlib.suppress(OSError):
            if met.step is Step.FILE:
                os.unlink(met.name, dir_fd=met.inside)
            elif met.step is Step.LEFT:
                os.rmdir(met.name, dir_fd=met.inside)
            elif not _may_be_emptied(met):
                os.chmod(met.name, 0o700, dir_fd=met.inside)
    with contextlib.suppress(OSError):
        root.rmdir()


def give(root: Path, uid: int) -> None:
    """Make a user the owner of a folder and of everything in it."""
    os.chown(root, uid, uid, follow_symlinks=False)
    for met in walk(root):
        if met.step is not Step.LEFT:
            os.chown(met.name, uid, uid, dir_fd=met.inside, follow_symlinks=False)


def keep_readable(root: Path) -> None:
    """Leave what a commit can hold, and readable: pipes, sockets and devices go, at which a reader would wait."""
    with contextlib.suppress(OSError):
        root.chmod(stat.S_IMODE(root.stat().st_mode) | stat.S_IRWXU)
    for met in walk(root):
        if met.step is Step.LEFT:
            continue
        with contextlib.suppress(OSError):
            mode = os.stat(met.name, dir_fd=met.inside, follow_symlinks=False).st_mode
            if stat.S_ISDIR(mode):
                _give_back(met, mode, stat.S_IRWXU)
            elif stat.S_ISREG(mode):
                _give_back(met, mode, stat.S_IRUSR)
            elif not stat.S_ISLNK(mode) or _leads_git_astray(met):
                os.unlink(met.name, dir_fd=met.inside)


def holds_more_than(root: Path, limit: int) -> bool:
    """Whether a folder takes more of the disk than this; it may change meanwhile."""
    total = 0
    with contextlib.suppress(OSError):
        for met in walk(root):
            with contextlib.suppress(OSError):
                total += met.disk_bytes if met.step is not Step.LEFT else 0
            if total > limit:
                return True
    return False


def left_in(root: Path, path: str, bytes_max: int) -> bytes | None:
    """The first bytes of a file below a folder; None where there is none, or a link on the way."""
    *folders, name = path.split("/")
    try:
        current = os.open(root, _FOLDER)
    except OSError:
        return None
    for folder in folders:
        deeper = _opened(folder, current)
        os.close(current)
        if deeper is None:
            return None
        current = deeper
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(name, flags, dir_fd=current)
    except OSError:
        return None
    finally:
        os.close(current)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    with os.fdopen(descriptor, "rb") as file:
        return file.read(bytes_max)


def _list(folder: int, path: str, without: str) -> Generator[Met, None, list[str]]:
    """Yields a folder's entries; returns the names of its folders."""
    with os.scandir(folder) as scan:
        entries = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in scan]
    kept = [(name, is_folder) for name, is_folder in entries if not is_folder or name != without]
    for name, is_folder in kept:
        yield Met(Step.FOLDER if is_folder else Step.FILE, name, folder, path)
    return [name for name, is_folder in kept if is_folder]


def _path_of(above: list[tuple[tuple[int, int], list[str], str]]) -> str:
    return "".join(f"{name}/" for _, _, name in above)


def _opened(name: str, inside: int) -> int | None:
    try:
        return os.open(name, _FOLDER, dir_fd=inside)
    except OSError:
        return None


def _identity(folder: int) -> tuple[int, int]:
    facts = os.fstat(folder)
    return facts.st_dev, facts.st_ino


def _give_back(met: Met, mode: int, rights: int) -> None:
    """Rights that the owner took from himself; a link that has come into the place is not followed."""
    if mode & rights == rights:
        return
    entry = os.open(met.name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=met.inside)
    try:
        Path(f"/proc/self/fd/{entry}").chmod(stat.S_IMODE(mode) | rights)
    finally:
        os.close(entry)


def _leads_git_astray(met: Met) -> bool:
    """A link in a `.git` to something without an end: git reads such a folder to see what it is."""
    if ".git" not in (met.name, *met.folder.split("/")):
        return False
    with contextlib.suppress(OSError):
        mode = os.stat(met.name, dir_fd=met.inside).st_mode
        return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
    return False


def _may_be_emptied(met: Met) -> bool:
    mode = os.stat(met.name, dir_fd=met.inside, follow_symlinks=False).st_mode
    return mode & stat.S_IRWXU == stat.S_IRWXU
