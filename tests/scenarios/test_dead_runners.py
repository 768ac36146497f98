"""A runner may die at any stage of an order: it is placed again, with the same outcome.

A report for a lost order is kept and never used.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from action.order import AgentOrder
from bot.core.journal.events import LateReportKept
from bot.core.journal.state import OrderState
from bot.core.values.lifecycle import ChangeState
from bot.localhub.actions.runner_messages import Conclusion
from tests.simulation.baseline import EndState, all_work_ended, begin, end_state_of
from tests.simulation.laws import broken_laws, records_of
from tests.testkit.crash import FaultInjector, Supervisor
from tests.testkit.crashing_runner import CrashedJob, CrashingRunners, Stage, crashing_runners
from tests.testkit.house import house
from tests.testkit.runner import Lease

pytestmark = pytest.mark.slow

# Orders are given again three times at most, so each piece of work loses two runners.
AGENT_DEATHS = (
    (Stage.LEASE_ANSWERED, Stage.LEASED),
    (Stage.WORKED, Stage.UPLOADED),
    (Stage.REPORTED,),
)
GATE_DEATHS = ((Stage.LEASE_ANSWERED, Stage.LEASED), (Stage.WORKED,), (Stage.REPORTED,))
# Deaths that lose nothing: the report is there.
HARMLESS = {Stage.REPORTED}


@dataclass
class Plague:
    """Kills the runners of each piece of work at each stage in turn, then stops."""

    agents: list[list[Stage]] = field(default_factory=lambda: [list(s) for s in AGENT_DEATHS])
    gates: list[list[Stage]] = field(default_factory=lambda: [list(s) for s in GATE_DEATHS])

    def __call__(self, stage: Stage, lease: Lease | None) -> bool:
        if lease is None:
            return False
        plan = self.agents if isinstance(lease.order, AgentOrder) else self.gates
        if plan and not plan[0] and stage is Stage.REPORTED:
            plan.pop(0)
            return False
        if not plan or not plan[0] or plan[0][0] is not stage:
            return False
        plan[0].pop(0)
        if stage is Stage.REPORTED:
            plan.pop(0)
        return True


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> EndState:
    """The outcome of the day if no runner dies."""
    with house(tmp_path_factory.mktemp("calm")) as story:
        supervisor = Supervisor(story, FaultInjector())
        begin(supervisor)
        supervisor.finish(lambda: all_work_ended(story))
        return end_state_of(story)


@pytest.fixture
def supervisor(tmp_path: Path) -> Iterator[Supervisor]:
    """A house with a worker that does not crash."""
    with house(tmp_path) as story:
        yield Supervisor(story, FaultInjector())


def run_through(supervisor: Supervisor, runners: CrashingRunners, github_notices: bool) -> None:
    """Run to the end of the day; crashes are seen by GitHub, or only by missed heartbeats."""
    story = supervisor.story
    noticed: list[CrashedJob] = []
    for _ in range(60):
        supervisor.work()
        fresh = runners.crashed[len(noticed) :]
        noticed += fresh
        if all_work_ended(story) and not fresh:
            break
        if github_notices:
            for crashed_job in fresh:
                runners.fail_job(crashed_job)
        else:
            story.forward(seconds=46)
        supervisor.beat()
        supervisor.story.settle()
        for crashed_job in fresh:
            answer = runners.report_late(crashed_job)
            assert answer is None or answer.status_code == 410
            if not github_notices:
                runners.fail_job(crashed_job)


@pytest.mark.parametrize("github_notices", [True, False])
def test_dead_runners_at_any_stage_only_cost_time(
    supervisor: Supervisor, calm: EndState, github_notices: bool
) -> None:
    story = supervisor.story
    begin(supervisor)
    plague = Plague()
    runners = story.runner = crashing_runners(story.runner, plague)
    run_through(supervisor, runners, github_notices)

    assert not any(plague.agents)
    assert not any(plague.gates)
    assert not broken_laws(story)
    assert end_state_of(story) == calm
    lost = [o for o in story.state.orders.values() if o.state is OrderState.LOST]
    crashes = [c.stage for c in runners.crashed]
    assert len(lost) == len([stage for stage in crashes if stage not in HARMLESS])
    kept = [r for r in records_of(story) if isinstance(r.event, LateReportKept)]
    assert len(kept) == len([s for s in crashes if s in {Stage.WORKED, Stage.UPLOADED}])


def first_lease(supervisor: Supervisor) -> tuple[CrashingRunners, Lease]:
    """The first agent order of the day, taken by a runner that lives."""
    begin(supervisor)
    supervisor.work_without_runners()
    runners = supervisor.story.runner = crashing_runners(
        supervisor.story.runner, lambda _stage, _lease: False
    )
    job = runners.next_job()
    return runners, runners.lease_from(job, runners.ask_for_lease(job))


def test_a_runner_that_lost_the_lease_response_requests_it_again(
    supervisor: Supervisor, calm: EndState
) -> None:
    runners, first = first_lease(supervisor)
    again = runners.lease_from(first.job, runners.ask_for_lease(first.job))
    assert again.order == first.order
    assert runners.heartbeat(first).status_code == 401
    assert runners.heartbeat(again).json()["carry_on"] is True
    assert runners.ask_for_lease(first.job).status_code == 410
    runners.do(again)
    supervisor.finish(lambda: all_work_ended(supervisor.story))
    assert not broken_laws(supervisor.story)
    assert end_state_of(supervisor.story) == calm
    assert not [o for o in supervisor.story.state.orders.values() if o.state is OrderState.LOST]


def test_late_work_of_an_order_that_is_not_lost_is_used(
    supervisor: Supervisor, calm: EndState
) -> None:
    runners, lease = first_lease(supervisor)
    report = runners.work(lease)
    supervisor.story.forward(seconds=300)
    assert runners.report(lease, report).status_code == 202
    runners.complete(lease.job)
    supervisor.finish(lambda: all_work_ended(supervisor.story))
    assert not broken_laws(supervisor.story)
    assert end_state_of(supervisor.story) == calm
    assert not [o for o in supervisor.story.state.orders.values() if o.state is OrderState.LOST]


def test_a_run_that_a_person_cancels_is_ordered_again(
    supervisor: Supervisor, calm: EndState
) -> None:
    runners, lease = first_lease(supervisor)
    runners.heartbeat(lease)
    story = supervisor.story
    path = story.repo(f"/actions/runs/{lease.job.run_id}/cancel")
    assert story.api("POST", path).status_code == 202
    runners.complete(lease.job, Conclusion.CANCELLED)
    supervisor.finish(lambda: all_work_ended(story))
    assert not broken_laws(story)
    assert end_state_of(story) == calm
    (lost,) = (o for o in story.state.orders.values() if o.state is OrderState.LOST)
    assert lost.id == lease.order.order_id


def test_an_order_that_no_runner_takes_in_time_is_placed_again(
    supervisor: Supervisor, calm: EndState
) -> None:
    begin(supervisor)
    supervisor.work_without_runners()
    story = supervisor.story
    runners = story.runner = crashing_runners(story.runner, lambda _stage, _lease: False)
    never_asks = runners.next_job()
    story.forward(seconds=899)
    supervisor.beat()
    supervisor.work()
    assert not [o for o in story.state.orders.values() if o.state is OrderState.LOST]
    story.forward(seconds=2)
    supervisor.beat()
    supervisor.work_without_runners()
    assert runners.ask_for_lease(never_asks).status_code == 410
    runners.complete(never_asks, Conclusion.FAILURE)
    supervisor.finish(lambda: all_work_ended(story))
    assert not broken_laws(story)
    assert end_state_of(story) == calm


def test_a_change_that_loses_every_runner_fails_with_that_reason(supervisor: Supervisor) -> None:
    story = supervisor.story
    begin(supervisor)
    runners = crashing_runners(story.runner, lambda stage, _lease: stage is Stage.LEASED)
    story.runner = runners
    run_through(supervisor, runners, github_notices=False)
    assert not broken_laws(story)
    first, second = story.state.changes.values()
    assert first.state is ChangeState.FAILED
    assert "No runner completed its orders, 3 times in a row" in first.sentence
    assert second.state is ChangeState.WAITING
    report = story.comments(int(str(story.tracking()["number"])))[-1]
    assert "0 of 2 requirements landed" in report
