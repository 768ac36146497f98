"""The folders of the mirrors, each made when it is first used and replaced when it is broken.

Refs of a mirror move only under its file lock, so that two workers never run the same fetch at once;
git adds objects safely without it. A mirror is a cache, so it is not synced to disk.
"""

import fcntl
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.adapters.git.process import CallOptions, GitProgram, TimedOut
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
# git's own thresholds for `gc --auto`: 50 packs, or 6,700 loose objects (27 in one of 256 folders).
_PACKS_MAX = 50
_LOOSE_IN_ONE_FOLDER_MAX = 27

_CHECK = CallOptions(timeout_seconds=60.0)

_MACHINE_FAILURE = re.compile(
    r"No space left|Resource temporarily unavailable|Cannot allocate memory|unable to create thread"
    r"|Read-only file system|Input/output error"
)
_BROKEN = re.compile(
    r"not a git repository|is corrupt|object file .* is empty|unable to unpack|bad object refs/"
    r"|inflate: |does not point to a valid object|packfile .* (cannot|does not)|bad signature"
    r"|index file .* is too small|missing necessary objects|unable to resolve reference"
    r"|reference broken|refusing to fetch into branch",
    re.IGNORECASE,
)

# What fsck says of objects that are missing or cannot be read, but not of those of an unusual form.
_DAMAGE = re.compile(
    r"^(missing (blob|tree|commit|tag) |broken link |(error|fatal): (?!in ))", re.MULTILINE
)
_LACKING = re.compile(r"unresolved deltas|unpack-objects failed|index-pack failed|bad object")


def is_machine_failure(complaint: str) -> bool:
    return _MACHINE_FAILURE.search(complaint) is not None


def looks_broken(complaint: str, mirror: Path) -> bool:
    """Whether git's message says that the mirror is damaged, or names a file in it."""
    if is_machine_failure(complaint):
        return False
    return f"{mirror}/" in complaint or _BROKEN.search(complaint) is not None


def lacks_objects(complaint: str) -> bool:
    """Whether a fetch failed because objects are missing: the server's pack, or ours, is not complete."""
    return _LACKING.search(complaint) is not None


@dataclass(frozen=True)
class Mirrors:
    folder: Path
    git: GitProgram

    def at(self, repository: RepositoryId) -> Path:
        """The mirror's folder; makes an empty mirror if there is none."""
        path = self._path(repository)
        if not (path / "HEAD").is_file():
            with self.locked_at(repository):
                pass
        return path

    @contextmanager
    def locked_at(self, repository: RepositoryId) -> Iterator[Path]:
        with self.locked(repository):
            if not (self._path(repository) / "HEAD").is_file():
                self.replace(repository)
            yield self._path(repository)

    @contextmanager
    def locked(self, repository: RepositoryId) -> Iterator[None]:
        """Hold the mirror's lock, against all processes and threads.

        The kernel releases it when the holder dies, and each of its git processes has a deadline.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / f"{repository}.lock").open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def tidy(self, repository: RepositoryId) -> bool:
        """Repack small packs and loose objects; False if the mirror is broken.

        Call it under the lock. A geometric repack keeps unreachable objects, so commits that are not
        pushed yet stay.
        """
        path = self._path(repository)
        packs = len(list((path / "objects" / "pack").glob("*.pack")))
        loose = len(list((path / "objects" / "17").glob("*")))
        if packs <= _PACKS_MAX and loose <= _LOOSE_IN_ONE_FOLDER_MAX:
            return True
        answer = self.git.attempt(path, ["repack", "-d", "-q", "--geometric=2"])
        return answer.code == 0 or is_machine_failure(answer.complaint)

    def is_whole(self, repository: RepositoryId) -> bool:
        """Whether every object can be read and those that refs lead to are there.

        Objects of a form that today's git would not write are the repository's own affair. A mirror
        that cannot be checked within a minute counts as whole.
        """
        check = ["fsck", "--no-dangling", "--no-progress"]
        try:
            answer = self.git.attempt(self._path(repository), check, options=_CHECK)
        except TimedOut:
            return True
        found = answer.out.decode("utf-8", errors="replace") + answer.complaint
        return answer.code == 0 or _DAMAGE.search(found) is None

    def replace(self, repository: RepositoryId) -> None:
        """Replace the mirror by an empty one. Call it under the lock.

        It is made elsewhere and renamed, so that no reader sees half a mirror.
        """
        path = self._path(repository)
        with tempfile.TemporaryDirectory(prefix=f"{repository}-", dir=self.folder) as scratch:
            made = Path(scratch, "made")
            make_bare(self.git, made)
            if path.exists():
                path.rename(Path(scratch, "broken"))
            made.rename(path)
            shutil.rmtree(Path(scratch, "broken"), ignore_errors=True)

    def _path(self, repository: RepositoryId) -> Path:
        return self.folder / f"{repository}.git"


def make_bare(git: GitProgram, path: Path) -> None:
    """An empty bare repository with our configuration and no template."""
    git.run(path, ["init", "--quiet", "--bare", "--template=", "--initial-branch=main", str(path)])
    (path / "config").write_text(_CONFIG, encoding="utf-8")
