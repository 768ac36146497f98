"""The order's own folder on the runner: made for one order, gone after it.

`tree`, `home`, `tmp` and `out` belong to the sandbox's user and are all that it can write; it can
read `given`. Once it may have written to a folder, the harness never writes through its paths.
`git` is the harness's own repository and is never shown inside, so nothing that an agent leaves in
a `.git` folder can make our git do anything.
"""

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from action.report import SandboxKind
from action.sandbox.sandbox import Limits, Sandbox
from action.sandbox.view import Mount, View, system_view

# A unix socket's path may be 107 bytes long, and the sockets lie below this folder.
FOLDER_CHARACTERS_MAX = 70


@dataclass(frozen=True)
class OrderFolder:
    root: Path

    @property
    def tree(self) -> Path:
        return self.root / "tree"

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def tmp(self) -> Path:
        return self.root / "tmp"

    @property
    def given(self) -> Path:
        """What the sandbox may read and not write."""
        return self.root / "given"

    @property
    def out(self) -> Path:
        """Where gates write their report."""
        return self.root / "out"

    @property
    def git(self) -> Path:
        """The harness's own git directory."""
        return self.root / "git"

    def make_sandbox(
        self, kind: SandboxKind, outer: Mapping[str, str], also_shown: Sequence[Path] = ()
    ) -> Sandbox:
        """A sandbox over this folder; `outer` is the harness's environment."""
        view = system_view(outer)
        own = {
            "HOME": str(self.home),
            "TMPDIR": str(self.tmp),
            "USER": "headgate",
            "LOGNAME": "headgate",
            "SHELL": "/bin/bash",
            "CI": "true",
        }
        writable = [Mount(path, path, writable=True) for path in self._writable()]
        writable.append(Mount(self.tmp, Path("/tmp"), writable=True))  # noqa: S108
        readable = [Mount(path, path, writable=False) for path in (self.given, *also_shown)]
        full = View((*view.shown, *readable), view.links, {**view.env, **own})
        return Sandbox(kind, full, writable, Limits())

    def give_to(self, sandbox: Sandbox) -> None:
        """Make the sandbox's user the owner of what it may write."""
        if sandbox.uid is not None:
            for folder in self._writable():
                _give(folder, sandbox.uid)

    def empty(self, part: Path, sandbox: Sandbox) -> None:
        """Replace one of the sandbox's folders by an empty one."""
        remove(part)
        part.mkdir(mode=0o700)
        if sandbox.uid is not None:
            _give(part, sandbox.uid)

    def _writable(self) -> tuple[Path, ...]:
        return (self.tree, self.home, self.tmp, self.out)


@contextlib.contextmanager
def order_folder(outer: Mapping[str, str]) -> Iterator[OrderFolder]:
    """A fresh folder below the runner's temporary one, removed whatever happens."""
    parent = outer.get("RUNNER_TEMP") or None
    if parent is not None and len(parent) > FOLDER_CHARACTERS_MAX:
        parent = None
    root = Path(tempfile.mkdtemp(prefix="headgate-", dir=parent))
    folder = OrderFolder(root)
    try:
        for part in (folder.tree, folder.home, folder.tmp, folder.out, folder.git):
            part.mkdir(mode=0o700)
        folder.given.mkdir(mode=0o755)
        yield folder
    finally:
        remove(root)


def remove(root: Path) -> None:
    """Remove a tree even where its owner took his own rights away; links are not followed."""
    if root.is_symlink() or not root.is_dir():
        root.unlink(missing_ok=True)
        return
    for current, folders, _files in os.walk(root):
        for path in (Path(current, name) for name in folders):
            mode = path.lstat().st_mode
            if stat.S_ISDIR(mode) and mode & stat.S_IRWXU != stat.S_IRWXU:
                path.chmod(0o700)
    shutil.rmtree(root, ignore_errors=True)


def _give(folder: Path, uid: int) -> None:
    os.chown(folder, uid, uid, follow_symlinks=False)
    for current, folders, files in os.walk(folder):
        for name in (*folders, *files):
            os.chown(Path(current, name), uid, uid, follow_symlinks=False)
