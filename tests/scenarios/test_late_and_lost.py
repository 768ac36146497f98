"""Late and lost messages make Headgate slower but never restore an old state."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from action.order import AgentOrder
from bot.core.values.lifecycle import ChangeState
from bot.localhub.faults import WEBHOOK, Fault, FaultKind
from bot.shell.sweep import SweepState
from tests.simulation.baseline import (
    SPEC,
    SPEC_PATH,
    all_work_ended,
    begin,
    fails_first_attempt,
    push,
    say,
)
from tests.simulation.laws import broken_laws
from tests.testkit.crash import CrashPoint, FaultInjector, Side, Supervisor
from tests.testkit.house import house

pytestmark = pytest.mark.slow


@pytest.fixture
def supervisor(tmp_path: Path) -> Iterator[Supervisor]:
    """A house with a worker."""
    with house(tmp_path) as story:
        yield Supervisor(story, FaultInjector())


def test_a_landing_with_a_lost_response_lands_once_on_a_moved_main(supervisor: Supervisor) -> None:
    story = supervisor.story
    lost: list[CrashPoint] = []

    def lose_and_push(point: CrashPoint) -> None:
        if point.names != ("move_main",) or len(lost) > 1:
            return
        lost.append(point)
        if point.side is Side.BEFORE:
            fault = Fault(kind=FaultKind.LOSE_ANSWER, path_glob="/api/graphql")
            story.hub.faults.add(fault)
        else:
            raise AssertionError("the answer was to be lost")

    supervisor.injector.on_point = lose_and_push
    begin(supervisor)
    supervisor.work()
    assert lost
    push(story, {"README.md": "# A busy shop\n"}, "Edit the readme")
    supervisor.finish(lambda: all_work_ended(story))
    assert broken_laws(story) == []


def test_an_order_stopped_before_its_dispatch_is_never_leased(
    supervisor: Supervisor,
) -> None:
    story = supervisor.story
    begin(supervisor)
    story.hub.faults.add(
        Fault(kind=FaultKind.REFUSE_BEFORE, method="POST", path_glob="*/dispatches", times=3)
    )
    supervisor.work()
    say(story, "/headgate stop")
    supervisor.finish(lambda: all_work_ended(story))
    assert broken_laws(story) == []
    assert not [o for o in story.runner.taken if isinstance(o, AgentOrder)]


def test_a_comment_without_a_webhook_is_read_hours_later(supervisor: Supervisor) -> None:
    story = supervisor.story
    story.runner.agent = fails_first_attempt
    push(story, {SPEC_PATH: SPEC}, "Ask for a kiosk")
    supervisor.work()
    story.hub.faults.add(Fault(kind=FaultKind.DROP, method=WEBHOOK, path_glob="issue_comment.*"))
    say(story, "/headgate approve")
    story.forward(hours=5)
    supervisor.beats = SweepState()
    supervisor.beat()
    supervisor.finish(lambda: all_work_ended(story))
    assert broken_laws(story) == []
    assert all(c.state is ChangeState.LANDED for c in story.state.changes.values())


def test_a_failed_list_of_installations_does_not_stop_other_work(supervisor: Supervisor) -> None:
    story = supervisor.story
    begin(supervisor)
    story.hub.faults.add(
        Fault(kind=FaultKind.REFUSE_BEFORE, path_glob="/app/installations", times=10_000)
    )
    story.bell.deliveries.clear()
    story.hub.wait_until_delivered(20)
    story.bell.deliveries.clear()
    story.forward(seconds=3)
    supervisor.beats = SweepState()
    for _ in range(3):
        supervisor.beat()
    supervisor.finish(lambda: all_work_ended(story))
    asked = [e for e in story.hub.exchanges if e.path == "/app/installations"]
    assert len(asked) <= 2
    assert broken_laws(story) == []
