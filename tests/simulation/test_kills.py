"""Real processes die at random moments, the web and Valkey with its data too, and nothing is lost."""

import pytest

from tests.simulation.kills import run_day

pytestmark = pytest.mark.slow


def test_every_change_lands_once_whichever_process_is_killed() -> None:
    # One day; `make kills` lives through more of them.
    day = run_day(seed=1, changes=2, kills=8)
    assert day.wrong == (), str(day)
    assert len(day.killed) >= 4
