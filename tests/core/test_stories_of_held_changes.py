"""Stories of commands about a change's queue place: hold, release, priority and now."""

import pytest

from action.order import AgentOrder, GateOrder
from bot.core.journal.state import LedgerKind
from bot.core.state.queue_order import SERIAL
from bot.core.state.queue_view import Wait, queue_view
from bot.core.state.reason import Cause, reason_of
from bot.core.talk.now_text import now_text
from bot.core.talk.replies import why_reply
from bot.core.values.ids import ChangeId
from bot.core.values.lifecycle import ChangeState as S, OfferStage, QueuedPullState as P
from bot.core.values.repository import Role
from tests.core.kit import World, approved, judging
from tests.core.queued_pulls import entry_of, judge_pull, pull_of, queue_pulls, said_at
from tests.core.values import GATES, beside, policy


def _say(world: World, slug: str, text: str, role: Role = Role.MAINTAIN) -> str:
    """Says it in the change's issue; what is replied."""
    issue = world.change(slug).issue
    assert issue is not None
    comment = world.say(issue, text, role=role)
    world.settle()
    assert comment in world.state.answered
    return said_at(world, issue).rpartition("\n")[2]


def _handed_in(count: int) -> World:
    """Changes side by side, each with its work handed in and waiting for its gates."""
    world = approved(beside(count), f"{GATES}max_parallel: {count}\n")
    for order in world.open_orders(AgentOrder):
        world.hand_in(order)
    world.settle()
    return world


def _judge_all(world: World, times: int = 6) -> None:
    for _ in range(times):
        for order in world.open_orders(GateOrder):
            world.judge(order)
        world.settle()
        world.pass_time(1)


def _landed(world: World) -> list[ChangeId | None]:
    return [line.change for line in world.state.ledger if line.kind is LedgerKind.LANDED]


def test_a_held_change_is_judged_and_does_not_land_until_it_is_released() -> None:
    world, order = judging()
    said = _say(world, "R0", "/headgate hold the docs are not ready", Role.WRITE)
    assert said.endswith("it does not land until `/headgate release`.")
    world.judge(order)
    _judge_all(world)
    change = world.change("R0")
    assert world.stage(change) is OfferStage.QUEUED
    reason = reason_of(world.state, change)
    assert (reason.cause, reason.sentence) == (Cause.LANDING_HELD, "the docs are not ready")
    assert "It has been on hold since 2026" in why_reply(world.state, policy(), change)
    assert "`/headgate release` there" in now_text(world.state, policy(), world.run)
    (place,) = queue_view(world.state, world.now)
    assert (place.waits_for, place.why) == (Wait.HELD, "the docs are not ready")
    assert "The hold has ended." in _say(world, "R0", "/headgate release")
    assert world.change("R0").state is S.LANDED


def test_others_pass_a_held_change_without_counting_as_overtaking() -> None:
    world = _handed_in(2)
    _say(world, "R0", "/headgate hold")
    _judge_all(world)
    assert (world.stage("R0"), world.change("R1").state) == (OfferStage.QUEUED, S.LANDED)
    (pull,) = queue_pulls(world, "one")
    judge_pull(world, pull)
    assert pull_of(world, pull).state is P.LANDED
    assert world.state.entry_of(world.change("R0")).overtaken == 0
    _say(world, "R0", "/headgate release")
    _judge_all(world)
    assert world.change("R0").state is S.LANDED


def test_a_hold_before_the_start_does_not_stop_agents() -> None:
    world = approved(beside(1))
    _say(world, "R0", "/headgate hold")
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    assert world.open_orders(GateOrder)
    _judge_all(world)
    assert world.stage("R0") is OfferStage.QUEUED


def test_a_change_with_priority_lands_before_those_that_came_earlier() -> None:
    world = _handed_in(3)
    said = _say(world, "R2", "/headgate queue priority 5")
    assert "Its priority is 5, once its gates have passed." in said
    _judge_all(world)
    assert _landed(world).index(world.change("R2").id) < _landed(world).index(world.change("R1").id)


def test_a_change_that_goes_next_is_judged_and_lands_before_pulls_with_priority() -> None:
    world = approved(beside(1))
    pulls = queue_pulls(world, "one", "two", said="/headgate queue priority 9")
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    assert reason_of(world.state, world.change("R0")).cause is Cause.AHEAD
    assert "It goes next, once its gates have passed." in _say(world, "R0", "/headgate now")
    order = world.change("R0").order
    assert order is not None
    world.judge(order)
    world.settle()
    assert world.change("R0").state is S.LANDED
    for number in pulls:
        judge_pull(world, number)
    assert [entry_of(world, n).overtaken for n in pulls] == [1, 1]


def test_a_change_overtaken_often_enough_comes_before_priority() -> None:
    world = _handed_in(SERIAL.overtaken_max + 2)
    for number in range(1, SERIAL.overtaken_max + 2):
        _say(world, f"R{number}", "/headgate queue priority 9")
    _judge_all(world, 20)
    assert len(_landed(world)) == SERIAL.overtaken_max + 2
    assert _landed(world).index(world.change("R0").id) <= SERIAL.overtaken_max


def test_an_agent_works_on_the_change_with_priority_first() -> None:
    world = approved(beside(3), f"{GATES}max_parallel: 1\n")
    (order,) = world.open_orders(AgentOrder)
    _say(world, "R2", "/headgate queue priority 1")
    world.hand_in(order)
    world.settle()
    assert (world.change("R1").state, world.change("R2").state) == (S.WAITING, S.ORDERED)


@pytest.mark.parametrize("said", ["/headgate queue", "/headgate dequeue", "/headgate queue soon"])
def test_a_change_enters_and_leaves_the_queue_by_itself(said: str) -> None:
    world, _ = judging()
    assert "Headgate lands the pull requests of its changes itself." in _say(world, "R0", said)


def test_an_ended_change_cannot_be_held() -> None:
    world, order = judging()
    world.judge(order)
    world.settle()
    assert world.change("R0").state is S.LANDED
    assert "It has ended" in _say(world, "R0", "/headgate hold")
    assert world.state.entry_of(world.change("R0")).hold is None


def test_releasing_a_change_that_is_not_held_is_answered() -> None:
    world, _ = judging()
    assert _say(world, "R0", "/headgate release") == "It is not on hold."
    assert not world.wrote("ChangeReleased")


def test_holding_a_change_needs_a_role() -> None:
    world, _ = judging()
    _say(world, "R0", "/headgate hold", Role.READ)
    _say(world, "R0", "/headgate now", Role.WRITE)
    entry = world.state.entry_of(world.change("R0"))
    assert (entry.hold, entry.is_next) == (None, False)
