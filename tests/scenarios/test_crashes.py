"""A worker may die at any moment, and GitHub's responses may be lost: the outcome is the same.

The story is one spec, two changes, one of which needs a second attempt. The moments are discovered
by the run itself, so that a new effect is covered by being there. `python -m
tests.simulation.every_crash` dies at each moment of the run alone; here it dies at each kind.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.adapters.store.journal import LEASE_SECONDS
from bot.localhub.faults import Fault, FaultKind
from bot.localhub.model import TokenKind
from bot.shell.observe import Observer
from bot.shell.reconcile import Reconciled, reconcile
from tests.simulation.everyday import (
    SPEC,
    SPEC_PATH,
    Ending,
    at_rest,
    begin,
    ending_of,
    forgetful,
    meddle,
    push,
    say,
)
from tests.simulation.laws import broken_laws
from tests.simulation.trouble import CREATES, GRAPHQL, PUSHES, REPOSITORY
from tests.testkit.crash import Hazard, Killed, Moment, Side, Ward, at_each_first, ports_in_time
from tests.testkit.house import House, house

pytestmark = pytest.mark.slow

ANSWERED = (*CREATES, GRAPHQL)


@contextmanager
def warded(folder: Path, strike: Callable[[Moment], None] = lambda _: None) -> Iterator[Ward]:
    """A house with a worker that can crash."""
    with house(folder) as story:
        yield Ward(story, Hazard(strike))


def run_the_day(ward: Ward) -> Ending:
    """Run the ordinary day to its end; all invariants hold."""
    begin(ward)
    return run_on(ward)


def run_on(ward: Ward) -> Ending:
    """Run the rest of the day."""
    story = ward.story
    ward.finish(lambda: at_rest(story))
    story.hub.faults.clear()
    assert not broken_laws(story)
    return ending_of(story)


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Ending:
    """The outcome of the day without faults."""
    with warded(tmp_path_factory.mktemp("calm")) as ward:
        return run_the_day(ward)


@pytest.mark.parametrize("side", Side)
def test_a_crash_at_any_kind_of_write_changes_no_outcome(
    tmp_path: Path, calm: Ending, side: Side
) -> None:
    with warded(tmp_path, at_each_first(side)) as ward:
        assert run_the_day(ward) == calm
        died_at = " ".join(ward.deaths)
        for effect in ("OpenIssue", "DispatchOrder", "PrepareStart", "LandCandidate"):
            assert f"{side} intend {effect}" in died_at or f"+ intend {effect}" in died_at
            assert f"EffectDone {effect}" in died_at
        assert f"{side} move_main" in ward.deaths


@pytest.fixture(scope="module")
def meddled(tmp_path_factory: pytest.TempPathFactory) -> Ending:
    """The outcome of a day with people's commands, without faults."""
    with warded(tmp_path_factory.mktemp("meddled")) as ward:
        meddle(ward)
        return run_on(ward)


@pytest.mark.parametrize("side", Side)
def test_a_crash_during_stop_and_retry_changes_no_outcome(
    tmp_path: Path, meddled: Ending, side: Side
) -> None:
    with warded(tmp_path, at_each_first(side)) as ward:
        meddle(ward)
        assert run_on(ward) == meddled
        died_at = " ".join(ward.deaths)
        for effect in ("PostCommitComment", "RevokeOrder", "ClosePull", "ReopenIssue"):
            assert f"EffectDone {effect}" in died_at


@pytest.mark.parametrize("nth", [1, 2])
def test_lost_responses_create_nothing_twice(tmp_path: Path, calm: Ending, nth: int) -> None:
    with warded(tmp_path) as ward:
        for path in ANSWERED:
            plant(ward.story, FaultKind.LOSE_ANSWER, path, nth)
        assert run_the_day(ward) == calm


def test_lost_responses_to_pushes_lose_nothing(tmp_path: Path, calm: Ending) -> None:
    with warded(tmp_path) as ward:
        ward.story.runner.agent = forgetful
        for nth in range(2, 40, 2):
            plant(ward.story, FaultKind.LOSE_ANSWER, PUSHES, nth)
        assert run_the_day(ward) == calm


def test_a_short_outage_of_github_loses_nothing(tmp_path: Path, calm: Ending) -> None:
    with warded(tmp_path) as ward:
        for path in (*ANSWERED, PUSHES):
            plant(ward.story, FaultKind.REFUSE_BEFORE, path, 1 + (path == PUSHES), 2)
        plant(ward.story, FaultKind.REFUSE_BEFORE, REPOSITORY, 20, 10)
        assert run_the_day(ward) == calm


