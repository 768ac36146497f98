"""What setup made, kept for later orders of this runner: a layer below their checkouts.

A layer is named by all that setup could read, is written once, by an order whose setup ran on main's
tree, and is only ever mounted below a writable layer. Nothing inside a sandbox can write to the store.
"""

import contextlib
import hashlib
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from action.harness.folder import OrderFolder
from action.harness.git import OrderGit
from action.order import AgentOrder, GateOrder
from action.sandbox.sandbox import Sandbox
from action.sandbox.trees import give, remove
from gates.setup_files import is_known_install, is_setup_file, named_paths

# No order lasts so long: what was not used since is below nobody's checkout.
UNUSED_SECONDS = 7 * 86_400.0
_COPY_SECONDS = 1_800.0


@dataclass(frozen=True)
class KeptLayer:
    """`tree` and `home` are shown below an order's own; `made` are the paths that setup made."""

    folder: Path
    made: tuple[str, ...]
    exclude: str


class LayerStore:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, key: str) -> KeptLayer | None:
        """The layer of a key, from now on used again."""
        place = self._folder / key
        try:
            facts = json.loads((place / "facts.json").read_text(encoding="utf-8"))
            os.utime(place)
        except (OSError, ValueError):
            return None
        return KeptLayer(place, tuple(facts["made"]), facts["exclude"])

    def keep(self, key: str, folder: OrderFolder, git: OrderGit, sandbox: Sandbox) -> KeptLayer:
        """Move what setup made out of the order's tree and home into a layer of its own."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._forget_unused()
        made = git.beside()
        new = Path(tempfile.mkdtemp(prefix="new-", dir=self._folder))
        for part in ("tree", "home"):
            (new / part).mkdir(mode=0o700)
        for path in made:
            name = path.removesuffix("/")
            (new / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
            _move(folder.tree / name, new / "tree" / name)
        for entry in tuple(folder.home.iterdir()):
            _move(entry, new / "home" / entry.name)
        if sandbox.uid is not None:
            give(new, sandbox.uid)
        exclude = git.excluded()
        facts = json.dumps({"made": made, "exclude": exclude})
        (new / "facts.json").write_text(facts, encoding="utf-8")
        place = self._folder / key
        remove(place)
        return KeptLayer(new.rename(place), made, exclude)

    def _forget_unused(self) -> None:
        for place in tuple(self._folder.iterdir()):
            with contextlib.suppress(OSError):
                if time.time() - place.lstat().st_mtime > UNUSED_SECONDS:
                    remove(place)


def key_of(
    order: AgentOrder | GateOrder,
    folder: OrderFolder,
    git: OrderGit,
    sandbox: Sandbox,
    environment: Mapping[str, str],
) -> str | None:
    """Names all that setup can read; None where it does not run on main's tree."""
    if not order.setup or not order.setup_sha:
        return None
    lines = [line.run for line in order.setup]
    files = git.entries_of(order.setup_sha)
    packages = (git.text_of(sha) for path, sha in files.items() if path.endswith("package.json"))
    if is_known_install(lines) and not any('"scripts"' in text for text in packages):
        named = named_paths(lines)
        files = {path: sha for path, sha in files.items() if is_setup_file(path) or path in named}
    system = Path("/etc/os-release")
    known: Sequence[object] = (
        lines,
        sorted(files.items()),
        order.repository,
        order.egress_hosts,
        _given(order, environment),
        # Programs remember where they were installed.
        str(folder.tree),
        sandbox.uid,
        sandbox.search_path,
        system.read_text(encoding="utf-8") if system.exists() else "",
        (platform.machine(), sys.version),
    )
    return hashlib.sha256(json.dumps(known).encode()).hexdigest()


def _given(order: AgentOrder | GateOrder, environment: Mapping[str, str]) -> list[str]:
    """What setup gets of the runner's environment; only a hash of it is written down."""
    named = order.environment
    files = (f"{path} {_changed_at(Path(path))}" for path in named.ca_files)
    return [*(f"{name}={environment.get(name, '')}" for name in named.variables), *files]


def _changed_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _move(source: Path, target: Path) -> None:
    try:
        source.rename(target)
    except OSError:
        # On another file system: owners, times and links as they are.
        subprocess.run(
            ["cp", "-a", "--", str(source), str(target)],
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            timeout=_COPY_SECONDS,
            check=True,
        )
        remove(source)
