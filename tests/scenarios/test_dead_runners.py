"""A runner may die at any stage of an order: the order is placed again, and the outcome is the same.

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
from tests.simulation.everyday import Ending, at_rest, begin, ending_of
from tests.simulation.laws import broken_laws, records_of
from tests.testkit.crash import Hazard, Ward
from tests.testkit.house import house
from tests.testkit.mortal import Corpse, MortalRunners, Stage, mortal_runners
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
def calm(tmp_path_factory: pytest.TempPathFactory) -> Ending:
    """The outcome of the day if no runner dies."""
    with house(tmp_path_factory.mktemp("calm")) as story:
        ward = Ward(story, Hazard())
        begin(ward)
        ward.finish(lambda: at_rest(story))
        return ending_of(story)


@pytest.fixture
def ward(tmp_path: Path) -> Iterator[Ward]:
    """A house with a worker that does not crash."""
    with house(tmp_path) as story:
        yield Ward(story, Hazard())


def run_through(ward: Ward, runners: MortalRunners, github_notices: bool) -> None:
    """Run to the end of the day; deaths are seen by GitHub, or only by missed heartbeats."""
    story = ward.story
    noticed: list[Corpse] = []
    for _ in range(60):
        ward.work()
        fresh = runners.corpses[len(noticed) :]
        noticed += fresh
        if at_rest(story) and not fresh:
            break
        if github_notices:
            for corpse in fresh:
                runners.bury(corpse)
        else:
            story.forward(seconds=46)
        ward.beat()
        ward.story.settle()
        for corpse in fresh:
            answer = runners.haunt(corpse)
            assert answer is None or answer.status_code == 410
            if not github_notices:
                runners.bury(corpse)


@pytest.mark.parametrize("github_notices", [True, False])
def test_runners_that_die_at_any_stage_only_cost_time(
    ward: Ward, calm: Ending, github_notices: bool
) -> None:
    story = ward.story
    begin(ward)
    plague = Plague()
    runners = story.runner = mortal_runners(story.runner, plague)
    run_through(ward, runners, github_notices)

    assert not any(plague.agents)
    assert not any(plague.gates)
    assert not broken_laws(story)
    assert ending_of(story) == calm
    lost = [o for o in story.state.orders.values() if o.state is OrderState.LOST]
    deaths = [c.stage for c in runners.corpses]
    assert len(lost) == len([stage for stage in deaths if stage not in HARMLESS])
    kept = [r for r in records_of(story) if isinstance(r.event, LateReportKept)]
    assert len(kept) == len([s for s in deaths if s in {Stage.WORKED, Stage.UPLOADED}])


def first_lease(ward: Ward) -> tuple[MortalRunners, Lease]:
    """The first agent order of the day, taken by a runner that lives."""
    begin(ward)
    ward.work_without_runners()
    runners = ward.story.runner = mortal_runners(ward.story.runner, lambda _stage, _lease: False)
    job = runners.next_job()
    return runners, runners.lease_from(job, runners.ask_for_lease(job))


def test_a_runner_that_lost_the_lease_response_asks_again(ward: Ward, calm: Ending) -> None:
    runners, first = first_lease(ward)
    again = runners.lease_from(first.job, runners.ask_for_lease(first.job))
    assert again.order == first.order
    assert runners.heartbeat(first).status_code == 401
    assert runners.heartbeat(again).json()["carry_on"] is True
    assert runners.ask_for_lease(first.job).status_code == 410
    runners.do(again)
    ward.finish(lambda: at_rest(ward.story))
    assert not broken_laws(ward.story)
    assert ending_of(ward.story) == calm
    assert not [o for o in ward.story.state.orders.values() if o.state is OrderState.LOST]


def test_late_work_of_an_order_that_is_not_lost_is_used(ward: Ward, calm: Ending) -> None:
    runners, lease = first_lease(ward)
    report = runners.work(lease)
    ward.story.forward(seconds=300)
    assert runners.report(lease, report).status_code == 202
    runners.complete(lease.job)
    ward.finish(lambda: at_rest(ward.story))
    assert not broken_laws(ward.story)
    assert ending_of(ward.story) == calm
    assert not [o for o in ward.story.state.orders.values() if o.state is OrderState.LOST]


def test_a_run_that_a_person_cancels_is_ordered_again(ward: Ward, calm: Ending) -> None:
    runners, lease = first_lease(ward)
    runners.heartbeat(lease)
    story = ward.story
    path = story.repo(f"/actions/runs/{lease.job.run_id}/cancel")
    assert story.api("POST", path).status_code == 202
    runners.complete(lease.job, Conclusion.CANCELLED)
    ward.finish(lambda: at_rest(story))
    assert not broken_laws(story)
    assert ending_of(story) == calm
    (lost,) = (o for o in story.state.orders.values() if o.state is OrderState.LOST)
    assert lost.id == lease.order.order_id


def test_an_order_that_no_runner_takes_in_time_is_placed_again(ward: Ward, calm: Ending) -> None:
    begin(ward)
    ward.work_without_runners()
    story = ward.story
    runners = story.runner = mortal_runners(story.runner, lambda _stage, _lease: False)
    never_asks = runners.next_job()
    story.forward(seconds=899)
    ward.beat()
    ward.work()
    assert not [o for o in story.state.orders.values() if o.state is OrderState.LOST]
    story.forward(seconds=2)
    ward.beat()
    ward.work_without_runners()
    assert runners.ask_for_lease(never_asks).status_code == 410
    runners.complete(never_asks, Conclusion.FAILURE)
    ward.finish(lambda: at_rest(story))
    assert not broken_laws(story)
    assert ending_of(story) == calm


def test_a_change_that_loses_every_runner_fails_with_that_reason(ward: Ward) -> None:
    story = ward.story
    begin(ward)
    runners = mortal_runners(story.runner, lambda stage, _lease: stage is Stage.LEASED)
    story.runner = runners
    run_through(ward, runners, github_notices=False)
    assert not broken_laws(story)
    first, second = story.state.changes.values()
    assert first.state is ChangeState.FAILED
    assert "orders were lost 3 times in a row" in first.sentence
    assert second.state is ChangeState.WAITING
    report = story.comments(int(str(story.tracking()["number"])))[-1]
    assert "0 of 2 requirements landed" in report
