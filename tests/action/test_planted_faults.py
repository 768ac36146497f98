"""Every planted fault of the runner's side is noticed by the story that is named for it."""

from pathlib import Path

import pytest

from tests.action.planted_faults import PLANTED_FAULTS
from tests.action.planted_faults_budget import BUDGET_FAULTS
from tests.action.planted_faults_contact import CONTACT_FAULTS
from tests.action.planted_faults_doctor import DOCTOR_FAULTS
from tests.action.planted_faults_paid import PAID_FAULTS
from tests.testkit.planting import MutantRunner, PlantedFault, assert_killed

FAULTS = (*PLANTED_FAULTS, *BUDGET_FAULTS, *CONTACT_FAULTS, *DOCTOR_FAULTS, *PAID_FAULTS)
MUTANTS = MutantRunner(
    "action", "tests/action", ("action", "gates", "tests/action", "tests/testkit")
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_each_fault_has_its_guard_and_its_killer(fault: PlantedFault) -> None:
    assert MUTANTS.guards(fault) == 1
    assert MUTANTS.has_killer(fault)
    assert fault.guard != fault.fault


@pytest.mark.mutants
@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_the_killer_fails_with_the_fault(fault: PlantedFault, tmp_path: Path) -> None:
    assert_killed(MUTANTS.run_killer(fault, tmp_path))
