"""Every planted fault is noticed by the test that is named for it."""

from collections import defaultdict
from pathlib import Path

import pytest

from tests.testkit.planting import Planting, plantings

PLANTINGS = plantings()
BY_TABLE: dict[Path, list[Planting]] = defaultdict(list)
for one in PLANTINGS:
    BY_TABLE[one.table].append(one)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Thousands of cases that nobody asks for are not made."""
    if "planting" in metafunc.fixturenames:
        is_left_out = "not mutants" in metafunc.config.option.markexpr
        metafunc.parametrize("planting", [] if is_left_out else PLANTINGS, ids=str)


@pytest.mark.parametrize("table", BY_TABLE, ids=str)
def test_each_fault_has_its_guard_and_its_killer(table: Path) -> None:
    wrong = {str(one): one.mistakes() for one in BY_TABLE[table]}
    assert {name: found for name, found in wrong.items() if found} == {}


@pytest.mark.mutants
def test_the_killer_fails_with_the_fault(planting: Planting, tmp_path: Path) -> None:
    done = planting.run_killer(tmp_path)

    # pytest's codes 2 to 5 mean that it did not run.
    assert done.returncode == 1, done.stdout[-2_000:]
