"""Every planted fault is noticed by the story or adapter test that is named for it."""

from pathlib import Path

import pytest

from tests.scenarios.planted_faults import PLANTED_FAULTS
from tests.scenarios.planted_faults_dialogue import DIALOGUE_FAULTS
from tests.scenarios.planted_faults_door import DOOR
from tests.scenarios.planted_faults_jobs import JOB_FAULTS
from tests.scenarios.planted_faults_lives import LIFE_STORY_FAULTS
from tests.scenarios.planted_faults_rollback import ROLLBACK_FAULTS
from tests.scenarios.planted_faults_specs import SPEC_STORY_FAULTS
from tests.testkit.planting import MutantRunner, PlantedFault, assert_killed

# Stories run everything, and localhub serves our own workflow files.
MUTANTS = MutantRunner("bot", "tests", ("bot", "action", "gates", "tests", ".github"))
FAULTS = (
    *PLANTED_FAULTS,
    *DOOR,
    *SPEC_STORY_FAULTS,
    *DIALOGUE_FAULTS,
    *ROLLBACK_FAULTS,
    *LIFE_STORY_FAULTS,
    *JOB_FAULTS,
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
