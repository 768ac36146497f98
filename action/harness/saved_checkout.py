"""Every gate gets the checkout as `setup` left it.

A gate's command runs the code that is judged. So that it cannot prepare anything for the next gate, what
it changes of the tree (with its `.git`) and of the home (caches of `setup` included) goes to a layer of its
own, and its temporary and output folders are empty. Where the kernel has no overlays for us, tree and
home are copied and restored instead.
"""

import shutil
import subprocess
from pathlib import Path

from action.harness.folder import OrderFolder, OwnFolders
from action.report import SandboxKind
from action.sandbox.sandbox import Command, Layer, Sandbox
from action.sandbox.trees import remove

COPY_TIMEOUT_SECONDS = 1_800.0
_PROBE = ".headgate-probe"
_PROBE_SECONDS = 20.0


class SavedCheckout:
    """Saved once, fresh for each gate. `below` has a tree and a home that are shown, too."""

    def __init__(self, folder: OrderFolder, sandbox: Sandbox, below: Path | None = None) -> None:
        self._folder = folder
        self._sandbox = sandbox
        self._saved = folder.root / "saved"
        self._own = OwnFolders(folder.tmp, folder.out)
        self._below = below
        self._layers: tuple[Layer, ...] = ()
        self.is_layered = False

    def beside(self, sandbox: Sandbox, own: OwnFolders) -> "SavedCheckout":
        """The same checkout for commands of another sandbox, at the same time."""
        other = SavedCheckout(self._folder, sandbox, self._below)
        other._saved = own.tmp.parent / "saved"
        other._saved.mkdir(mode=0o700)
        other._own = own
        other.is_layered = self.is_layered
        return other

    def save(self) -> None:
        """Keep the tree and the home as they are now."""
        self._saved.mkdir(mode=0o700)
        self.is_layered = self._below is not None or can_be_layered(self._folder, self._sandbox)
        if not self.is_layered:
            for part in parts(self._folder):
                _copy(part, self._saved / part.name)

    def refresh(self) -> tuple[Layer, ...]:
        """All that the sandbox can write is as it was saved, for a command with these layers."""
        if self.is_layered:
            self._layers = tuple(self._new_layer(part) for part in parts(self._folder))
        else:
            for part in parts(self._folder):
                remove(part)
                _copy(self._saved / part.name, part)
        for part in (self._own.tmp, self._own.out):
            self._folder.empty(part, self._sandbox)
        return self._layers

    @property
    def out(self) -> Path:
        """Where the command's output folder is outside of the sandbox."""
        return self._own.out

    @property
    def written(self) -> Path:
        """Where files of the tree are that the command wrote, perhaps among others."""
        return self._layers[0].upper if self._layers else self._folder.tree

    def _new_layer(self, part: Path) -> Layer:
        below = () if self._below is None else (self._below / part.name,)
        return new_layer(part, below, self._saved / part.name, self._sandbox)


def parts(folder: OrderFolder) -> tuple[Path, Path]:
    """What a gate finds as setup left it."""
    return (folder.tree, folder.home)


def new_layer(part: Path, below: tuple[Path, ...], place: Path, sandbox: Sandbox) -> Layer:
    remove(place)
    layer = Layer(part, (part, *below), place / "upper", place / "work")
    for new in (place, layer.upper, layer.work):
        new.mkdir(mode=0o700)
    if sandbox.uid is not None:
        shutil.chown(layer.upper, sandbox.uid, sandbox.uid)
    # The layer's top folder stands for the part's own.
    layer.upper.chmod(part.stat().st_mode & 0o777)
    return layer


def can_be_layered(folder: OrderFolder, sandbox: Sandbox) -> bool:
    """Whether a command writes into a layer on this machine, and not into what is below."""
    if sandbox.kind is SandboxKind.NONE or set(",:") & set(str(folder.root)):
        return False
    place = folder.root / "probe"
    layer = new_layer(folder.home, (), place, sandbox)
    probe = ("touch", str(folder.home / _PROBE))
    sandbox.run(Command(probe, Path("/"), _PROBE_SECONDS, layers=(layer,)))
    is_layered = (layer.upper / _PROBE).exists() and not (folder.home / _PROBE).exists()
    remove(place)
    (folder.home / _PROBE).unlink(missing_ok=True)
    return is_layered


def _copy(source: Path, target: Path) -> None:
    """Owners, times and links as they are; blocks are shared where the file system can."""
    subprocess.run(
        ["cp", "-a", "--reflink=auto", "--", str(source), str(target)],
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        timeout=COPY_TIMEOUT_SECONDS,
        check=True,
    )
