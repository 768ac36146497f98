"""The folders of the mirrors: made on demand, one lock file each, thrown away when they are broken.

The rule: refs of a mirror are moved only under its lock, so that two workers never meet inside one
fetch; objects are only ever added, which git itself does safely. A mirror is a cache: it is not
synced to disk, and it may be deleted at any time.
"""

import fcntl
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.adapters.git.process import GitProgram
from bot.core.values.ids import RepositoryId

_CONFIG = """\
[core]
	repositoryformatversion = 0
	bare = true
	fsync = none
	logAllRefUpdates = false
	hooksPath = /dev/null
[gc]
	auto = 0
[maintenance]
	auto = false
"""
# git's own thresholds for `gc --auto`: 50 packs, or 6,700 loose objects (27 of them in one of the
# 256 folders).
_PACKS_MAX = 50
_LOOSE_IN_ONE_FOLDER_MAX = 27

_MACHINE_TROUBLE = re.compile(
    r"No space left|Resource temporarily unavailable|Cannot allocate memory|unable to create thread"
    r"|Read-only file system|Input/output error"
)
_BROKEN = re.compile(
    r"not a git repository|is corrupt|object file .* is empty|unable to unpack|bad object refs/"
    r"|inflate: |does not point to a valid object|packfile .* (cannot|does not)|bad signature"
    r"|index file .* is too small|missing necessary objects|unable to resolve reference"
    r"|reference broken",
    re.IGNORECASE,
)


def is_machine_trouble(complaint: str) -> bool:
    """Whether git's complaint is about the machine, and neither the question nor the mirror."""
    return _MACHINE_TROUBLE.search(complaint) is not None


def looks_broken(complaint: str, mirror: Path) -> bool:
    """Whether git's complaint says that the mirror itself is damaged: it names a file of it."""
    if is_machine_trouble(complaint):
        return False
    return f"{mirror}/" in complaint or _BROKEN.search(complaint) is not None


@dataclass(frozen=True)
class Mirrors:
    """All mirrors below one folder."""

    folder: Path
    git: GitProgram

    def at(self, repository: RepositoryId) -> Path:
        """The mirror's folder; an empty mirror is made where there is none."""
        path = self._path(repository)
        if not (path / "HEAD").is_file():
            with self.locked_at(repository):
                pass
        return path

    @contextmanager
    def locked_at(self, repository: RepositoryId) -> Iterator[Path]:
        """The mirror's folder, under its lock."""
        with self.locked(repository):
            if not (self._path(repository) / "HEAD").is_file():
                self._replace(repository)
            yield self._path(repository)

    def make_anew(self, repository: RepositoryId) -> None:
        """Throw the mirror away and make an empty one. Call it under the lock."""
        self._replace(repository)

    @contextmanager
    def locked(self, repository: RepositoryId) -> Iterator[None]:
        """Be the only one, in all processes and threads, that moves refs of this mirror.

        The kernel lets go when the holder dies, and each of its git processes has a deadline.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / f"{repository}.lock").open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def tidy(self, repository: RepositoryId) -> bool:
        """Pack what has piled up; False where the mirror proves broken. Call it under the lock.

        A geometric repack reads the small packs and the loose objects only, and drops nothing:
        commits that are not pushed yet stay.
        """
        path = self._path(repository)
        packs = len(list((path / "objects" / "pack").glob("*.pack")))
        loose = len(list((path / "objects" / "17").glob("*")))
        if packs <= _PACKS_MAX and loose <= _LOOSE_IN_ONE_FOLDER_MAX:
            return True
        answer = self.git.attempt(path, ["repack", "-d", "-q", "--geometric=2"])
        return answer.code == 0 or is_machine_trouble(answer.complaint)

    def _path(self, repository: RepositoryId) -> Path:
        return self.folder / f"{repository}.git"

    def _replace(self, repository: RepositoryId) -> None:
        """Made beside and renamed into place, so that nobody meets half a mirror."""
        path = self._path(repository)
        with tempfile.TemporaryDirectory(prefix=f"{repository}-", dir=self.folder) as scratch:
            made = Path(scratch, "made")
            make_bare(self.git, made)
            if path.exists():
                path.rename(Path(scratch, "broken"))
            made.rename(path)
            shutil.rmtree(Path(scratch, "broken"), ignore_errors=True)


def make_bare(git: GitProgram, path: Path) -> None:
    """An empty bare repository with our configuration and without a template."""
    git.run(path, ["init", "--quiet", "--bare", "--template=", "--initial-branch=main", str(path)])
    (path / "config").write_text(_CONFIG, encoding="utf-8")
