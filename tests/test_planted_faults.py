"""Every planted fault is noticed by the test that is named for it."""

from pathlib import Path

import pytest

from tests.testkit.planting import ROOT, Planting, plantings

PLANTINGS = plantings()


@pytest.mark.parametrize("planting", PLANTINGS, ids=str)
def test_each_fault_has_its_guard_and_its_killer(planting: Planting) -> None:
    (file,) = planting.files()

    assert (ROOT / file).read_text().count(planting.fault.guard) == 1
    assert planting.fault.guard != planting.fault.fault
    assert len(planting.killers()) == 1


@pytest.mark.mutants
@pytest.mark.parametrize("planting", PLANTINGS, ids=str)
def test_the_killer_fails_with_the_fault(planting: Planting, tmp_path: Path) -> None:
    done = planting.run_killer(tmp_path)

    # pytest's codes 2 to 5 mean that it did not run.
    assert done.returncode == 1, done.stdout[-2_000:]
