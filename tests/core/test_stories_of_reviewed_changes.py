"""Stories of reviews of changes' pulls: who asks for changes keeps a change from landing."""

import pytest

from action.order import GateOrder
from bot.core.state.observed import Hint, HintKind, looks
from bot.core.state.queue_view import Wait, queue_view
from bot.core.state.reason import Cause, reason_of
from bot.core.talk.now_text import now_text
from bot.core.talk.replies import why_reply
from bot.core.values.lifecycle import ChangeState as S, QueuedPullState as P
from tests.core.kit import World, judging
from tests.core.queued_pulls import judge_pull, pull_of, queue_pulls
from tests.core.values import GATES, policy


def reviewed(policy_text: str = GATES, **said: tuple[str, ...]) -> World:
    """A world with a change whose gates have just passed, and what reviews say of its pull."""
    world, order = judging()
    world.policy_text = policy_text
    world.review(pull(world), **said)
    world.settle()
    if order in world.open_orders(GateOrder):
        world.judge(order)
    for _ in range(3):
        world.settle()
        world.pass_time(1)
        for again in world.open_orders(GateOrder):
            world.judge(again)
    world.settle()
    return world


def pull(world: World) -> int:
    number = world.change("R0").pull
    assert number is not None
    return number


def test_who_asks_for_changes_keeps_a_change_from_landing() -> None:
    world = reviewed(against=("ben",))
    change = world.change("R0")
    assert change.state is S.QUEUED
    assert reason_of(world.state, change).cause is Cause.REVIEWS
    said = "it waits until @ben no longer asks for changes"
    assert said[1:] in why_reply(world.state, policy(), change)
    assert said in now_text(world.state, policy(), world.run)
    (place,) = queue_view(world.state, world.now)
    assert (place.waits_for, place.against) == (Wait.REVIEWS, ("ben",))
    world.review(pull(world))
    world.settle()
    assert world.change("R0").state is S.LANDED


def test_others_land_before_it() -> None:
    world = reviewed(against=("ben",))
    (number,) = queue_pulls(world, "mend")
    judge_pull(world, number)
    assert pull_of(world, number).state is P.LANDED


def test_nobody_has_to_approve_a_change_unless_the_policy_says_so() -> None:
    assert reviewed().change("R0").state is S.LANDED


def test_where_the_policy_asks_for_approvals_they_are_waited_for() -> None:
    world = reviewed(GATES + "change_reviews: 1\n")
    change = world.change("R0")
    assert change.state is S.QUEUED
    assert "It waits for 1 more approving review." in why_reply(world.state, policy(), change)
    world.review(pull(world), by=("ben",))
    world.settle()
    assert world.change("R0").state is S.LANDED


def test_reviews_that_do_not_count_hold_nothing() -> None:
    world = reviewed(GATES + "change_reviews: none\n", against=("ben",))
    assert world.change("R0").state is S.LANDED


def test_what_is_said_at_the_last_moment_stops_the_landing() -> None:
    world, order = judging()
    world.judge(order)
    for _ in range(20):
        world.decide()
        if world.change("R0").state is S.LANDING:
            break
        world.perform()
    assert world.change("R0").state is S.LANDING
    world.review(pull(world), against=("ben",))
    world.perform()
    assert world.change("R0").state is S.QUEUED
    assert reason_of(world.state, world.change("R0")).cause is Cause.REVIEWS


@pytest.mark.parametrize("kind", [HintKind.REVIEWED, HintKind.EVERYTHING])
def test_the_reviews_of_a_change_that_is_judged_are_read(kind: HintKind) -> None:
    world, _ = judging()
    asked = looks(world.state, (Hint(kind=kind, number=pull(world)),), world.now)
    assert asked.reviewed_changes == (pull(world),)
    assert pull(world) in asked.pulls
    main = looks(world.state, (Hint(kind=HintKind.MAIN),), world.now)
    assert main.reviewed_changes == ()
