"""A server's clock that jumps a year ahead or goes back: no stored delay lasts a year."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.adapters.store.engine import migrate, open_engine
from bot.adapters.store.inbox import SqlInbox
from bot.adapters.store.journal import SqlJournal
from bot.adapters.store.order_store import SqlOrderStore
from bot.adapters.store.prompt_store import SqlPromptStore
from bot.adapters.store.readings import SqlReadings
from bot.adapters.store.snapshots import SqlSnapshots
from bot.adapters.store.troubles import SqlTroubles
from bot.core.journal.state import Delay
from bot.core.state.rate_limits import Priority, Spending, still_counted, wait_for
from bot.core.state.troubles import is_given_up
from bot.core.values.github_cost import Cost
from bot.core.values.ids import OrderId, WorkflowRunId
from bot.core.values.trouble import Trouble, TroubleKind
from bot.ports import Delivery, PromptAttempt
from bot.shell.sweep import sweep
from tests.adapters_store.kit import INSTALLED, NOW, REPOSITORY, order
from tests.security.test_repeated_failures import World

YEAR = timedelta(days=365)
AHEAD = NOW + YEAR
SOON = NOW + timedelta(minutes=2)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[sa.Engine]:
    made = open_engine(f"sqlite:///{tmp_path}/a.db")
    migrate(made, made)
    yield made
    made.dispose()


def _paused(engine: sa.Engine) -> bool:
    journal = SqlJournal(engine)
    journal.pause(str(REPOSITORY), AHEAD + timedelta(minutes=5))
    journal.set_wake_at(REPOSITORY, NOW)
    assert journal.paused_until((str(REPOSITORY),), AHEAD) is not None
    return journal.paused_until((str(REPOSITORY),), SOON) is not None or not journal.due(SOON)


def _pause_is_kept(engine: sa.Engine) -> bool:
    """That an old pause lies ahead does not keep a new one from being written."""
    journal = SqlJournal(engine)
    journal.pause(str(REPOSITORY), AHEAD)
    journal.pause(str(REPOSITORY), SOON)
    return journal.paused_until((str(REPOSITORY),), NOW) != SOON


def _leased(engine: sa.Engine) -> bool:
    """By a process that died."""
    journal = SqlJournal(engine)
    assert journal.acquire(REPOSITORY, "gone", AHEAD) is not None
    return journal.acquire(REPOSITORY, "me", SOON) is None


def _delivered(engine: sa.Engine) -> bool:
    inbox = SqlInbox(engine)
    inbox.put(Delivery(id="g", event="push", body=b"{}"), AHEAD)
    return inbox.unread(SOON) != ("g",)


def _failed(engine: sa.Engine) -> bool:
    """A delivery that failed and waits for its next try."""
    inbox, troubles = SqlInbox(engine), SqlTroubles(engine)
    inbox.put(Delivery(id="g", event="push", body=b"{}"), NOW)
    troubles.meet(_trouble(TroubleKind.DELIVERY, "g"))
    return inbox.unread(SOON) != ("g",)


def _claimed(engine: sa.Engine) -> bool:
    store, attempt = SqlPromptStore(engine), PromptAttempt(repository=REPOSITORY, id="a")
    claim = timedelta(minutes=45)
    assert store.claim(attempt, "gone", AHEAD + claim, AHEAD)
    return not store.claim(attempt, "me", SOON + claim, SOON)


def _begun(engine: sa.Engine) -> bool:
    """A reading by a process that died."""
    store = SqlReadings(engine)
    assert store.begin("k", AHEAD) == 1
    return store.begin("k", SOON) is None


def _at_work(engine: sa.Engine) -> bool:
    """The model's gateway asks whether a run still works, which died."""
    store, lease = SqlOrderStore(engine), ("t", AHEAD + timedelta(seconds=45))
    store.place(REPOSITORY, order())
    assert store.take(REPOSITORY, OrderId("o1"), WorkflowRunId(1), lease, AHEAD) is not None
    assert store.at_work(REPOSITORY, OrderId("o1"), AHEAD) is not None
    return store.at_work(REPOSITORY, OrderId("o1"), SOON) is not None


