"""Every planted fault is noticed by the test that is named for it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gates
from tests.gates.planted_faults import PLANTED_FAULTS, PlantedFault

ROOT = Path(gates.__file__).parent.parent
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "test_planted_faults.py")


@pytest.mark.parametrize("fault", PLANTED_FAULTS, ids=str)
def test_a_guard_stands_where_the_fault_is_to_be_planted(fault: PlantedFault) -> None:
    assert (ROOT / "gates" / fault.file).read_text().count(fault.guard) == 1
    assert fault.guard != fault.fault


@pytest.mark.mutants
@pytest.mark.parametrize("fault", PLANTED_FAULTS, ids=str)
def test_the_named_test_dies_of_the_fault(fault: PlantedFault, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "gates", tmp_path / "gates", ignore=_LEFT_OUT)
    shutil.copytree(ROOT / "tests/gates", tmp_path / "tests/gates", ignore=_LEFT_OUT)
    for name in ("tests/__init__.py", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    place = tmp_path / "gates" / fault.file
    place.write_text(place.read_text().replace(fault.guard, fault.fault))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", f"tests/gates/{fault.killer}"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    # 1 is pytest's code for failed tests; 2 to 5 would mean that the test was not even run.
    assert done.returncode == 1, done.stdout[-2_000:]
