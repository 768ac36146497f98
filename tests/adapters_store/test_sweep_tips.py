"""Between the looks at a quiet repository the sweep polls the tips of its branches."""

import logging
from collections.abc import Callable
from datetime import timedelta

import pytest
import sqlalchemy as sa

from bot.core.journal.events import AccessLost, CommitAdmitted
from bot.core.values.ids import InstallationId, RepositoryId, Sha
from bot.core.values.repository import AwayReason
from bot.ports import Limited, Retryable, UserError
from bot.shell.sweep import WITHOUT_WEBHOOK, SweepState
from bot.shell.watch_tips import REFS_A_QUERY
from tests.adapters_store.kit import INSTALLED, NOW, REPOSITORY, later
from tests.adapters_store.sweep_world import World

Engines = Callable[[], sa.Engine]
_MINUTE = 60
MAIN = INSTALLED.main
ANOTHER, THIRD = Sha("c" * 40), Sha("d" * 40)
RELEASE = "release/1"


@pytest.fixture
def url(tmp_path: object) -> str:
    """What is told is the sweep's own: one database is enough."""
    return f"sqlite:///{tmp_path}/journal.db"


@pytest.fixture
def world(engine: sa.Engine, inboxes: Engines) -> World:
    """A repository that has been quiet for long; GitHub tells what the journal knows."""
    world = World(engine, inboxes())
    world.begin()
    world.github.tips[REPOSITORY] = {"main": MAIN}
    world.pass_time(45 * _MINUTE, beat=_MINUTE)
    world.looked.clear()
    world.asked_at.clear()
    return world


def moved(sha: Sha, branch: str = "") -> CommitAdmitted:
    return CommitAdmitted(
        sha=sha, tree=sha, author="ann", subject="x", seen_at=NOW, branch_of_queue=branch
    )


def looks_after(world: World, seconds: int) -> list[float]:
    """How long after now it was looked at whole."""
    world.looked.clear()
    before = world.seconds
    world.pass_time(seconds, beat=1)
    return [at - before for at in world.looked.get(REPOSITORY, [])]


def look_not_due(world: World) -> None:
    """Until a minute after a look, the next of which is nine minutes away."""
    due = world.beats.schedules[REPOSITORY].next_at - world.now()
    world.pass_time(int(due.total_seconds()) + _MINUTE)


def test_a_quiet_repository_is_polled_once_a_minute_without_a_look(world: World) -> None:
    look_not_due(world)
    world.asked_at.clear()
    assert looks_after(world, 5 * _MINUTE) == []
    assert len(world.asked_at) == 6


def test_a_poll_without_changes_writes_nothing_to_the_database(
    world: World, engine: sa.Engine
) -> None:
    look_not_due(world)
    commits: list[object] = []
    sa.event.listen(engine, "commit", commits.append)
    world.pass_time(5 * _MINUTE, beat=1)
    assert world.asked_at
    assert commits == []


def test_a_tip_that_moved_is_looked_at_within_a_minute_and_again_soon(world: World) -> None:
    look_not_due(world)
    world.github.tips[REPOSITORY] = {"main": ANOTHER}
    first, second, *_ = looks_after(world, 3 * _MINUTE)
    assert first <= 50
    assert second - first == 30


def test_an_unexplained_tip_rings_only_once(world: World) -> None:
    look_not_due(world)
    world.github.tips[REPOSITORY] = {"main": ANOTHER}
    world.pass_time(60 * _MINUTE)
    # The journal still names the old commit, whole looks or not.
    look_not_due(world)
    assert looks_after(world, 5 * _MINUTE) == []
    world.github.tips[REPOSITORY] = {"main": THIRD}
    assert looks_after(world, _MINUTE)[0] <= 50


def test_a_tip_that_the_journal_knows_does_not_ring(world: World) -> None:
    look_not_due(world)
    world.write(moved(ANOTHER))
    world.github.tips[REPOSITORY] = {"main": ANOTHER}
    assert looks_after(world, 3 * _MINUTE) == []


