"""How often the sweep looks at a whole repository: often while it is busy, rarely otherwise."""

from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest
import sqlalchemy as sa

from bot.core.journal.events import TextPublished
from bot.core.state.observed import Hint, HintKind
from bot.core.values.ids import RepositoryId
from bot.shell.sweep import (
    FULL_LOOK_EVERY,
    QUIET_LOOK_EVERY,
    WITHOUT_WEBHOOK,
    SweepState,
)
from tests.adapters_store.kit import NOW, REPOSITORY, later
from tests.adapters_store.sweep_world import World

Engines = Callable[[], sa.Engine]
_MINUTE = 60


@pytest.fixture
def world(engine: sa.Engine, inboxes: Engines) -> World:
    return World(engine, inboxes())


@pytest.fixture
def url(tmp_path: object) -> str:
    """The rhythm is the sweep's own: one database is enough."""
    return f"sqlite:///{tmp_path}/journal.db"


def test_looks_at_a_quiet_repository_become_rarer(world: World) -> None:
    world.begin()
    world.pass_time(60 * _MINUTE)
    longest = QUIET_LOOK_EVERY.total_seconds()
    assert world.looked[REPOSITORY][0] == 0
    assert world.pauses[:6] == [30, 60, 120, 240, 480, longest]
    assert set(world.pauses[5:]) == {longest}


def test_a_busy_repository_is_looked_at_often(world: World) -> None:
    world.begin()
    world.hear_a_command()
    world.pass_time(20 * _MINUTE)
    assert set(world.pauses) == {FULL_LOOK_EVERY.total_seconds()}


def test_a_hint_restores_the_short_interval_even_if_a_worker_was_faster(world: World) -> None:
    world.begin()
    world.pass_time(40 * _MINUTE)
    before = len(world.looked[REPOSITORY])
    world.journal.put_hints(REPOSITORY, (Hint(kind=HintKind.MAIN),))
    world.journal.drop_hints(tuple(world.journal.hints(REPOSITORY)))
    hinted = world.seconds
    world.pass_time(5 * _MINUTE)
    fresh = world.looked[REPOSITORY][before:]
    assert fresh[0] - hinted <= FULL_LOOK_EVERY.total_seconds()
    assert [b - a for a, b in pairwise(fresh)] == [60, 120]


def test_work_that_began_without_a_hint_is_noticed_at_the_next_look(world: World) -> None:
    world.begin()
    world.pass_time(60 * _MINUTE)
    world.hear_a_command()
    world.pass_time(20 * _MINUTE)
    assert world.pauses[-1] == FULL_LOOK_EVERY.total_seconds()


def test_a_restarted_sweep_spreads_its_looks_at_many_repositories(world: World) -> None:
    many = [RepositoryId(n) for n in range(1, 61)]
    for repository in many:
        world.begin(repository)
    world.journal.set_wake_at(many[-1], later(1e6))
    for _ in range(2):
        world.looked = {}
        world.pass_time(30, beat=1)
        assert sorted(world.looked) == many
        # What waits for a time may be under way: it comes first.
        assert world.looked[many[-1]][0] == min(moments[0] for moments in world.looked.values())
        a_second = Counter(moment for moments in world.looked.values() for moment in moments[:1])
        assert max(a_second.values()) <= 3
        world.beats = SweepState(installations_listed_at=later(1e8), deliveries_at=later(1e8))


def test_without_a_webhook_looks_are_more_frequent_and_deliveries_are_not_requested(
    world: World,
) -> None:
    world.begin()
    # There is no GitHub in this world: to ask it for deliveries would fail.
    world.beats = SweepState(installations_listed_at=later(1e8), pace=WITHOUT_WEBHOOK)
    world.pass_time(10 * _MINUTE)
    assert max(world.pauses) == WITHOUT_WEBHOOK.quiet.total_seconds()
    world.looked.clear()
    world.hear_a_command()
    world.pass_time(5 * _MINUTE)
    assert set(world.pauses[1:]) == {WITHOUT_WEBHOOK.full.total_seconds()}


def test_without_a_webhook_the_first_pull_is_noticed_within_seconds(world: World) -> None:
    world.beats = SweepState(installations_listed_at=later(1e8), pace=WITHOUT_WEBHOOK)
    world.begin()
    world.pass_time(1, beat=1)
    world.open_a_first_pull()
    world.pass_time(4 * _MINUTE, beat=1)
    assert max(world.pauses) <= WITHOUT_WEBHOOK.onboarding.total_seconds()
    # Nobody is there any more.
    world.pass_time(10 * _MINUTE, beat=1)
    assert world.pauses[-1] == WITHOUT_WEBHOOK.quiet.total_seconds()


def test_without_a_webhook_news_keep_the_short_interval_for_a_while(world: World) -> None:
    world.beats = SweepState(installations_listed_at=later(1e8), pace=WITHOUT_WEBHOOK)
    world.begin()
    world.pass_time(10 * _MINUTE)
    world.write(TextPublished(subject="x", digest="y", published_at=NOW))
    before = len(world.looked[REPOSITORY])
    world.pass_time(4 * _MINUTE)
    fresh = world.looked[REPOSITORY][before + 1 :]
    assert {b - a for a, b in pairwise(fresh)} == {WITHOUT_WEBHOOK.full.total_seconds()}