def plant(story: House, kind: FaultKind, path: str, nth: int, times: int = 1) -> None:
    """A fault of the bot's creates and pushes at a path, or of its reads."""
    method = "GET" if path == REPOSITORY else "POST"
    story.hub.faults.add(Fault(kind=kind, method=method, path_glob=path, nth=nth, times=times))


@pytest.mark.parametrize(("told_seconds", "waits_seconds"), [(300, 300), (None, 60)])
def test_no_request_is_sent_while_a_limit_lasts(
    tmp_path: Path, calm: Ending, told_seconds: int | None, waits_seconds: int
) -> None:
    with warded(tmp_path) as ward:
        story = ward.story
        story.hub.faults.add(
            Fault(
                kind=FaultKind.REFUSE_BEFORE,
                method="POST",
                path_glob="*/sub_issues",
                status=403,
                message="You have exceeded a secondary rate limit.",
                retry_after_seconds=told_seconds,
            )
        )
        story.runner.agent = forgetful
        push(story, {SPEC_PATH: SPEC}, "Ask for a kiosk")
        ward.work()
        asked = asked_by_us(story)
        # Whoever was told off does not send what else it had in hand, either.
        ours = [e for e in story.hub.exchanges if e.token_kind is TokenKind.INSTALLATION]
        assert ours[-1].status == 403
        for _ in range(3):
            story.forward(seconds=waits_seconds / 4)
            ward.beat()
            ward.work()
        assert asked_by_us(story) == asked
        say(story, "/headgate approve")
        assert run_on(ward) == calm


def test_an_unavailable_github_is_asked_with_growing_delays(tmp_path: Path) -> None:
    with warded(tmp_path) as ward:
        story = ward.story
        story.hub.faults.add(
            Fault(kind=FaultKind.REFUSE_BEFORE, path_glob="*/info/refs", times=10_000)
        )
        push(story, {SPEC_PATH: SPEC}, "Ask for a kiosk")
        for _ in range(10):
            ward.beat()
            ward.work()
        refused = [e for e in story.hub.exchanges if e.status == 502]
        assert len(refused) == 1
        story.forward(seconds=6)
        ward.beat()
        ward.work()
        assert len([e for e in story.hub.exchanges if e.status == 502]) == 2


def asked_by_us(story: House) -> int:
    """The number of requests by our App."""
    ours = {TokenKind.INSTALLATION, TokenKind.APP_JWT}
    return sum(1 for exchange in story.hub.exchanges if exchange.token_kind in ours)


# Where the first worker is held up until another one has its lease.
HELD_UP = (
    "open_issue",
    "dispatch_workflow",
    "intend ImportBundle",
    "push headgate/candidates",
    "intend LandCandidate",
    "intend OpenPull",
    "move_main",
)


def test_a_worker_without_its_lease_writes_nothing(tmp_path: Path, calm: Ending) -> None:
    with warded(tmp_path) as ward:
        story, hazard = ward.story, ward.hazard
        rival = ports_in_time(story, "rival")
        observer = Observer(rival)
        held_up: dict[str, int] = {}

        def hold_up(moment: Moment) -> None:
            fresh = set(moment.names) & set(HELD_UP) - set(held_up)
            if moment.side is Side.AFTER and fresh:
                story.forward(seconds=LEASE_SECONDS + 1)
                repository = rival.journal.repositories()[0]
                assert reconcile(rival, observer, repository) is Reconciled.QUIET
                held_up.update(dict.fromkeys(fresh, len(hazard.met)))

        hazard.strike = hold_up
        assert run_the_day(ward) == calm
        assert set(held_up) == set(HELD_UP)
        for name, place in held_up.items():
            later = hazard.met[place:]
            until = next(i for i, m in enumerate(later) if m.names == ("acquire",))
            written = {m.names for m in later[:until] if m.side is Side.AFTER}
            # A run is bound to an order only where none is: late, it changes nothing.
            assert written <= {("drop_hints",), ("put_hints",), ("mark_read",), ("bind",)}, name


def test_a_reopened_pull_is_not_confused_with_the_closed_one(
    tmp_path: Path, meddled: Ending
) -> None:
    with warded(tmp_path) as ward:
        opened: list[Moment] = []

        def die_before_the_second(moment: Moment) -> None:
            if moment == Moment(("open_pull",), Side.BEFORE):
                opened.append(moment)
                if len(opened) == 2:
                    raise Killed(str(moment))

        ward.hazard.strike = die_before_the_second
        meddle(ward)
        assert run_on(ward) == meddled
        assert ward.deaths
