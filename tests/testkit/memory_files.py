"""Where the tests' temporary files are: in memory, if the machine has a place for that.

Databases and git wait for the disk at every commit and push: on a disk a story waits longer than it
works. Each test removes its own files, so that little is there at a time.
"""

import os
import shutil
import tempfile
from pathlib import Path

_IN_MEMORY = Path("/dev/shm")  # noqa: S108 - every Linux has it
# A story takes some 4 MiB, a worker's PostgreSQL more. A container often has 64 MiB here.
_FREE_BYTES_MIN = 2 * 1024**3


def keep_files_in_memory() -> None:
    """For this process and those that it starts, unless TMPDIR says where files are to be."""
    if "TMPDIR" not in os.environ and _is_suitable(_IN_MEMORY):
        os.environ["TMPDIR"] = tempfile.tempdir = str(_IN_MEMORY)


def _is_suitable(folder: Path) -> bool:
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        return False
    # Gates and fake programs are files that are run.
    is_for_programs = not os.statvfs(folder).f_flag & os.ST_NOEXEC
    return is_for_programs and shutil.disk_usage(folder).free >= _FREE_BYTES_MIN
