"""Stories of the queue issue: it lists the entries and what each waits for."""

from datetime import timedelta

from action.order import AgentOrder, GateOrder
from bot.core.decide.decide import wake_at
from bot.core.journal.effects import EditIssue, OpenIssue
from bot.core.journal.state import QUEUE, KeptIssue, snapshot_of, state_of
from bot.core.state.observed import Hint, HintKind, looks
from tests.core.kit import World, approved
from tests.core.queued_pulls import gates_of_pull
from tests.core.values import beside, policy


def _queued(world: World, name: str) -> int:
    number = world.open_pull(name)
    world.say(number, "/headgate queue")
    world.settle()
    world.pass_time(1)
    return number


def _opened(world: World) -> list[OpenIssue]:
    return [e for e in world.intended if isinstance(e, OpenIssue) and e.slug == QUEUE]


def _edits(world: World) -> list[str]:
    return [e.text for e in world.intended if isinstance(e, EditIssue) and e.region == QUEUE]


def _kept(world: World) -> KeptIssue:
    kept = world.state.queue_issue
    assert kept is not None
    return kept


def test_the_queue_issue_is_opened_at_the_first_wait_with_its_reason() -> None:
    world = World()
    world.settle()
    assert not _opened(world)
    number = _queued(world, "one")
    (opened,) = _opened(world)
    assert opened.title == "The queue of this repository"
    assert "**1 entry in the queue.**" in opened.body
    row = f"| 1 | #{number} Bring one (queued by `ann`) | its gates are running |  |"
    assert row in opened.body
    assert state_of(snapshot_of(world.state)).queue_issue == _kept(world)


def test_the_queue_issue_is_updated_at_most_once_a_minute() -> None:
    world = World()
    one = _queued(world, "one")
    two = _queued(world, "two")
    assert not _edits(world)
    told = _kept(world).told_at
    assert told is not None
    due = told + timedelta(minutes=1)
    assert wake_at(world.state, policy(), (), world.now) == due
    world.pass_time(60)
    world.settle()
    (first,) = _edits(world)
    assert f"| 2 | #{two} Bring two (queued by `ann`) | others are ahead of it |" in first
    world.pass_time(600)
    world.settle()
    assert _edits(world) == [first]
    world.judge(gates_of_pull(world, one))
    world.settle()
    world.pass_time(60)
    world.settle()
    assert f"#{one}" not in _edits(world)[-1]
    assert f"| 1 | #{two} " in _edits(world)[-1]


def test_the_issue_of_an_empty_queue_stays_open() -> None:
    world = World()
    world.judge(gates_of_pull(world, _queued(world, "one")))
    world.settle()
    world.pass_time(60)
    world.settle()
    assert "**0 entries in the queue.**" in _edits(world)[-1]
    _queued(world, "two")
    assert len(_opened(world)) == 1


def test_the_queue_issue_shows_a_freeze() -> None:
    world = World()
    number = _queued(world, "one")
    world.say(number, "/headgate freeze the demo is on")
    world.settle()
    world.pass_time(60)
    world.settle()
    assert "**The queue is frozen** by @ann" in _edits(world)[-1]


def test_running_gates_are_shown_with_their_start_time() -> None:
    world = World()
    world.seconds = {"test": 60.0, "lint": 20.0}
    world.judge(gates_of_pull(world, _queued(world, "one")))
    world.settle()
    two = _queued(world, "two")
    world.lease(gates_of_pull(world, two), seconds=6_000)
    world.pass_time(60)
    world.settle()
    text = _edits(world)[-1]
    assert "its gates are running, since 2" in text
    assert "| 60 s to 80 s of gates |" in text
    world.pass_time(120)
    world.settle()
    assert _edits(world)[-1] == text


def test_why_shows_the_queue_place_of_a_change() -> None:
    world = approved(beside(1))
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    _queued(world, "one")
    for order in world.open_orders(GateOrder):
        if world.state.orders[order].change is not None:
            world.judge(order)
    world.settle()
    change = world.change("R0")
    assert change.issue is not None
    world.say(change.issue, "/headgate why")
    world.settle()
    assert "It is at place 2 of 2 in the queue: others are ahead of it" in world.replies()


def test_a_change_that_passes_and_lands_at_once_costs_no_issue() -> None:
    world = approved(beside(1))
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    world.judge(world.open_orders(GateOrder)[0])
    world.settle()
    assert world.change("R0").landed is not None
    assert not _opened(world)
    # Issues of spec runs are others.
    assert world.state.queue_issue is None


def test_the_queue_issue_is_not_read_as_a_work_request() -> None:
    world = World()
    _queued(world, "one")
    number = _kept(world).number
    hints = (Hint(kind=HintKind.ISSUE, number=number),)
    assert looks(world.state, hints, world.now).spec_issues == ()


def test_during_an_outage_of_github_only_one_edit_waits() -> None:
    world = World()
    one = _queued(world, "one")
    world.unreachable.add("EditIssue")
    world.say(one, "/headgate hold")
    world.pass_time(60)
    world.settle()
    assert len(_edits(world)) == 1
    world.say(one, "/headgate freeze")
    world.settle()
    assert len(_edits(world)) == 1
