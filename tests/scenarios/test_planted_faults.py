"""Every planted fault is noticed by the story or adapter test that is named for it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bot
from tests.core.planted_faults import PlantedFault
from tests.scenarios.planted_faults import PLANTED_FAULTS

ROOT = Path(bot.__file__).parent.parent
_LEFT_OUT = shutil.ignore_patterns(
    "__pycache__", ".hypothesis", "node_modules", "test_planted_faults.py"
)
# Stories run everything, and localhub serves our own workflow files.
_COPIED = ("bot", "action", "gates", "tests", ".github")


@pytest.mark.parametrize("fault", PLANTED_FAULTS, ids=str)
def test_a_guard_stands_where_the_fault_is_to_be_planted(fault: PlantedFault) -> None:
    assert (ROOT / "bot" / fault.file).read_text().count(fault.guard) == 1
    assert fault.guard != fault.fault


@pytest.mark.mutants
@pytest.mark.parametrize("fault", PLANTED_FAULTS, ids=str)
def test_the_named_test_dies_of_the_fault(fault: PlantedFault, tmp_path: Path) -> None:
    for folder in _COPIED:
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=_LEFT_OUT)
    shutil.copy(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    place = tmp_path / "bot" / fault.file
    place.write_text(place.read_text().replace(fault.guard, fault.fault))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", f"tests/{fault.killer}"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    # 1 is pytest's code for failed tests; 2 to 5 would mean that the test was not even run.
    assert done.returncode == 1, done.stdout[-2_000:]
