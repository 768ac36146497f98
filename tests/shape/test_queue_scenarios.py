"""The table of queue scenarios names existing tests and planted faults."""

import ast

import pytest

from tests.queue_scenarios import GUARDS, SCENARIOS, Scenario
from tests.testkit.planting import ROOT, plantings


def _names(file: str) -> set[str]:
    """Its tests, as pytest calls them."""
    found = set()
    for node in ast.parse((ROOT / "tests" / file).read_text()).body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            inner = (one for one in node.body if isinstance(one, ast.FunctionDef))
            found |= {f"{node.name}::{one.name}" for one in inner}
    return found


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: str(one.number))
def test_the_tests_of_each_scenario_exist(scenario: Scenario) -> None:
    assert scenario.tests
    for test in scenario.tests:
        file, _, name = test.partition("::")
        assert name in _names(file), test


def test_scenarios_are_numbered_in_order_without_duplicates() -> None:
    numbers = [scenario.number for scenario in SCENARIOS]
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("guard", GUARDS)
def test_each_guard_of_the_queue_has_a_planted_fault(guard: str) -> None:
    file, part = GUARDS[guard]
    assert [p for p in plantings() if p.fault.file.endswith(file) and part in p.fault.guard]
