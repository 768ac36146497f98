"""A worker may die at any point, and GitHub's responses may be lost: the outcome is the same.

The story is one spec, two changes, one of which needs a second attempt. The moments are discovered
by the run itself, so that a new effect is covered by being there. `python -m
tests.simulation.every_crash` dies at each point of the run alone; here it dies at each kind.
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
from tests.simulation.baseline import (
    SPEC,
    SPEC_PATH,
    EndState,
    all_work_ended,
    begin,
    end_state_of,
    fails_first_attempt,
    push,
    run_with_people,
    say,
)
from tests.simulation.laws import broken_laws
from tests.simulation.random_faults import CREATES, GRAPHQL, PUSHES, REPOSITORY
from tests.testkit.crash import (
    CrashPoint,
    FaultInjector,
    Killed,
    Side,
    Supervisor,
    crash_at_first_of_each,
    ports_on_story_clock,
)
from tests.testkit.house import House, house

pytestmark = pytest.mark.slow

ANSWERED = (*CREATES, GRAPHQL)


@contextmanager
def supervised(
    folder: Path, on_point: Callable[[CrashPoint], None] = lambda _: None
) -> Iterator[Supervisor]:
    """A house with a worker that can crash."""
    with house(folder) as story:
        yield Supervisor(story, FaultInjector(on_point))


def run_the_day(supervisor: Supervisor) -> EndState:
    """Run the ordinary day to its end; all invariants hold."""
    begin(supervisor)
    return run_on(supervisor)


def run_on(supervisor: Supervisor) -> EndState:
    """Run the rest of the day."""
    story = supervisor.story
    supervisor.finish(lambda: all_work_ended(story))
    story.hub.faults.clear()
    assert not broken_laws(story)
    return end_state_of(story)


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> EndState:
    """The outcome of the day without faults."""
    with supervised(tmp_path_factory.mktemp("calm")) as supervisor:
        return run_the_day(supervisor)


@pytest.mark.parametrize("side", Side)
def test_a_crash_at_any_kind_of_write_changes_no_outcome(
    tmp_path: Path, calm: EndState, side: Side
) -> None:
    with supervised(tmp_path, crash_at_first_of_each(side)) as supervisor:
        assert run_the_day(supervisor) == calm
        crashed_at = " ".join(supervisor.crashes)
        for effect in ("OpenIssue", "DispatchOrder", "PrepareStart", "LandCandidate"):
            assert f"{side} intend {effect}" in crashed_at or f"+ intend {effect}" in crashed_at
            assert f"EffectDone {effect}" in crashed_at
        assert f"{side} move_main" in supervisor.crashes


@pytest.fixture(scope="module")
def meddled(tmp_path_factory: pytest.TempPathFactory) -> EndState:
    """The outcome of a day with people's commands, without faults."""
    with supervised(tmp_path_factory.mktemp("meddled")) as supervisor:
        run_with_people(supervisor)
        return run_on(supervisor)


@pytest.mark.parametrize("side", Side)
def test_a_crash_during_stop_and_retry_changes_no_outcome(
    tmp_path: Path, meddled: EndState, side: Side
) -> None:
    with supervised(tmp_path, crash_at_first_of_each(side)) as supervisor:
        run_with_people(supervisor)
        assert run_on(supervisor) == meddled
        crashed_at = " ".join(supervisor.crashes)
        for effect in ("PostCommitComment", "RevokeOrder", "ClosePull", "ReopenIssue"):
            assert f"EffectDone {effect}" in crashed_at


@pytest.mark.parametrize("nth", [1, 2])
def test_lost_responses_create_no_duplicates(tmp_path: Path, calm: EndState, nth: int) -> None:
    with supervised(tmp_path) as supervisor:
        for path in ANSWERED:
            plant(supervisor.story, FaultKind.LOSE_ANSWER, path, nth)
        assert run_the_day(supervisor) == calm


def test_lost_responses_to_pushes_lose_no_work(tmp_path: Path, calm: EndState) -> None:
    with supervised(tmp_path) as supervisor:
        supervisor.story.runner.agent = fails_first_attempt
        for nth in range(2, 40, 2):
            plant(supervisor.story, FaultKind.LOSE_ANSWER, PUSHES, nth)
        assert run_the_day(supervisor) == calm


def test_a_short_outage_of_github_loses_no_work(tmp_path: Path, calm: EndState) -> None:
    with supervised(tmp_path) as supervisor:
        for path in (*ANSWERED, PUSHES):
            plant(supervisor.story, FaultKind.REFUSE_BEFORE, path, 1 + (path == PUSHES), 2)
        plant(supervisor.story, FaultKind.REFUSE_BEFORE, REPOSITORY, 20, 6)
        assert run_the_day(supervisor) == calm


