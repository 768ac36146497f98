"""Repeated failures are retried with growing delays and reported."""

import contextlib
import logging
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import sqlalchemy as sa

from bot.adapters.store.engine import migrate, open_engine
from bot.adapters.store.inbox import SqlInbox
from bot.adapters.store.journal import SqlJournal
from bot.adapters.store.troubles import SqlTroubles
from bot.core.state.observed import Hint, HintKind
from bot.core.state.troubles import standing
from bot.core.talk.trouble_text import trouble_text
from bot.core.values.github_cost import Cost
from bot.core.values.ids import RepositoryId
from bot.core.values.redelivery import Attempt
from bot.core.values.trouble import TroubleKind
from bot.entry.commands.doctor import _troubles
from bot.ports import Delivery, Retryable, UserError
from bot.shell import intake
from bot.shell.observe import Observer
from bot.shell.process_ports import Ports
from bot.shell.reconcile import Reconciled, reconcile
from bot.shell.sweep import SweepState, sweep
from bot.shell.turns import Turns
from tests.adapters_store.kit import INSTALLED, NOW, REPOSITORY, later
from tests.scenarios.test_repository_lives import installation
from tests.testkit.house import House, RecordingDoorbell, house
from tests.testkit.specs import requirement, spec

GONE = b"""{"action": "created", "installation": {"id": 3},
 "repositories": [{"id": 9, "full_name": "gone/shop"}]}"""