def test_additional_branches_are_polled(world: World) -> None:
    world.write(moved(THIRD, RELEASE))
    world.github.tips[REPOSITORY] = {"main": MAIN, RELEASE: THIRD}
    world.pass_time(45 * _MINUTE, beat=_MINUTE)
    look_not_due(world)
    assert world.github.asked[-1][1][0].branches == ("main", RELEASE)
    assert looks_after(world, 3 * _MINUTE) == []
    world.github.tips[REPOSITORY] = {"main": MAIN, RELEASE: ANOTHER}
    assert looks_after(world, _MINUTE)[0] <= 50


def test_a_repository_missing_in_the_answer_does_not_ring_and_is_logged_once(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    other = RepositoryId(8)
    world.begin(other)
    world.github.tips[other] = {"main": ANOTHER}
    del world.github.tips[REPOSITORY]
    with caplog.at_level(logging.WARNING):
        world.pass_time(45 * _MINUTE, beat=_MINUTE)
    assert len(world.looked[other]) > len(world.looked[REPOSITORY])
    said = [r for r in caplog.records if r.getMessage() == "tips_untold"]
    assert [vars(r)["repositories"] for r in said] == ["acme/shop"]
    # What was known of it is known still.
    world.github.tips[REPOSITORY] = {"main": MAIN}
    look_not_due(world)
    assert looks_after(world, 3 * _MINUTE) == []


@pytest.mark.parametrize(
    "failure", [Retryable("GitHub answers 502."), UserError("Headgate gets no token.")]
)
def test_without_graphql_a_look_every_ten_minutes_remains_and_is_logged(
    world: World,
    caplog: pytest.LogCaptureFixture,
    failure: Retryable | UserError,
) -> None:
    world.github.failure = failure
    with caplog.at_level(logging.WARNING):
        world.pass_time(60 * _MINUTE)
    assert set(world.pauses) == {600}
    # Ever more seldom, as the looks.
    assert len(world.asked_at) <= 10
    assert [r.getMessage() for r in caplog.records] == ["tips_unknown"]

    world.github.failure = None
    world.pass_time(10 * _MINUTE)
    world.asked_at.clear()
    world.pass_time(5 * _MINUTE)
    assert len(world.asked_at) >= 5


def test_a_failure_of_one_installation_does_not_block_others(
    world: World,
) -> None:
    other = RepositoryId(8)
    world.begin(other, InstallationId(4))
    world.github.tips[other] = {"main": MAIN}
    tell = world.ports.forge.tips

    def tips(installation: InstallationId, asked: object) -> object:
        told = tell(installation, asked)  # type: ignore[arg-type]
        if installation == INSTALLED.facts.installation_id:
            raise Retryable("GitHub answers 502.")
        return told

    world.ports.forge.tips = tips  # type: ignore[method-assign, assignment]
    world.pass_time(45 * _MINUTE, beat=_MINUTE)
    world.github.tips[other] = {"main": ANOTHER}
    world.looked.clear()
    world.pass_time(_MINUTE, beat=1)
    assert len(world.looked[other]) >= 1


def test_a_failed_query_does_not_block_other_queries_of_the_installation(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    many = [RepositoryId(n) for n in range(100, 100 + 2 * REFS_A_QUERY)]
    for repository in many:
        world.begin(repository)
        world.github.tips[repository] = {"main": MAIN}
    world.github.poison = many[0]
    with caplog.at_level(logging.WARNING):
        world.pass_time(20 * _MINUTE, beat=10)
    world.github.asked.clear()
    world.pass_time(150, beat=1)
    asked = [one.repository for _, some in world.github.asked for one in some]
    assert asked.count(REPOSITORY) == asked.count(many[-1]) == 3
    assert [r.getMessage() for r in caplog.records] == ["tips_unknown"]


def test_a_secondary_limit_pauses_the_installation_as_for_any_call(world: World) -> None:
    look_not_due(world)
    world.github.failure = Limited("Slow down", timedelta(seconds=200))
    world.pass_time(_MINUTE, beat=1)
    limited_at = world.asked_at[-1]
    until = world.journal.paused_until(("installation 3",), world.now())
    assert until == later(limited_at + 200)
    world.github.failure = None
    world.asked_at.clear()
    world.pass_time(5 * _MINUTE, beat=1)
    assert world.asked_at[0] - limited_at >= 200


def test_a_paused_installation_is_not_polled(world: World) -> None:
    look_not_due(world)
    world.journal.pause("installation 3", world.now() + timedelta(minutes=3))
    world.asked_at.clear()
    world.pass_time(3 * _MINUTE - 1, beat=1)
    assert world.asked_at == []
    world.pass_time(5, beat=1)
    assert len(world.asked_at) == 1


def test_the_sweep_waits_for_spent_graphql_points(world: World) -> None:
    look_not_due(world)
    assert set(world.budget.spent) == {"installation 3 graphql"}
    world.budget.wait = timedelta(seconds=100)
    world.asked_at.clear()
    world.pass_time(2 * _MINUTE, beat=1)
    assert world.asked_at == []
    world.budget.wait = None
    world.pass_time(101, beat=1)
    assert world.asked_at


def test_many_repositories_need_few_queries_outside_the_beat(world: World) -> None:
    many = [RepositoryId(n) for n in range(100, 100 + 2 * REFS_A_QUERY)]
    for repository in many:
        world.begin(repository)
        world.github.tips[repository] = {"main": MAIN}
    world.pass_time(20 * _MINUTE, beat=10)
    world.github.asked.clear()
    world.seconds_a_query, world.most_queries_a_beat = 2, 0
    world.pass_time(50, beat=1)
    sizes = [len(asked) for _, asked in world.github.asked]
    assert sorted(sizes) == [1, REFS_A_QUERY, REFS_A_QUERY]
    asked = [one.repository for _, some in world.github.asked for one in some]
    assert sorted(asked) == [REPOSITORY, *many]
    assert world.most_queries_a_beat == 1


def test_installations_take_turns_over_the_minute(world: World) -> None:
    for number in range(1, 41):
        world.begin(RepositoryId(100 + number), InstallationId(number * 7))
        world.github.tips[RepositoryId(100 + number)] = {"main": MAIN}
    world.pass_time(20 * _MINUTE, beat=10)
    world.pass_time(50, beat=1)
    world.asked_at.clear()
    world.pass_time(50, beat=1)
    assert len(world.asked_at) == 41
    assert max(world.asked_at.count(at) for at in world.asked_at) <= 2


def test_a_lost_repository_is_not_polled(world: World) -> None:
    world.write(AccessLost(reason=AwayReason.SUSPENDED, seen_at=NOW))
    world.pass_time(11 * _MINUTE)
    world.asked_at.clear()
    world.pass_time(30 * _MINUTE)
    assert world.asked_at == []


def test_without_a_webhook_a_branch_that_moved_is_seen_within_a_minute(world: World) -> None:
    world.beats = SweepState(installations_listed_at=later(1e8), pace=WITHOUT_WEBHOOK)
    world.pass_time(20 * _MINUTE)
    assert world.asked_at
    due = world.beats.schedules[REPOSITORY].next_at - world.now()
    world.pass_time(int(due.total_seconds()) + 1, beat=1)
    world.github.tips[REPOSITORY] = {"main": ANOTHER}
    first, second, *_ = looks_after(world, 2 * _MINUTE)
    assert first <= 50
    assert second - first == 15


def test_two_sweeps_ring_once_each(world: World) -> None:
    look_not_due(world)
    first = world.beats
    world.beats = SweepState(installations_listed_at=later(1e8), deliveries_at=later(1e8))
    world.pass_time(45 * _MINUTE, beat=_MINUTE)
    second = world.beats
    world.github.tips[REPOSITORY] = {"main": ANOTHER}
    for beats in (first, second):
        world.beats = beats
        look_not_due(world)
        looks_after(world, 15 * _MINUTE)
        look_not_due(world)
        assert looks_after(world, 3 * _MINUTE) == []
