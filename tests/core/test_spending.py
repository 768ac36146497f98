"""GitHub's documented limits, and the reserve that each priority leaves to more urgent ones."""

from datetime import timedelta

import pytest
from hypothesis import given, strategies as st

from bot.core.state.rate_limits import (
    CONTENT_A_MINUTE,
    CONTENT_AN_HOUR,
    HOUR,
    MINUTE,
    POINTS_A_MINUTE,
    Priority,
    Spending,
    still_counted,
    wait_for,
)
from bot.core.values.github_cost import Cost
from tests.core.values import START as NOW

CREATE = Cost(content=1, points=6)
EDIT = Cost(points=6)
READ = Cost(points=1, requests=1)


def spent(times: int, cost: Cost = CREATE, ago: float = 0) -> list[Spending]:
    return [Spending(at=NOW - timedelta(seconds=ago), cost=cost)] * times


@pytest.mark.parametrize(
    ("known", "priority", "wait"),
    [
        ([], Priority.PROGRESS, None),
        (spent(73), Priority.PROGRESS, None),
        (spent(74), Priority.PROGRESS, MINUTE),
        (spent(74), Priority.PEOPLE, None),
        (spent(78), Priority.PEOPLE, MINUTE),
        (spent(79), Priority.LANDING, None),
        (spent(80), Priority.LANDING, MINUTE),
        (spent(74, ago=20), Priority.PROGRESS, MINUTE - timedelta(seconds=20)),
        (spent(74, ago=61), Priority.PROGRESS, None),
        (spent(470, ago=100), Priority.PROGRESS, HOUR - timedelta(seconds=100)),
        (spent(470, ago=100), Priority.PEOPLE, None),
        (spent(125, EDIT), Priority.PROGRESS, MINUTE),
        (spent(125, EDIT), Priority.LANDING, None),
    ],
)
def test_progress_leaves_a_reserve_of_every_limit(
    known: list[Spending], priority: Priority, wait: timedelta | None
) -> None:
    assert wait_for(known, CREATE, priority, NOW) == wait


@pytest.mark.parametrize(
    ("known", "priority", "wait"),
    [
        (spent(600, READ), Priority.SWEEP, MINUTE),
        (spent(600, READ), Priority.PROGRESS, None),
        (spent(4_000, READ, ago=100), Priority.SWEEP, HOUR - timedelta(seconds=100)),
        (spent(4_000, READ, ago=100), Priority.PROGRESS, None),
        (spent(4_750, READ, ago=100), Priority.PEOPLE, HOUR - timedelta(seconds=100)),
        (spent(4_750, READ, ago=100), Priority.LANDING, None),
    ],
)
def test_the_sweep_leaves_the_largest_reserve(
    known: list[Spending], priority: Priority, wait: timedelta | None
) -> None:
    assert wait_for(known, READ, priority, NOW) == wait


def test_an_hour_of_reads_is_kept_as_exact_sums() -> None:
    reads = [
        Spending(at=NOW - timedelta(seconds=ago), cost=READ) for ago in range(3_590) for _ in "ab"
    ]

    kept = still_counted([*spent(3, ago=1_000), *reads], NOW)

    assert sum(s.cost.requests for s in kept) == len(reads)
    assert sum(s.cost.points for s in kept if s.at > NOW - MINUTE) == 2 * 61
    assert sum(s.cost.content for s in kept) == 3
    assert len(kept) < 200
    assert still_counted(kept, NOW) == kept


def test_effects_without_github_requests_never_wait() -> None:
    assert wait_for(spent(500), Cost(), Priority.PROGRESS, NOW) is None


@given(
    st.lists(
        st.tuples(st.sampled_from([CREATE, EDIT]), st.sampled_from(Priority), st.integers(0, 9)),
        max_size=300,
    )
)
def test_waiting_for_the_returned_time_never_exceeds_a_limit(
    asked: list[tuple[Cost, Priority, int]],
) -> None:
    now, known = NOW, list[Spending]()
    for cost, priority, pause in asked:
        now += timedelta(seconds=pause)
        wait = wait_for(known, cost, priority, now)
        if wait is not None:
            now += wait
            assert wait_for(known, cost, priority, now) is None
        known = [*still_counted(known, now), Spending(at=now, cost=cost)]
        minute = [s for s in known if s.at > now - timedelta(minutes=1)]
        hour = [s for s in known if s.at > now - timedelta(hours=1)]
        assert sum(s.cost.content for s in minute) <= CONTENT_A_MINUTE
        assert sum(s.cost.content for s in hour) <= CONTENT_AN_HOUR
        assert sum(s.cost.points for s in minute) <= POINTS_A_MINUTE
