"""Where real specs for tests are, if they are on this machine.

The folder is named by HEADGATE_SPEC_CORPUS, else it is looked for beside the repository. Tests that
need it are skipped with a sentence where it is absent; the files are not part of this repository.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import cast

_BESIDE = Path(__file__).resolve().parents[4] / "shared" / "specs"
FOLDER = Path(os.environ.get("HEADGATE_SPEC_CORPUS", str(_BESIDE)))
MISSING = f"no corpus of real specs at {FOLDER} (set HEADGATE_SPEC_CORPUS)"


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
