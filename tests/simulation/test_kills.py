"""Real processes die at random moments, the web and Valkey with its data too, and nothing is lost."""

import pytest

from tests.simulation.kills import run_day

# As many as a day of CI has time for; `make kills` lives through more of them.
SEEDS = (1, 2)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", SEEDS)
def test_every_change_lands_once_whichever_process_is_killed(seed: int) -> None:
    day = run_day(seed, changes=2, kills=8)
    assert day.wrong == (), str(day)
    assert len(day.killed) >= 4
