"""Every gate gets the checkout as `setup` left it.

A gate's command runs the code that is judged. So that it cannot prepare anything for the next gate,
all that the sandbox can write is restored before each: the tree with its `.git`, the home (caches
of `setup` included), and empty temporary and output folders.
"""

import subprocess
from pathlib import Path

from action.harness.folder import OrderFolder, remove
from action.sandbox.sandbox import Sandbox

COPY_TIMEOUT_SECONDS = 1_800.0


class SavedCheckout:
    """Saved once, restored before each gate."""

    def __init__(self, folder: OrderFolder, sandbox: Sandbox) -> None:
        self._folder = folder
        self._sandbox = sandbox
        self._saved = folder.root / "saved"

    def save(self) -> None:
        """Copy the tree and the home as they are now."""
        self._saved.mkdir(mode=0o700)
        for part in (self._folder.tree, self._folder.home):
            _copy(part, self._saved / part.name)

    def restore(self) -> None:
        """Make everything that the sandbox can write as it was saved."""
        for part in (self._folder.tree, self._folder.home):
            remove(part)
            _copy(self._saved / part.name, part)
        for part in (self._folder.tmp, self._folder.out):
            self._folder.empty(part, self._sandbox)


def _copy(source: Path, target: Path) -> None:
    """Owners, times and links as they are; blocks are shared where the file system can."""
    subprocess.run(
        ["cp", "-a", "--reflink=auto", "--", str(source), str(target)],
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        timeout=COPY_TIMEOUT_SECONDS,
        check=True,
    )
