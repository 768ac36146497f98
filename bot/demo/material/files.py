"""The demo's files, read from the package wherever it is installed.

Paths are relative to the root of the demo's repository, in a fixed order.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

# Hidden entries that belong to the material; any other is what a tool left behind.
_HIDDEN = frozenset({".github", ".gitignore", ".openspec.yaml"})


@dataclass(frozen=True)
class MaterialFile:
    path: str
    content: bytes


def seed_files() -> tuple[MaterialFile, ...]:
    """The repository before the spec: its first commit."""
    return tuple(_files_below(files(__package__) / "seed", ""))


def neutral_files() -> tuple[MaterialFile, ...]:
    """The almost empty repository for a spec that is not the demo's own."""
    return tuple(_files_below(files(__package__) / "neutral", ""))


def spec_files() -> tuple[MaterialFile, ...]:
    """The delta folder that a person commits for Headgate to plan."""
    return tuple(_files_below(files(__package__) / "spec", ""))


def script_text() -> str:
    """The scripted model's script; `model_server.script.parse_script` reads it."""
    return (files(__package__) / "script.yaml").read_text(encoding="utf-8")


def _files_below(folder: Traversable, prefix: str) -> Iterator[MaterialFile]:
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        if entry.name == "__pycache__" or (entry.name[0] == "." and entry.name not in _HIDDEN):
            continue
        if entry.is_dir():
            yield from _files_below(entry, f"{prefix}{entry.name}/")
        else:
            yield MaterialFile(f"{prefix}{entry.name}", entry.read_bytes())
