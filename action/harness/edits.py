"""A checkout with some files as another commit has them, or with faults in them."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from action.harness.gate_line import Place
from action.harness.git import OrderGit
from action.sandbox import sandbox as walls

_SECONDS = 60.0


@dataclass(frozen=True)
class Edits:
    """What is other than in the candidate: contents by path, and paths that are not there."""

    written: Mapping[str, bytes] = field(default_factory=dict)
    removed: Sequence[str] = ()


def as_in(git: OrderGit, sha: str, paths: Sequence[str]) -> Edits:
    """These paths as a commit has them; a symbolic link is not there."""
    there = git.regular_files(sha, paths) if paths else ()
    written = {path: git.bytes_of(f"{sha}:{path}") for path in there}
    return Edits(written, [path for path in paths if path not in written])


def edit(place: Place, layers: tuple[walls.Layer, ...], edits: Edits) -> bool:
    """Change the checkout from inside the sandbox, which no path leaves; whether that worked."""
    if not edits.written and not edits.removed:
        return True
    folder = place.folder
    lines = [f"rm -rf -- {shlex.quote('./' + path)}" for path in edits.removed]
    for number, (path, content) in enumerate(edits.written.items()):
        given = folder.given / f"edit-{number}"
        given.write_bytes(content)
        name = shlex.quote("./" + path)
        lines += [
            f"mkdir -p -- {shlex.quote('./' + str(Path(path).parent))}",
            f"if [ -L {name} ] || [ -d {name} ]; then rm -rf -- {name}; fi",
            # A file that stays keeps its mode.
            f"cat {shlex.quote(str(given))} >{name}",
        ]
    script = folder.given / "edit.sh"
    script.write_text("\n".join(("set -e", *lines, "")), errors="surrogateescape")
    command = walls.Command(("sh", str(script)), folder.tree, _SECONDS, layers=layers)
    return place.sandbox.run(command).exit_code == 0
