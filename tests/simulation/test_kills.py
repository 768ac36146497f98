"""Real processes die at random moments, the web and Valkey with its data too, and nothing is lost."""

import pytest

from tests.simulation.kills import live_through

# As many as a day of CI has time for; `make kills` lives through more of them.
SEEDS = (1, 2)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", SEEDS)
def test_whoever_is_killed_when_every_change_lands_once(seed: int) -> None:
    day = live_through(seed, changes=2, kills=8)
    assert day.wrong == (), str(day)
    assert len(day.killed) >= 4
