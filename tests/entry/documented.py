"""The commands in documents: fenced blocks of `sh`, a command a line."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.entry.setup_kit import own_environment

ROOT = Path(__file__).parents[2]
PAGES = (
    "README.md",
    "SECURITY.md",
    *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs").rglob("*.md")),
)
_FENCED = re.compile(r"^ *```sh\n(.*?)^ *```", re.MULTILINE | re.DOTALL)


def commands(page: str) -> list[str]:
    """Without their comments."""
    blocks = _FENCED.findall((ROOT / page).read_text())
    lines = [line.partition("  #")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line]


def run(
    command: str, folder: Path, environment: Mapping[str, str]
) -> "subprocess.CompletedProcess[str]":
    """As a person types it, in a folder; `/srv` is below that folder."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "-c", command.replace("/srv", str(folder))],
        cwd=folder,
        env=own_environment({**environment, "PATH": path}),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
