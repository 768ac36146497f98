"""What a run has come to so far, in a few words: files changed, tasks ticked, gates seen red.

Two fingerprints that are equal say that nothing moved in between. By the files' own times: of the
tree nothing is run, and the list of tasks alone is read.
"""

import contextlib
import hashlib
import os
import stat
import time
from collections.abc import Callable
from pathlib import Path

from action.harness.artefacts import ticked_of
from action.harness.leftovers import BUILT_IN
from action.order import Fingerprint
from action.sandbox.trees import Step, left_in, walk

# A tree is looked through at most so often, and so far.
EVERY_SECONDS = 10.0
_FILES_MAX = 20_000
_TASKS_BYTES_MAX = 256 * 1024


class FingerprintWatch:
    """Of one agent's tree, from now on; `red` names the gates that it saw red last."""

    def __init__(
        self,
        tree: Path,
        red: Callable[[], tuple[str, ...]],
        tasks_path: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tree = tree
        self._red = red
        self._tasks_path = tasks_path
        self._clock = clock
        # Imported with the first order of an agent: no start of the harness needs it.
        from pathspec import GitIgnoreSpec

        self._leftovers = GitIgnoreSpec.from_lines(BUILT_IN.splitlines())
        self._before = _times(tree)
        self._looked_at = clock()
        self._files, self._digest = 0, ""
        self._ticked = self._count_ticked()

    def now(self) -> Fingerprint:
        """Of a moment ago at most."""
        if self._clock() - self._looked_at >= EVERY_SECONDS:
            self._look()
            self._looked_at = self._clock()
        ticked, tasks = self._ticked
        return Fingerprint(
            files=self._files, tree=self._digest, ticked=ticked, tasks=tasks, red=self._red()
        )

    def _look(self) -> None:
        times = _times(self._tree)
        changed = [
            one for one in sorted(times.items() ^ self._before.items()) if self._is_work(one[0])
        ]
        self._files = len({path for path, _ in changed})
        said = "".join(f"{path}\0{when}\0" for path, when in changed)
        self._digest = hashlib.sha256(os.fsencode(said)).hexdigest()[:8] if changed else ""
        self._ticked = self._count_ticked()

    def _count_ticked(self) -> tuple[int, int]:
        if not self._tasks_path:
            return 0, 0
        left = left_in(self._tree, self._tasks_path, _TASKS_BYTES_MAX) or b""
        return ticked_of(left.decode("utf-8", "replace"))

    def _is_work(self, path: str) -> bool:
        return not self._leftovers.match_file(path)


def _times(tree: Path) -> dict[str, int]:
    """When each file was last written to, or its name; an agent cannot set that back."""
    found: dict[str, int] = {}
    with contextlib.suppress(OSError):
        for met in walk(tree, without=".git"):
            if met.step is not Step.FILE:
                continue
            with contextlib.suppress(OSError):
                status = os.stat(met.name, dir_fd=met.inside, follow_symlinks=False)
                if stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode):
                    found[met.path] = status.st_ctime_ns
            if len(found) >= _FILES_MAX:
                break
    return found
