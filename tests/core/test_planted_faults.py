"""Every planted fault is noticed by the test that is named for it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bot
from tests.core.planted_faults import PLANTED_FAULTS, PlantedFault
from tests.core.planted_faults_of_specs import SPEC_FAULTS

_FAULTS = [*PLANTED_FAULTS, *SPEC_FAULTS]
ROOT = Path(bot.__file__).parent.parent
_LEFT_OUT = shutil.ignore_patterns(
    "__pycache__", ".hypothesis", "test_planted_faults.py", "localhub", "demo_material"
)
_COPIED = ("bot", "action", "gates", "tests/core", "tests/adapters_store")


@pytest.mark.parametrize("fault", _FAULTS, ids=str)
def test_a_guard_stands_where_the_fault_is_to_be_planted(fault: PlantedFault) -> None:
    assert (ROOT / "bot" / fault.file).read_text().count(fault.guard) == 1
    assert fault.guard != fault.fault


@pytest.mark.mutants
@pytest.mark.parametrize("fault", _FAULTS, ids=str)
def test_the_named_test_dies_of_the_fault(fault: PlantedFault, tmp_path: Path) -> None:
    for folder in _COPIED:
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=_LEFT_OUT)
    for name in ("tests/__init__.py", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    place = tmp_path / "bot" / fault.file
    place.write_text(place.read_text().replace(fault.guard, fault.fault))
    done = subprocess.run(
        # SQLite alone: a fault need not be shown on a second database.
        [sys.executable, "-m", "pytest", "-x", "-q", "-k", "not postgres", f"tests/{fault.killer}"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    # 1 is pytest's code for failed tests; 2 to 5 would mean that the test was not even run.
    assert done.returncode == 1, done.stdout[-2_000:]