def _folding(engine: sa.Engine) -> bool:
    journal, store = SqlJournal(engine), SqlSnapshots(engine)
    lease = journal.acquire(REPOSITORY, "w", NOW)
    assert lease is not None
    journal.append(lease, (INSTALLED,), NOW)
    assert store.claim(REPOSITORY, AHEAD)
    return not store.claim(REPOSITORY, SOON)


def _trouble(kind: TroubleKind, about: str) -> Trouble:
    return Trouble(kind=kind, about=about, since=AHEAD, at=AHEAD, tries=1, until=AHEAD, why="w")


@pytest.mark.attack(
    "A server starts with a clock that is a year ahead, and what it wrote down then waits for that year",
    held="`bot.adapters.store.engine.is_ahead`: what lies further ahead than it can is over",
)
@pytest.mark.parametrize(
    "waits",
    [_paused, _pause_is_kept, _leased, _delivered, _failed, _claimed, _begun, _folding, _at_work],
)
def test_stored_delays_never_last_a_year_after_a_clock_jump(
    engine: sa.Engine, waits: Callable[[sa.Engine], bool]
) -> None:
    assert not waits(engine)


@pytest.mark.attack(
    "A trouble was met while the clock was ahead: each later one is as long as the way back",
    held="`bot.core.state.troubles.met_again`: it begins anew",
)
def test_a_trouble_with_an_impossible_time_is_counted_from_now(engine: sa.Engine) -> None:
    troubles = SqlTroubles(engine)
    for kind in (TroubleKind.UNREACHABLE, TroubleKind.ENDED, TroubleKind.DELIVERY):
        troubles.meet(_trouble(kind, "x"))
        met, is_counted = troubles.meet(_trouble(kind, "x").replace(at=SOON, since=SOON))
        assert SOON <= met.until <= SOON + timedelta(minutes=1)
        assert (met.since, met.tries, is_counted) == (SOON, 1, True)
        assert not is_given_up(met)


@pytest.mark.attack(
    "An effect was put off, or GitHub's budget spent, while the clock was ahead",
    held="`bot.core.journal.state.Delay.is_over`, `bot.core.state.rate_limits.still_counted`",
)
def test_deferred_work_never_waits_a_year_after_a_clock_jump() -> None:
    delay = Delay(until=AHEAD, sentence="later", tries=1)
    assert delay.is_over(NOW)
    assert not delay.is_over(AHEAD - timedelta(minutes=1))
    spent = [Spending(at=AHEAD, cost=Cost(points=1_000_000, requests=10_000, content=10_000))]
    assert still_counted(spent, NOW) == ()
    assert wait_for(still_counted(spent, NOW), Cost(requests=1), Priority.SWEEP, NOW) is None


@pytest.mark.attack(
    "The clock goes back under a running sweep, whose next looks lie a year ahead",
    held="`bot.shell.sweep.sweep`: it begins its rhythm anew",
)
def test_a_sweep_continues_after_the_clock_went_back(tmp_path: Path) -> None:
    world = World(tmp_path)
    try:
        world.install()
        vars(world.ports.forge)["installations"] = tuple
        world.beats.full_look_at = None
        world.seconds = YEAR.total_seconds()
        sweep(world.ports, world.beats)
        world.bell.take_repositories()
        world.journal.drop_hints(tuple(world.journal.hints(REPOSITORY)))
        world.journal.set_wake_at(REPOSITORY, None)
        world.seconds = 0.0
        sweep(world.ports, world.beats)
        assert world.beats.full_look_at == world.now()
        assert REPOSITORY in world.bell.take_repositories()
    finally:
        for made in world.engines:
            made.dispose()
