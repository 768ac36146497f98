"""Every planted fault between us and GitHub is noticed by the test that is named for it."""

from pathlib import Path

import pytest

from tests.scenarios.planted_faults_forge import FORGE_FAULTS
from tests.testkit.planting import MutantRunner, PlantedFault, assert_killed

MUTANTS = MutantRunner("bot", "tests", ("bot", "action", "gates", "tests", ".github"))


@pytest.mark.parametrize("fault", FORGE_FAULTS, ids=str)
def test_each_fault_has_its_guard_and_its_killer(fault: PlantedFault) -> None:
    assert MUTANTS.guards(fault) == 1
    assert MUTANTS.has_killer(fault)
    assert fault.guard != fault.fault


@pytest.mark.mutants
@pytest.mark.parametrize("fault", FORGE_FAULTS, ids=str)
def test_the_killer_fails_with_the_fault(fault: PlantedFault, tmp_path: Path) -> None:
    assert_killed(MUTANTS.run_killer(fault, tmp_path))
