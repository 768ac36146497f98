"""Stories of commits that bypass Headgate: reported or frozen as the policy says."""

from datetime import timedelta

import pytest

from action.order import GateOrder
from bot.core.journal.effects import OpenIssue
from bot.core.state.queue_view import Wait, queue_view
from bot.core.state.reason import Cause, reason_of
from bot.core.talk.replies import why_reply
from bot.core.values.freeze import FreezeCause
from bot.core.values.ids import OrderId, PullNumber
from bot.core.values.lifecycle import OfferStage, QueuedPullState as P
from tests.core.kit import World, judging
from tests.core.values import GATES, PATH, policy, sha

TELL = f"{GATES}adopted: tell\n"
FREEZE = f"{GATES}adopted: freeze\n"


def _told(world: World) -> list[OpenIssue]:
    return [e for e in world.intended if isinstance(e, OpenIssue) and e.slug.startswith("adopted ")]


def _queued(world: World, name: str) -> PullNumber:
    number = world.open_pull(name)
    world.say(number, "/headgate queue")
    world.settle()
    return PullNumber(number)


def _judge_all(world: World) -> None:
    """Every gate order passes, until none is open."""
    while orders := world.open_orders(GateOrder):
        for order in orders:
            world.judge(OrderId(order))
        world.settle()
        world.pass_time(1)


def test_by_default_an_adopted_commit_is_judged_without_an_issue() -> None:
    world = World()
    world.push_code("by hand")
    world.settle()
    assert not _told(world)
    assert world.open_orders(GateOrder)


def test_one_issue_reports_all_commits_of_a_look() -> None:
    world = World(TELL)
    world.push_code("one")
    world.push_code("two")
    world.settle()
    (issue,) = _told(world)
    assert issue.title == "2 commits reached main without Headgate"
    for name in ("one", "two"):
        assert sha(f"code {name}")[:10] in issue.body
    assert "(`ann`)" in issue.body
    assert "The queue continues when main has passed its gates." in issue.body
    assert not world.state.freezes
    world.pass_time(60)
    world.settle()
    assert len(_told(world)) == 1
    world.push_code("three")
    world.settle()
    assert _told(world)[-1].title.endswith(" reached main without Headgate")
    assert len(_told(world)) == 2


def test_admitted_pushes_are_not_reported() -> None:
    world = World(FREEZE)
    world.push(sha("a text"), PATH)
    world.settle()
    assert not _told(world)
    assert not world.state.freezes


def test_a_bypassing_commit_freezes_the_queue_until_a_person_unfreezes_it() -> None:
    world = World(FREEZE)
    world.push_code("by hand")
    world.settle()
    assert "**The queue is frozen.**" in _told(world)[0].body
    number = _queued(world, "mend")
    _judge_all(world)
    adoption = world.state.adoption_under(world.main[-1].sha)
    assert adoption is not None
    assert adoption.green is True
    assert world.state.queued_pulls[number].state is P.QUEUED
    assert [one.waits_for for one in queue_view(world.state, world.now)] == [Wait.ADOPTED]
    world.say(number, "/headgate unfreeze")
    world.settle()
    assert world.state.queued_pulls[number].state is P.LANDED
    assert "The queue continues." in world.replies()


def test_why_explains_the_freeze_after_an_adopted_commit() -> None:
    world, order = judging()
    world.policy_text = FREEZE
    world.push_code("by hand")
    world.settle()
    world.judge(order)
    world.settle()
    _judge_all(world)
    change = world.change("R0")
    assert world.stage(change) is OfferStage.QUEUED
    assert reason_of(world.state, change).cause is Cause.ADOPTED
    said = why_reply(world.state, policy(), change)
    assert "The queue has been frozen since 2026" in said
    assert f"ann pushed {sha('code by hand')[:12]} to main without Headgate" in said


def test_the_end_of_a_persons_freeze_keeps_the_other_freeze() -> None:
    world = World(FREEZE)
    number = _queued(world, "mend")
    until = world.now + timedelta(hours=1)
    world.say(number, f"/headgate freeze until {until:%Y-%m-%d %H:%M}")
    world.push_code("by hand")
    world.settle()
    assert set(world.state.freezes) == {FreezeCause.PERSON, FreezeCause.ADOPTED}
    world.pass_time(3_600)
    world.settle()
    assert set(world.state.freezes) == {FreezeCause.ADOPTED}


@pytest.mark.parametrize("has_answer", [True, False])
def test_our_own_landing_is_not_reported(has_answer: bool) -> None:
    world = World(FREEZE)
    number = _queued(world, "mend")
    world.judge(OrderId(world.open_orders(GateOrder)[0]))
    if has_answer:
        world.settle()
    else:
        world.decide()
        candidate = world.candidate(world.state.queued_pulls[number])
        world.push(candidate.sha, tree=candidate.tree, author="headgate[bot]")
        world.decide()
    assert world.state.queued_pulls[number].state is P.LANDED
    assert not _told(world)


def test_unfreeze_names_all_freezes_that_it_ends() -> None:
    world = World(FREEZE)
    world.push_code("by hand")
    world.settle()
    number = _queued(world, "mend")
    world.say(number, "/headgate freeze the fair")
    world.settle()

    world.say(number, "/headgate unfreeze")
    world.settle()

    assert not world.state.freezes
    said = world.replies()
    assert "- a freeze by @ann since 2026" in said
    assert ": the fair." in said
    assert "- the freeze for a commit that Headgate did not land since 2026" in said
    assert f"ann pushed {sha('code by hand')[:12]} to main without Headgate" in said
