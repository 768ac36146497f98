"""Stories of the queue view: places, reasons to wait, and expected times."""

from action.order import AgentOrder, GateOrder
from bot.core.state.queue_view import Place, Wait, queue_view
from bot.core.talk.queue_text import waits_text
from bot.core.values.ids import PullNumber
from bot.core.values.lifecycle import QueuedPullState as P
from tests.core.kit import World, approved
from tests.core.queued_pulls import gates_of_pull
from tests.core.values import beside


def _queued(world: World, name: str, said: str = "/headgate queue") -> int:
    number = world.open_pull(name)
    world.say(number, said)
    world.settle()
    world.pass_time(1)
    return number


def _view(world: World) -> list[tuple[str, Wait]]:
    return [(one.entry, one.waits_for) for one in queue_view(world.state, world.now)]


def test_each_queue_entry_has_its_reason_to_wait() -> None:
    world = World()
    held, first, second = (_queued(world, name) for name in ("held", "one", "two"))
    world.say(held, "/headgate hold wait for the docs")
    world.settle()
    assert _view(world) == [
        (f"pull:{held}", Wait.HELD),
        (f"pull:{first}", Wait.GATES),
        (f"pull:{second}", Wait.AHEAD),
    ]
    world.say(held, "/headgate why")
    world.settle()
    said = "It is at place 1 of 3 in the queue: a person put it on hold (wait for the docs)."
    assert said in world.replies()
    world.say(held, "/headgate freeze")
    world.settle()
    world.judge(gates_of_pull(world, first))
    world.settle()
    assert dict(_view(world))[f"pull:{first}"] is Wait.FROZEN
    assert dict(_view(world))[f"pull:{second}"] is Wait.AHEAD


def test_a_pull_that_left_says_how_it_ended() -> None:
    world = World()
    number = _queued(world, "one")
    world.judge(gates_of_pull(world, number))
    world.settle()
    world.say(number, "/headgate why")
    world.settle()
    assert "It is on main." in world.replies()
    assert queue_view(world.state, world.now) == ()


def test_a_change_has_a_place_among_pulls() -> None:
    world = approved(beside(1))
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    number = _queued(world, "one")
    for order in world.open_orders(GateOrder):
        if world.state.orders[order].change is not None:
            world.judge(order)
    world.settle()
    change = world.change("R0")
    assert _view(world) == [(f"pull:{number}", Wait.GATES), (f"change:{change.id}", Wait.AHEAD)]


def test_expected_times_are_a_range_from_measured_gate_times() -> None:
    world = World()
    world.seconds = {"test": 60.0, "lint": 20.0}
    one = _queued(world, "one")
    assert queue_view(world.state, world.now)[0].expected_seconds is None
    world.judge(gates_of_pull(world, one))
    world.settle()
    assert world.state.queued_pulls[PullNumber(one)].state is P.LANDED
    two, three = _queued(world, "two"), _queued(world, "three")
    world.lease(gates_of_pull(world, two), seconds=600)
    world.settle()
    world.pass_time(30)
    first, second = queue_view(world.state, world.now)
    assert (first.entry, first.judged_seconds) == (f"pull:{two}", 30.0)
    assert first.expected_seconds == (30.0, 50.0)
    assert second.entry == f"pull:{three}"
    assert second.expected_seconds == (120.0, 160.0)
    assert waits_text(first) == "its gates are running, for 30 s so far; expected in 30 s to 50 s"
    assert waits_text(second) == "others are ahead of it; expected in 2 min to 3 min"


def test_unknown_times_are_not_shown() -> None:
    place = Place(place=1, entry="pull:1", number=1, title="x", waits_for=Wait.BUILD)
    assert waits_text(place) == "Headgate merges it on main next"
