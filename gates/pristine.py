"""The checkout's files compared with the commit: refused if they differ, restored between gates.

Tracked files are compared by content through an index of our own, so no flag in the checkout's
index hides a difference. Untracked files of a policy's setup stay; what a gate adds is removed.
Changes to those files, or outside of the checkout, take a sandbox per gate to undo.
"""

import os
import shutil
from pathlib import Path

from gates.plumbing import CheckoutError, Plumbing
from gates.wording import counted, shown_path


class PristineFiles:
    """The tracked files as the commit has them, and the untracked ones of the start."""

    def __init__(self, plumbing: Plumbing) -> None:
        """Raises `CheckoutError` where a tracked file is not what the commit says."""
        self._plumbing = plumbing
        self._plumbing.ask_files("read-tree", plumbing.head_sha)
        different = self._different()
        if different:
            listed = ", ".join(shown_path(os.fsdecode(path)) for path in different[:5])
            raise CheckoutError(
                f"The checkout is dirty: {counted(len(different), 'tracked file')} not as in "
                f"{plumbing.head_sha[:12]} ({listed}). Judge a clean checkout."
            )
        self._beside = self._untracked()

    def restore(self) -> None:
        """Restore the files. Raises `CheckoutError` if that is not possible."""
        try:
            for path in self._untracked() - self._beside:
                _remove(self._plumbing.checkout / os.fsdecode(path))
            if self._different():
                self._plumbing.ask_files("checkout-index", "--force", "--all", "--quiet")
        except OSError as error:
            raise CheckoutError(f"The files cannot be restored: {error.strerror}.") from error
        if self._different():
            raise CheckoutError("The files cannot be restored to what the commit says.")

    def _different(self) -> list[bytes]:
        # Quiet refreshing compares contents and exits with 0; diff-files then says what differs.
        self._plumbing.ask_files(
            "update-index", "-q", "--really-refresh", "--ignore-submodules", "--ignore-missing"
        )
        said = self._plumbing.ask_files(
            "diff-files", "--name-only", "-z", "--ignore-submodules=all"
        )
        return [path for path in said.split(b"\0") if path]

    def _untracked(self) -> frozenset[bytes]:
        said = self._plumbing.ask_files("ls-files", "--others", "-z")
        return frozenset(path for path in said.split(b"\0") if path)


def _remove(path: Path) -> None:
    # A link is removed, never followed: it may point anywhere.
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
