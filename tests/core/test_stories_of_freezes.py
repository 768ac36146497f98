"""Stories of freezes: each ends with its own cause, and gates run during a person's freeze."""

from datetime import timedelta

import pytest

from action.order import AgentOrder, GateOrder
from bot.core.decide.decide import wake_at
from bot.core.state.reason import Cause, reason_of
from bot.core.talk.issues import progress_text
from bot.core.talk.replies import why_reply
from bot.core.values.freeze import FreezeCause
from bot.core.values.lifecycle import ChangeState as S, OfferStage
from bot.core.values.repository import Role
from gates.result import Ending
from tests.core.kit import World, approved, judging
from tests.core.values import START, beside, policy


def _say(world: World, text: str, role: Role = Role.WRITE) -> None:
    assert world.run.issue is not None
    world.say(world.run.issue, text, role=role)
    world.settle()


def _passed(text: str) -> World:
    """A change whose gates pass while a person has frozen the queue."""
    world, order = judging()
    _say(world, text)
    world.judge(order)
    world.settle()
    return world


def test_a_freeze_by_a_person_prevents_landings() -> None:
    world = _passed("/headgate freeze release 2.0 goes out")
    assert world.stage("R0") is OfferStage.QUEUED
    reason = reason_of(world.state, world.change("R0"))
    assert (reason.cause, reason.sentence) == (Cause.FROZEN, "release 2.0 goes out")
    said = why_reply(world.state, policy(), world.change("R0"))
    assert "The queue has been frozen by a person since 2026" in said
    assert "**The queue is frozen** by @ann since" in progress_text(world.state, world.run)
    _say(world, "/headgate unfreeze")
    assert world.change("R0").state is S.LANDED


def test_a_green_main_does_not_end_a_persons_freeze() -> None:
    world = _passed("/headgate freeze")
    world.push_code("by hand")
    world.settle()
    for _ in range(3):
        for order in world.open_orders(GateOrder):
            world.judge(order)
        world.settle()
    under = world.state.adoption_under(world.main[-1].sha)
    assert under is not None
    assert under.green is True
    assert FreezeCause.PERSON in world.state.freezes
    # It was judged on the new main meanwhile, and lands at once when the freeze is over.
    change = world.change("R0")
    assert (world.stage(change), world.candidate(change).base) == (
        OfferStage.QUEUED,
        world.state.main,
    )
    _say(world, "/headgate unfreeze")
    assert world.change("R0").state is S.LANDED


def test_unfreeze_does_not_end_the_freeze_of_a_red_main() -> None:
    world, _ = judging()
    _say(world, "/headgate freeze")
    world.push_code("red")
    world.settle()
    main = next(o for o in world.open_orders(GateOrder) if world.gate_order(o).is_of_person)
    world.judge(main, test=Ending.FAILED)
    world.settle()
    assert set(world.state.freezes) == {FreezeCause.PERSON, FreezeCause.RED_MAIN}
    _say(world, "/headgate unfreeze")
    assert set(world.state.freezes) == {FreezeCause.RED_MAIN}
    assert "Your freeze has ended. But main stops the queue: main at" in world.replies()


def test_a_landing_that_has_started_completes_despite_a_freeze() -> None:
    world, order = judging()
    world.judge(order)
    # Read and decided, not done yet: main is about to move.
    world.decide()
    assert world.stage("R0") is OfferStage.LANDING
    _say(world, "/headgate freeze")
    assert world.change("R0").state is S.LANDED


@pytest.mark.parametrize(
    ("said", "hours"),
    [
        ("until 2026-03-02 18:30", 9.5),
        ("migration until 2026-03-02T18:30Z", 9.5),
        ("until 2026-03-02 18:30 UTC.", 9.5),
        ("until 2026-03-02", 15.0),
        ("until `2026-03-03`", 39.0),
    ],
)
def test_a_freeze_ends_at_its_time(said: str, hours: float) -> None:
    world = _passed(f"/headgate freeze {said}")
    freeze = world.state.freezes[FreezeCause.PERSON]
    assert freeze.until == START + timedelta(hours=hours)
    assert freeze.why == ("migration" if "migration" in said else "")
    assert wake_at(world.state, policy(), (), world.now) == freeze.until
    world.now = freeze.until - timedelta(seconds=1)
    world.settle()
    assert world.stage("R0") is OfferStage.QUEUED
    world.now = freeze.until
    world.settle()
    assert world.change("R0").state is S.LANDED


@pytest.mark.parametrize(
    "said", ["until 2026-02-30", "until 2020-01-01", "until 2026-03-02 25:00", "until 5pm"]
)
def test_an_invalid_or_past_time_is_refused(said: str) -> None:
    world, _ = judging()
    _say(world, f"/headgate freeze {said}")
    assert not world.state.freezes
    assert "is not a time in the future" in world.replies()


def test_people_without_write_access_cannot_freeze_the_queue() -> None:
    world, _ = judging()
    _say(world, "/headgate freeze", Role.TRIAGE)
    _say(world, "/headgate pause", Role.TRIAGE)
    assert not world.state.freezes
    assert world.state.orders_stopped is None


def test_a_pause_orders_no_gates_and_lands_passed_changes() -> None:
    world = approved(beside(2))
    first, second = world.open_orders(AgentOrder)
    _say(world, "/headgate pause runners are moved")
    world.hand_in(first)
    world.hand_in(second)
    world.settle()
    assert world.open_orders(GateOrder) == []
    reason = reason_of(world.state, world.change("R0"), policy())
    assert (reason.cause, reason.sentence) == (Cause.ORDERS_STOPPED, "runners are moved")
    assert "**No new agents or gates start** by @ann" in progress_text(world.state, world.run)
    _say(world, "/headgate resume")
    assert len(world.open_orders(GateOrder)) == 1
    _say(world, "/headgate pause")
    world.judge(world.open_orders(GateOrder)[0])
    world.settle()
    assert [c.state for c in world.state.changes.values()].count(S.LANDED) == 1


def test_a_pause_orders_no_agent() -> None:
    world, order = judging()
    _say(world, "/headgate pause")
    world.judge(order, test=Ending.FAILED)
    world.settle()
    assert world.open_orders(AgentOrder) == []
    assert reason_of(world.state, world.change("R0"), policy()).cause is Cause.ORDERS_STOPPED
    said = why_reply(world.state, policy(), world.change("R0"))
    assert "A person has stopped all new orders, so no order has started since 2026" in said
    _say(world, "/headgate resume")
    assert len(world.open_orders(AgentOrder)) == 1


def test_unfreeze_without_a_freeze_is_answered() -> None:
    world, _ = judging()
    _say(world, "/headgate unfreeze")
    assert "The queue is not frozen by a person." in world.replies()
    assert not world.wrote("QueueThawed")
    _say(world, "/headgate resume")
    assert not world.wrote("PausesEnded")
