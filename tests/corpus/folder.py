"""The folder of other people's documents that `make corpus` and `make bench-plan` are given.

`index.json` lists its spec files: `file`, `path` (as in their repository), `requirements`,
`requirements_range` (optional) and `scenarios`, as a careful reader counted them. `openspec-cases.json`
beside the folder holds small projects with what the OpenSpec CLI made of them.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import cast

FOLDER = Path(os.environ.get("HEADGATE_SPEC_CORPUS") or "no-folder")
MISSING = f"No documents in {FOLDER}: say where they are by FOLDER=…"


@dataclass(frozen=True)
class RealSpec:
    """One file of the corpus with what a careful reader counted in it."""

    file: str
    path: str
    requirements: tuple[int, int]
    scenarios: int
    raw: bytes


def real_specs() -> list[RealSpec]:
    """Every file of the corpus, or none where it is absent."""
    index = FOLDER / "index.json"
    if not index.is_file():
        return []
    found = []
    for entry in cast(list[dict[str, object]], json.loads(index.read_text())):
        count = cast(int, entry["requirements"])
        low, high = cast(list[int], entry.get("requirements_range", [count, count]))
        file = cast(str, entry["file"])
        found.append(
            RealSpec(
                file,
                cast(str, entry["path"]),
                (low, high),
                cast(int, entry["scenarios"]),
                (FOLDER / file).read_bytes(),
            )
        )
    return found


def archive_cases() -> dict[str, dict[str, object]]:
    """What the OpenSpec CLI did with small inputs, or nothing where the file is absent."""
    path = FOLDER.parent / "openspec-cases.json"
    if not path.is_file():
        return {}
    return cast(dict[str, dict[str, object]], json.loads(path.read_text()))
