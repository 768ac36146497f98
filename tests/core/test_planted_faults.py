"""Every planted fault is noticed by the test that is named for it."""

from pathlib import Path

import pytest

from tests.core.planted_faults import PLANTED_FAULTS
from tests.core.planted_faults_advice import ADVICE_FAULTS
from tests.core.planted_faults_archive import SPEC_FAULTS
from tests.core.planted_faults_budget import BUDGET_FAULTS
from tests.core.planted_faults_counted import COUNT_FAULTS
from tests.core.planted_faults_dialogue import DIALOGUE_FAULTS
from tests.core.planted_faults_door import DOOR_FAULTS
from tests.core.planted_faults_fair_a import FAIR_A_FAULTS
from tests.core.planted_faults_fair_b import FAIR_FAULTS
from tests.core.planted_faults_flakes import FLAKE_FAULTS
from tests.core.planted_faults_fold import FOLD_FAULTS
from tests.core.planted_faults_growth import GROWTH_FAULTS
from tests.core.planted_faults_journal import JOURNAL_FAULTS
from tests.core.planted_faults_lives import LIFE_FAULTS
from tests.core.planted_faults_of_specs import DISCUSSION_FAULTS
from tests.core.planted_faults_paid import PAID_FAULTS
from tests.core.planted_faults_pauses import PAUSE_FAULTS
from tests.core.planted_faults_people import PEOPLE_FAULTS
from tests.core.planted_faults_planning import PLANNING_FAULTS
from tests.core.planted_faults_preflight import PREFLIGHT_FAULTS
from tests.core.planted_faults_questions import QUESTION_FAULTS
from tests.core.planted_faults_reading import READING_FAULTS
from tests.core.planted_faults_reason import REASON_FAULTS
from tests.core.planted_faults_red_mains import RED_MAIN_FAULTS
from tests.core.planted_faults_refusals import REFUSAL_FAULTS
from tests.core.planted_faults_truth import TRUTH_FAULTS
from tests.core.planted_faults_turns import TURN_FAULTS
from tests.core.planted_faults_words import OUTER_FAULTS
from tests.core.planted_faults_workflows import WORKFLOW_FAULTS
from tests.testkit.planting import MutantRunner, PlantedFault, assert_killed

FAULTS = (
    *PLANTED_FAULTS,
    *OUTER_FAULTS,
    *SPEC_FAULTS,
    *TRUTH_FAULTS,
    *DISCUSSION_FAULTS,
    *DIALOGUE_FAULTS,
    *DOOR_FAULTS,
    *READING_FAULTS,
    *ADVICE_FAULTS,
    *PLANNING_FAULTS,
    *QUESTION_FAULTS,
    *JOURNAL_FAULTS,
    *GROWTH_FAULTS,
    *FOLD_FAULTS,
    *FLAKE_FAULTS,
    *TURN_FAULTS,
    *RED_MAIN_FAULTS,
    *BUDGET_FAULTS,
    *REASON_FAULTS,
    *PAID_FAULTS,
    *PAUSE_FAULTS,
    *PEOPLE_FAULTS,
    *LIFE_FAULTS,
    *COUNT_FAULTS,
    *FAIR_FAULTS,
    *REFUSAL_FAULTS,
    *WORKFLOW_FAULTS,
    *FAIR_A_FAULTS,
    *PREFLIGHT_FAULTS,
)
MUTANTS = MutantRunner(
    "bot",
    "tests",
    (
        "bot",
        "action",
        "gates",
        "tests/core",
        "tests/adapters",
        "tests/adapters_store",
        "tests/entry",
        "tests/shell",
        "tests/shape",
        "tests/testkit",
    ),
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
