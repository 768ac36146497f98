"""Archives one project twice: by OpenSpec's own library and by `headgate spec archive`.

The library runs in one Node process that answers line by line; ours runs in this process on a real
folder. The exit code and every file's bytes are compared.
"""

import base64
import contextlib
import io
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from bot.entry.commands.spec_archive import archive_delta
from tests.contract.foreign import NODE, NODE_PROGRAM

Files = Mapping[str, bytes]


@dataclass(frozen=True)
class Archived:
    """The exit code, the files afterwards, and the output."""

    code: int
    files: dict[str, bytes]
    said: str


class OpenSpec:
    """OpenSpec's archive in a Node process of its own."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def archive(self, name: str, files: Files) -> Archived:
        """The library's result for a project."""
        asked = {
            "name": name,
            "files": {path: base64.b64encode(raw).decode() for path, raw in files.items()},
        }
        if self._process.stdin is None or self._process.stdout is None:
            raise AssertionError("the process was started without pipes")
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise AssertionError("OpenSpec's process has ended")
        answer = cast(dict[str, object], json.loads(line))
        found = cast(dict[str, str], answer["files"])
        return Archived(
            code=cast(int, answer["code"]),
            files={path: base64.b64decode(raw) for path, raw in found.items()},
            said=cast(str, answer["said"]),
        )


@contextmanager
def openspec() -> Iterator[OpenSpec]:
    """Starts OpenSpec's library."""
    with tempfile.TemporaryDirectory() as home:
        environment = {"PATH": os.environ["PATH"], "HOME": home, "TMPDIR": home}
        environment |= {"TZ": "UTC", "NO_COLOR": "1", "CI": "1", "OPENSPEC_TELEMETRY": "0"}
        with subprocess.Popen(
            [NODE_PROGRAM, "openspec_archive.mjs"],
            cwd=NODE,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                yield OpenSpec(process)
            finally:
                if process.stdin is not None:
                    process.stdin.close()
                process.wait(20)


def headgate(name: str, files: Files) -> Archived:
    """The result of `headgate spec archive NAME --root DIR`."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        lay(root, files)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            code = archive_delta(name, root, False)
        return Archived(code, found_in(root), said.getvalue())


def lay(root: Path, files: Files) -> None:
    """Write the files of a project."""
    for path, raw in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(raw)


def found_in(root: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        p.relative_to(root).as_posix(): p.read_bytes()
        for p in sorted(root.rglob("*"))
        if p.is_file()
    }