class World:
    """A sweep, a worker and their clock, on real tables; GitHub and the work are a failure."""

    def __init__(self, folder: Path) -> None:
        self.engines = [open_engine(f"sqlite:///{folder}/{name}.db") for name in ("a", "b")]
        migrate(*self.engines)
        self.journal = SqlJournal(self.engines[0])
        self.troubles = SqlTroubles(self.engines[1])
        self.inbox = SqlInbox(self.engines[1])
        self.bell = RecordingDoorbell()
        self.seconds = 0.0
        self.beats = SweepState(full_look_at=later(1e8), installations_listed_at=later(1e8))
        self.fails: Callable[[], None] = lambda: None
        self.tried: list[float] = []
        self.attempts: tuple[Attempt, ...] = ()
        self.ports = cast(
            "Ports",
            SimpleNamespace(
                journal=self.journal,
                inbox=self.inbox,
                troubles=self.troubles,
                doorbell=self.bell,
                clock=self,
                holder="w",
                forge=SimpleNamespace(
                    serves=lambda _name: True,
                    repository=lambda _installation, _repository: self.work(),
                    pop_read_cost=Cost,
                    standing=lambda _facts, is_doubted: SimpleNamespace(facts=INSTALLED.facts),
                    delivery_attempts=lambda _since: self.attempts,
                ),
                budget=SimpleNamespace(
                    acquire_slot=lambda *_: True,
                    release_slot=lambda *_: None,
                    count=lambda *_: None,
                    wait=lambda *_: None,
                ),
                vitals=SimpleNamespace(beat=lambda _pulse: None),
                turns=Turns(),
            ),
        )
        self.observer = cast("Observer", SimpleNamespace(look=lambda *_: self.work()))

    def now(self) -> datetime:
        return later(self.seconds)

    def work(self) -> None:
        self.tried.append(self.seconds)
        self.fails()

    def install(self) -> None:
        lease = self.journal.acquire(REPOSITORY, "w", NOW)
        assert lease is not None
        self.journal.append(lease, (INSTALLED,), NOW)
        self.journal.release(lease)
        self.journal.put_hints(REPOSITORY, (Hint(kind=HintKind.EVERYTHING),))

    def pass_time(self, **given: float) -> None:
        """A beat every ten seconds; the worker does what is rung for, as its jobs do."""
        for _ in range(int(timedelta(**given).total_seconds()) // 10):
            sweep(self.ports, self.beats)
            if deliveries := self.bell.take_deliveries():
                intake.digest(self.ports, *dict.fromkeys(deliveries))
            for repository in dict.fromkeys(self.bell.take_repositories()):
                self._job(repository)
            self.seconds += 10

    def _job(self, repository: int) -> None:
        with contextlib.suppress(RuntimeError, SystemExit):
            reconcile(self.ports, self.observer, RepositoryId(repository))

    @property
    def pauses(self) -> list[float]:
        return [b - a for a, b in pairwise(self.tried)]

    def told(self) -> list[str]:
        return [trouble_text(t, "acme/shop") for t in standing(self.troubles.all(), self.now())]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    for engine in made.engines:
        engine.dispose()


def _raise(failure: BaseException) -> Callable[[], None]:
    def fail() -> None:
        raise failure

    return fail


@pytest.mark.attack(
    "A signed delivery of an installation that is gone, which GitHub answers with 404 for ever",
    held="`bot.shell.intake.digest`: eight tries with growing pauses, then it is given up and told",
)
def test_a_delivery_that_cannot_be_read_is_given_up(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.fails = _raise(UserError("GitHub answers 404: Not Found"))
    world.inbox.put(Delivery(id="g1", event="installation", body=GONE), world.now())
    with caplog.at_level(logging.WARNING):
        world.pass_time(hours=3)
    assert len(world.tried) == 8
    assert world.pauses == sorted(world.pauses)
    assert [r.getMessage() for r in caplog.records] == ["delivery_given_up"]
    (told,) = world.told()
    assert "Delivery g1" in told
    assert "404" in told
    world.seconds += 25 * 3600
    assert world.told() == []


def test_a_delivery_that_fails_once_is_retried_without_a_report(world: World) -> None:
    world.fails = _raise(Retryable("another worker is at it"))
    world.inbox.put(Delivery(id="g1", event="installation", body=GONE), world.now())
    world.pass_time(seconds=20)
    world.fails = lambda: None
    world.pass_time(minutes=1)
    assert len(world.tried) == 2
    assert world.troubles.all() == ()
    assert world.inbox.unread(later(1e6)) == ()


@pytest.mark.attack(
    "Work that takes longer than a job may, or that is a bug: the sweep rings again at once",
    held="`bot.shell.troubles.rest`: a growing pause, up to an hour, and a sentence",
)
def test_a_job_that_does_not_end_leaves_a_growing_pause(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.install()
    world.fails = _raise(RuntimeError("Task exceeded maximum timeout value (180 seconds)"))
    with caplog.at_level(logging.WARNING):
        world.pass_time(hours=4)
    assert [round(p / 60) for p in world.pauses[:6]] == [1, 2, 4, 8, 16, 32]
    assert max(world.pauses) <= 3620
    assert {r.getMessage() for r in caplog.records} == {"repository_rests"}
    (told,) = world.told()
    assert told.startswith("The work for acme/shop (repository 7) never completes")
    assert "180 seconds" in told


@pytest.mark.attack(
    "Work that ends its process each time, for example because memory runs out",
    held="`bot.shell.reconcile.reconcile`: a lease that was left counts; the second death is a pause",
)
def test_a_process_that_dies_each_time_leaves_a_growing_pause(world: World) -> None:
    world.install()
    world.fails = _raise(SystemExit("killed"))
    world.pass_time(seconds=30)
    assert 2 <= len(world.tried) <= 4
    assert "The process that works for acme/shop" in world.told()[0]
    world.pass_time(hours=2)
    assert world.pauses[1:] == sorted(world.pauses[1:])
    assert len(world.tried) < 15


def test_work_that_makes_progress_does_not_wait(world: World) -> None:
    world.install()

    def append_and_die() -> None:
        with world.engines[0].begin() as connection:
            row = "INSERT INTO events SELECT repository_id, max(number) + 1, at, type, body, version FROM events"
            connection.execute(sa.text(row))
        raise SystemExit("killed")

    world.fails = append_and_die
    world.pass_time(minutes=1)
    assert len(world.tried) == 6
    assert world.told() == []


@pytest.mark.parametrize(
    ("failure", "says", "most"),
    [
        (Retryable("GitHub cannot be reached"), "repository_unreachable", 45),
        (UserError("GitHub answers 403: no"), "repository_refused", 9),
    ],
)
def test_an_unreadable_repository_is_reported_and_retried_rarely(
    world: World,
    caplog: pytest.LogCaptureFixture,
    failure: Exception,
    says: str,
    most: int,
) -> None:
    world.install()
    world.fails = _raise(failure)
    with caplog.at_level(logging.WARNING):
        world.pass_time(hours=3)
    assert len(world.tried) <= most
    assert {r.getMessage() for r in caplog.records} == {says}
    assert str(failure) in world.told()[0]


def test_a_wrong_signature_is_reported_after_an_hour(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    def attempt(is_unsigned: bool) -> tuple[Attempt, ...]:
        return (Attempt(id=1, guid="g", at=world.now(), is_good=True, is_unsigned=is_unsigned),)

    with caplog.at_level(logging.WARNING):
        for _ in range(14):
            world.attempts = attempt(is_unsigned=True)
            world.pass_time(minutes=5)
            if world.seconds < 3600:
                assert world.told() == []
    assert [r.getMessage() for r in caplog.records] == ["signature_wrong"]
    assert "headgate webhook" in world.told()[0]
    world.attempts = attempt(is_unsigned=False)
    world.pass_time(minutes=2)
    assert world.told() == []


def test_successful_work_clears_its_trouble(tmp_path: Path) -> None:
    """With a whole server: a bug while a push is read, and its end."""
    with house(tmp_path) as shop:
        honest = shop.observer
        bug = SimpleNamespace(look=lambda *_: _raise(RuntimeError("a bug"))())
        shop.observer = cast("Observer", bug)
        shop.push({"specs/shop.md": spec(requirement("TILL"))}, "Ask for work")
        with pytest.raises(RuntimeError):
            shop.settle()
        shop.observer = honest
        assert _doctor(shop).startswith("The work for team/shop (repository ")
        shop.ring_due()
        assert shop.issues() == []

        shop.forward(seconds=61)
        shop.ring_due()
        assert int(shop.tracking()["number"])
        assert _doctor(shop) == "none"


def test_the_doctor_reports_a_suspended_installation(tmp_path: Path) -> None:
    with house(tmp_path) as shop:
        shop.hub.apps.suspend(installation(shop))
        shop.settle()
        told = _doctor(shop)
        assert told.startswith("Headgate has no permission to work in team/shop")


def _doctor(shop: House) -> str:
    return _troubles(shop.settings).says


def test_endless_decisions_pause_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with house(tmp_path) as shop:
        shop.push({"specs/shop.md": spec(requirement("CART"))}, "A spec")
        with monkeypatch.context() as few:
            few.setattr("bot.shell.reconcile.ROUNDS_MAX", 1)
            with pytest.raises(RuntimeError, match="there is still something to decide"):
                shop.settle()
        (trouble,) = shop.ports.troubles.all()
        assert "After 1 rounds there is still something to decide" in trouble.why

        # Longer than it rests, and not so long that GitHub takes our clock for one that is off.
        shop.forward(minutes=2)
        shop.sweep()
        assert shop.ports.troubles.all() == ()


@pytest.mark.attack(
    "A repository with so much to do that nobody else gets the worker for minutes",
    held="`bot.shell.turns`: a turn of twenty seconds, then behind the jobs that wait",
)
def test_a_long_task_gives_turns_to_other_repositories(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with house(tmp_path) as shop:
        monkeypatch.setattr("bot.shell.reconcile.TURN", timedelta())
        shop.push({"specs/shop.md": spec(requirement("CART"))}, "A spec")
        assert shop.hub.wait_until_delivered(20)
        intake.digest(shop.ports, *shop.bell.take_deliveries())
        (repository,) = set(shop.bell.take_repositories())
        assert reconcile(shop.ports, shop.observer, repository) is Reconciled.TURN_OVER
        # Behind what waits; and found by the sweep where that ring is lost.
        assert shop.bell.take_repositories() == [repository]
        lease = shop.ports.journal.acquire(repository, "another", shop.clock.now())
        assert lease is not None
        assert not lease.was_left
        shop.ports.journal.release(lease)
        assert repository in shop.ports.journal.due(shop.clock.now())

        shop.ring_due()
        assert shop.ports.troubles.all() == ()
        assert "revision 1 of the plan waits" in shop.body(int(shop.tracking()["number"]))


def test_endless_turns_pause_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with house(tmp_path) as shop:
        shop.push({"specs/shop.md": spec(requirement("CART"))}, "A spec")
        with monkeypatch.context() as few:
            few.setattr("bot.shell.reconcile.TURN", timedelta())
            few.setattr("bot.shell.reconcile.ROUNDS_MAX", 2)
            with pytest.raises(RuntimeError, match="After 2 rounds"):
                shop.settle()
        assert [t.kind for t in shop.ports.troubles.all()] == [TroubleKind.ENDED]


def test_endless_effects_release_the_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One round performs many effects, for example many new issues."""
    with house(tmp_path) as shop:
        tracking = shop.plan(spec(requirement("CART"), requirement("DOOR"), requirement("TILL")))
        shop.comment(tracking, "/headgate approve")
        intake.digest(shop.ports, *shop.hold_deliveries())
        (repository,) = set(shop.bell.take_repositories())
        monkeypatch.setattr("bot.shell.reconcile.TURN", timedelta())
        before = len(shop.hub.exchanges)
        reconcile(shop.ports, shop.observer, repository)
        written = [one for one in shop.hub.exchanges[before:] if one.is_write]
        assert len([one for one in written if "graphql" not in one.path]) <= 1
