"""Late and lost messages make Headgate slower and move nothing backwards."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from action.order import AgentOrder
from bot.core.values.lifecycle import ChangeState
from bot.localhub.faults import WEBHOOK, Fault, FaultKind
from bot.shell.sweep import Beats
from tests.simulation.everyday import SPEC, SPEC_PATH, at_rest, begin, forgetful, push, say
from tests.simulation.laws import broken_laws
from tests.testkit.crash import Hazard, Moment, Side, Ward
from tests.testkit.house import house

pytestmark = pytest.mark.slow


@pytest.fixture
def ward(tmp_path: Path) -> Iterator[Ward]:
    """A house with a worker."""
    with house(tmp_path) as story:
        yield Ward(story, Hazard())


def test_a_landing_with_a_lost_response_lands_once_on_a_moved_main(ward: Ward) -> None:
    story = ward.story
    lost: list[Moment] = []

    def lose_and_push(moment: Moment) -> None:
        if moment.names != ("move_main",) or len(lost) > 1:
            return
        lost.append(moment)
        if moment.side is Side.BEFORE:
            fault = Fault(kind=FaultKind.LOSE_ANSWER, path_glob="/api/graphql", nth=2)
            story.hub.faults.add(fault)
        else:
            raise AssertionError("the answer was to be lost")

    ward.hazard.strike = lose_and_push
    begin(ward)
    ward.work()
    assert lost
    push(story, {"README.md": "# A busy shop\n"}, "Edit the readme")
    ward.finish(lambda: at_rest(story))
    assert broken_laws(story) == []


def test_an_order_stopped_before_its_dispatch_is_never_leased(
    ward: Ward,
) -> None:
    story = ward.story
    begin(ward)
    story.hub.faults.add(
        Fault(kind=FaultKind.REFUSE_BEFORE, method="POST", path_glob="*/dispatches", times=3)
    )
    ward.work()
    say(story, "/headgate stop")
    ward.finish(lambda: at_rest(story))
    assert broken_laws(story) == []
    assert not [o for o in story.runner.taken if isinstance(o, AgentOrder)]


def test_a_comment_without_a_webhook_is_read_hours_later(ward: Ward) -> None:
    story = ward.story
    story.runner.agent = forgetful
    push(story, {SPEC_PATH: SPEC}, "Ask for a kiosk")
    ward.work()
    story.hub.faults.add(Fault(kind=FaultKind.DROP, method=WEBHOOK, path_glob="issue_comment.*"))
    say(story, "/headgate approve")
    story.forward(hours=5)
    ward.beats = Beats()
    ward.beat()
    ward.finish(lambda: at_rest(story))
    assert broken_laws(story) == []
    assert all(c.state is ChangeState.LANDED for c in story.state.changes.values())


def test_a_failed_list_of_installations_stops_nothing_else(ward: Ward) -> None:
    story = ward.story
    begin(ward)
    story.hub.faults.add(
        Fault(kind=FaultKind.REFUSE_BEFORE, path_glob="/app/installations", times=10_000)
    )
    story.bell.deliveries.clear()
    story.hub.wait_until_delivered(20)
    story.bell.deliveries.clear()
    story.forward(seconds=3)
    ward.beats = Beats()
    for _ in range(3):
        ward.beat()
    ward.finish(lambda: at_rest(story))
    asked = [e for e in story.hub.exchanges if e.path == "/app/installations"]
    assert len(asked) <= 2
    assert broken_laws(story) == []
