"""The order's own folder on the runner: made for one order, gone after it.

`tree`, `home`, `tmp` and `out` belong to the sandbox's user and are all that it can write; it can
read `given`. Once it may have written to a folder, the harness never writes through its paths.
`git` is the harness's own repository and is never shown inside, so nothing that an agent leaves in
a `.git` folder can make our git do anything.
"""

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from action.harness.git import AUTHOR_EMAIL, AUTHOR_NAME
from action.order import SandboxAllowance
from action.report import SandboxKind
from action.sandbox.sandbox import Limits, Sandbox, user_inside
from action.sandbox.trees import give, remove
from action.sandbox.view import Mount, View, system_view
from gates.line_variables import DIFF_BASE_VARIABLE, JUNIT_VARIABLE, SARIF_VARIABLE

# A unix socket's path may be 107 bytes long, and the sockets lie below this folder.
FOLDER_CHARACTERS_MAX = 70
FOLDER_PREFIX = "headgate-"
# Held by the harness while it lives.
LOCK = "lock"


# A folder for what setup made, or `off`.
LAYERS_VARIABLE = "HEADGATE_LAYERS"


@dataclass(frozen=True)
class OwnFolders:
    """Temporary and output folders of one command among several at once."""

    tmp: Path
    out: Path


@dataclass(frozen=True)
class OrderFolder:
    """`is_steady`: the next order will have the same path."""

    root: Path
    is_steady: bool = False

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
        return self.root / "given"

    @property
    def out(self) -> Path:
        return self.root / "out"

    @property
    def git(self) -> Path:
        return self.root / "git"

    def make_sandbox(
        self,
        kind: SandboxKind,
        outer: Mapping[str, str],
        also_shown: Sequence[Path] = (),
        allowed: Sequence[SandboxAllowance] = (),
        own: "OwnFolders | None" = None,
        diff_base: str = "",
    ) -> Sandbox:
        """A sandbox over this folder; `outer` is the harness's environment.

        `diff_base` is for gates' lines that an agent runs; where gates judge each line has its own.
        `own` are shown where the temporary and output folders are.
        """
        view = system_view(outer)
        variables = {
            "HOME": str(self.home),
            "TMPDIR": str(self.tmp),
            "USER": "headgate",
            "LOGNAME": "headgate",
            "SHELL": "/bin/bash",
            "CI": "true",
            JUNIT_VARIABLE: str(self.tmp / "headgate-junit.xml"),
            SARIF_VARIABLE: str(self.tmp / "headgate.sarif"),
            DIFF_BASE_VARIABLE: diff_base,
        }
        tmp, out = (own.tmp, own.out) if own else (self.tmp, self.out)
        shown = ((self.tree, self.tree), (self.home, self.home), (tmp, self.tmp), (out, self.out))
        writable = [Mount(source, target, writable=True) for source, target in shown]
        writable.append(Mount(tmp, Path("/tmp"), writable=True))  # noqa: S108
        readable = [Mount(path, path, writable=False) for path in (self.given, *also_shown)]
        readable += self._names(user_inside(kind) or os.geteuid())
        full = View((*view.shown, *readable), view.links, {**view.env, **variables})
        return Sandbox(kind, full, writable, Limits(), allowed)

    def give_to(self, sandbox: Sandbox) -> None:
        if sandbox.uid is not None:
            for folder in self._writable():
                give(folder, sandbox.uid)

    def empty(self, part: Path, sandbox: Sandbox) -> None:
        """Replace one of the sandbox's folders by an empty one."""
        remove(part)
        part.mkdir(mode=0o700)
        if sandbox.uid is not None:
            give(part, sandbox.uid)

    def _names(self, uid: int) -> list[Mount]:
        """Who there is inside: files of /etc of the sandbox's own, git's included."""
        gid = os.getegid() if uid == os.geteuid() else uid
        etc = self.root / "etc"
        etc.mkdir(mode=0o755, exist_ok=True)
        texts = {
            "passwd": f"root:x:0:0:root:/root:/bin/sh\nheadgate:x:{uid}:{gid}:Headgate:{self.home}:"
            "/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n",
            "group": f"root:x:0:\nheadgate:x:{gid}:\nnogroup:x:65534:\n",
            "gitconfig": f"[user]\n\tname = {AUTHOR_NAME}\n\temail = {AUTHOR_EMAIL}\n",
        }
        for name, text in texts.items():
            (etc / name).write_text(text, encoding="utf-8")
            (etc / name).chmod(0o644)
        return [Mount(etc / name, Path("/etc", name), writable=False) for name in texts]

    def _writable(self) -> tuple[Path, ...]:
        return (self.tree, self.home, self.tmp, self.out)


def layers_folder(outer: Mapping[str, str]) -> Path | None:
    """Where this runner keeps layers; None: it keeps none."""
    said = outer.get(LAYERS_VARIABLE, "")
    if said == "off" or not (said or outer.get("HOME")):
        return None
    place = Path(said) if said else Path(outer["HOME"], ".cache", "headgate", "layers")
    # Options of an overlay cannot name other paths.
    if set(",:") & set(str(place)) or not place.is_absolute():
        return None
    return place


@contextlib.contextmanager
def order_folder(outer: Mapping[str, str]) -> Iterator[OrderFolder]:
    """A fresh folder below the runner's temporary one, removed whatever happens."""
    parent = outer.get("RUNNER_TEMP") or None
    if parent is not None and len(parent) > FOLDER_CHARACTERS_MAX:
        parent = None
    remove_abandoned(Path(parent or tempfile.gettempdir()))
    if layers_folder(outer) is None:
        yield from _in_place(OrderFolder(_new_place(parent)))
        return
    with _steady_place(Path(parent or tempfile.gettempdir())) as steady:
        folder = OrderFolder(steady or _new_place(parent), is_steady=steady is not None)
        yield from _in_place(folder)


def _new_place(parent: str | None) -> Path:
    return Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX, dir=parent))


def _in_place(folder: OrderFolder) -> Iterator[OrderFolder]:
    # Closed when this process ends, however it ends. Nobody sees it before it is locked.
    unlocked = folder.root / f"{LOCK}.new"
    lock = os.open(unlocked, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        unlocked.rename(folder.root / LOCK)
        for part in (folder.tree, folder.home, folder.tmp, folder.out, folder.git):
            part.mkdir(mode=0o700)
        folder.given.mkdir(mode=0o755)
        yield folder
    finally:
        remove(folder.root)
        os.close(lock)


@contextlib.contextmanager
def _steady_place(parent: Path) -> Iterator[Path | None]:
    """The same folder for one order after the other; None where another order has it, or nobody may.

    What setup installs remembers its path, so a layer fits where its tree was.
    """
    place = parent / f"{FOLDER_PREFIX}{os.geteuid()}"
    try:
        flags = os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC
        held = os.open(place.with_suffix(".lock"), flags, 0o600)
    except OSError:
        yield None
        return
    try:
        yield place if _is_taken(held, place) else None
    finally:
        os.close(held)


def _is_taken(lock: int, place: Path) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if place.is_dir() and not place.is_symlink() and place.lstat().st_uid == os.geteuid():
            # Left by an order that was killed.
            remove(place)
        place.mkdir(mode=0o700)
    except OSError:
        return False
    return True


def remove_abandoned(parent: Path) -> None:
    """Remove the folders of harnesses of this user that were killed, whose locks are free."""
    for left in parent.glob(f"{FOLDER_PREFIX}*"):
        with contextlib.suppress(OSError):
            lock = os.open(left / LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.fstat(lock).st_uid == os.geteuid():
                    remove(left)
            finally:
                os.close(lock)