def plant(story: House, kind: FaultKind, path: str, nth: int, times: int = 1) -> None:
    """A fault of the bot's creates and pushes at a path, or of its reads."""
    method = "GET" if path == REPOSITORY else "POST"
    story.hub.faults.add(Fault(kind=kind, method=method, path_glob=path, nth=nth, times=times))


@pytest.mark.parametrize(("told_seconds", "waits_seconds"), [(300, 300), (None, 60)])
def test_no_request_is_sent_while_a_limit_lasts(
    tmp_path: Path, calm: EndState, told_seconds: int | None, waits_seconds: int
) -> None:
    with supervised(tmp_path) as supervisor:
        story = supervisor.story
        story.hub.faults.add(
            Fault(
                kind=FaultKind.REFUSE_BEFORE,
                method="POST",
                path_glob="*/issues",
                status=403,
                message="You have exceeded a secondary rate limit.",
                retry_after_seconds=told_seconds,
            )
        )
        story.runner.agent = fails_first_attempt
        push(story, {SPEC_PATH: SPEC}, "Ask for a kiosk")
        supervisor.work()
        asked = asked_by_us(story)
        # Whoever was told off does not send what else it had in hand, either.
        ours = [e for e in story.hub.exchanges if e.token_kind is TokenKind.INSTALLATION]
        assert ours[-1].status == 403
        for _ in range(3):
            story.forward(seconds=waits_seconds / 4)
            supervisor.beat()
            supervisor.work()
        assert asked_by_us(story) == asked
        supervisor.finish(lambda: any(r.revisions_shown for r in story.state.spec_runs.values()))
        say(story, "/headgate approve")
        assert run_on(supervisor) == calm


def test_requests_to_an_unavailable_github_have_growing_delays(tmp_path: Path) -> None:
    with supervised(tmp_path) as supervisor:
        story = supervisor.story
        story.hub.faults.add(
            Fault(kind=FaultKind.REFUSE_BEFORE, path_glob="*/info/refs", times=10_000)
        )
        push(story, {SPEC_PATH: SPEC}, "Ask for a kiosk")
        for _ in range(10):
            supervisor.beat()
            supervisor.work()
        refused = [e for e in story.hub.exchanges if e.status == 502]
        assert len(refused) == 1
        story.forward(seconds=6)
        supervisor.beat()
        supervisor.work()
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


def test_a_worker_that_lost_its_lease_writes_no_events(tmp_path: Path, calm: EndState) -> None:
    with supervised(tmp_path) as supervisor:
        story, injector = supervisor.story, supervisor.injector
        rival = ports_on_story_clock(story, "rival")
        observer = Observer(rival)
        held_up: dict[str, int] = {}

        def hold_up(point: CrashPoint) -> None:
            # The issue first: whoever takes over before it is opened opens it.
            wanted = HELD_UP if "open_issue" in held_up else HELD_UP[:1]
            fresh = set(point.names) & set(wanted) - set(held_up)
            if point.side is Side.AFTER and fresh:
                story.forward(seconds=LEASE_SECONDS + 1)
                repository = rival.journal.repositories()[0]
                assert reconcile(rival, observer, repository) is Reconciled.QUIET
                held_up.update(dict.fromkeys(fresh, len(injector.reached)))

        injector.on_point = hold_up
        assert run_the_day(supervisor) == calm
        assert set(held_up) == set(HELD_UP)
        for name, place in held_up.items():
            later = injector.reached[place:]
            until = next(i for i, m in enumerate(later) if m.names == ("acquire",))
            written = {m.names for m in later[:until] if m.side is Side.AFTER}
            # A run is bound to an order only where none is: late, it changes nothing.
            assert written <= {("drop_hints",), ("put_hints",), ("mark_read",), ("bind",)}, name


def test_a_reopened_pull_is_not_confused_with_the_closed_one(
    tmp_path: Path, meddled: EndState
) -> None:
    with supervised(tmp_path) as supervisor:
        opened: list[CrashPoint] = []

        def die_before_the_second(point: CrashPoint) -> None:
            if point == CrashPoint(("open_pull",), Side.BEFORE):
                opened.append(point)
                if len(opened) == 2:
                    raise Killed(str(point))

        supervisor.injector.on_point = die_before_the_second
        run_with_people(supervisor)
        assert run_on(supervisor) == meddled
        assert supervisor.crashes
