"""Finds the JUnit files that one run of a gate has written, and no older ones.

A report that is in the tree from the start proves nothing about this run, so unchanged files are
left out. Only regular files below the checkout are opened, up to a size. `junit.py` reads them.
"""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from gates.evidence import UnreadableReportError

# Surefire and Gradle write a file per test class.
FILES_MAX = 2_000
# Parsed, a report takes about ten times its size.
BYTES_MAX = 16 * 1024 * 1024

_Stamp = tuple[int, int, int, int]


@dataclass(frozen=True)
class ReportFiles:
    checkout: Path
    own_file: Path
    glob: str | None

    def stamps(self) -> dict[Path, _Stamp]:
        """The files before the gate runs; a change of content always changes the stamp.

        Raises `UnreadableReportError` where the glob leaves the checkout or cannot be read.
        """
        return {path: _stamp(path) for path in self._matches()}

    def written_since(self, before: dict[Path, _Stamp]) -> list[bytes]:
        """The reports that are new or changed. Raises `UnreadableReportError`, also beyond the caps."""
        paths = [path for path in self._matches() if before.get(path) != _stamp(path)]
        if os.path.lexists(self.own_file):
            paths.append(self.own_file)
        reports = []
        left = BYTES_MAX
        for path in paths:
            report = read_regular(path, left)
            left -= len(report)
            reports.append(report)
        return reports

    def _matches(self) -> list[Path]:
        if self.glob is None:
            return []
        if self.glob.startswith("/") or ".." in self.glob.split("/"):
            raise UnreadableReportError(f"the pattern {self.glob!r} points outside the checkout")
        try:
            matches: list[Path] = []
            for path in self.checkout.glob(self.glob):
                if len(matches) == FILES_MAX:
                    raise UnreadableReportError(
                        f"more than {FILES_MAX:,} files match {self.glob!r}"
                    )
                matches.append(path)
        except (ValueError, NotImplementedError, OSError, RecursionError) as error:
            reason = f"the pattern {self.glob!r} cannot be searched ({error})"
            raise UnreadableReportError(reason) from error
        return sorted(path for path in matches if self._is_below(path))

    def _is_below(self, path: Path) -> bool:
        return path.is_file() and path.resolve().is_relative_to(self.checkout)


def _stamp(path: Path) -> _Stamp:
    # The change time cannot be set by a program, unlike the modification time.
    found = path.lstat()
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def read_regular(path: Path, bytes_max: int) -> bytes:
    """A file that code under judgement wrote. Raises `UnreadableReportError` for anything else."""
    try:
        # Opened without blocking and without following: a pipe or a link is not a report.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise UnreadableReportError(f"{path.name} cannot be opened ({error.strerror})") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UnreadableReportError(f"{path.name} is not a regular file")
    with os.fdopen(descriptor, "rb") as file:
        report = file.read(bytes_max + 1)
    if len(report) > bytes_max:
        raise UnreadableReportError(f"the reports are larger than {BYTES_MAX:,} bytes together")
    return report
