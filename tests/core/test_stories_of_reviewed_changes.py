"""Stories of reviews of changes' pulls: requested changes prevent a landing."""

import pytest

from action.order import AgentOrder, GateOrder, RetryReason
from bot.core.journal.effects import LandCandidate
from bot.core.state.observed import Hint, HintKind, looks
from bot.core.state.queue_view import Wait, queue_view
from bot.core.state.reason import Cause, reason_of
from bot.core.talk.now_text import now_text
from bot.core.talk.replies import why_reply
from bot.core.values.ids import OrderId, PullNumber
from bot.core.values.lifecycle import ChangeState as S, OfferStage, QueuedPullState as P
from bot.core.values.pull_review import Approvals
from bot.core.values.rules import BranchRule, Bypass, RepositoryRules, RuleKind
from gates.result import Ending
from tests.core.kit import World, judging
from tests.core.queued_pulls import judge_pull, pull_of, queue_pulls
from tests.core.values import GATES, policy, sha


def reviewed(
    policy_text: str = GATES, *, by: tuple[str, ...] = (), against: tuple[str, ...] = ()
) -> World:
    """A world with a change whose gates have just passed, and what reviews say of its pull; whoever asks
    for changes has been told to an agent.
    """
    world, order = judging()
    world.policy_text = policy_text
    world.review(pull(world), by=by, against=against)
    world.settle()
    for agent in world.open_orders(AgentOrder):
        world.hand_in(agent)
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


def test_requested_changes_prevent_the_landing_of_a_change() -> None:
    world = reviewed(against=("ben",))
    change = world.change("R0")
    assert world.stage(change) is OfferStage.QUEUED
    assert reason_of(world.state, change).cause is Cause.REVIEWS
    said = "it waits until @ben no longer asks for changes"
    assert said[1:] in why_reply(world.state, policy(), change)
    assert said in now_text(world.state, policy(), world.run)
    (place,) = queue_view(world.state, world.now)
    assert (place.waits_for, place.against) == (Wait.REVIEWS, ("ben",))
    world.review(pull(world))
    world.settle()
    assert world.change("R0").state is S.LANDED


def test_other_changes_land_before_one_with_requested_changes() -> None:
    world = reviewed(against=("ben",))
    (number,) = queue_pulls(world, "mend")
    judge_pull(world, number)
    assert pull_of(world, number).state is P.LANDED


def test_by_default_a_change_needs_no_approval() -> None:
    assert reviewed().change("R0").state is S.LANDED


def test_a_change_waits_for_approvals_that_the_policy_requires() -> None:
    world = reviewed(GATES + "change_reviews: 1\n")
    change = world.change("R0")
    assert world.stage(change) is OfferStage.QUEUED
    assert "It waits for 1 more approving review." in why_reply(world.state, policy(), change)
    world.review(pull(world), by=("ben",))
    world.settle()
    assert world.change("R0").state is S.LANDED


def test_a_change_ignores_reviews_if_the_policy_says_none() -> None:
    world = reviewed(GATES + "change_reviews: none\n", against=("ben",))
    assert world.change("R0").state is S.LANDED


def test_a_review_at_the_last_moment_stops_the_landing() -> None:
    world, order = judging()
    world.judge(order)
    for _ in range(20):
        world.decide()
        if world.stage("R0") is OfferStage.LANDING:
            break
        world.perform()
    assert world.stage("R0") is OfferStage.LANDING
    world.review(pull(world), against=("ben",))
    world.perform()
    assert world.stage("R0") is OfferStage.QUEUED
    assert reason_of(world.state, world.change("R0")).cause is Cause.REVIEWS


@pytest.mark.parametrize("kind", [HintKind.REVIEWED, HintKind.EVERYTHING])
def test_the_reviews_of_a_change_that_is_judged_are_read(kind: HintKind) -> None:
    world, _ = judging()
    asked = looks(world.state, (Hint(kind=kind, number=pull(world)),), world.now)
    assert asked.reviewed_changes == (pull(world),)
    assert pull(world) in asked.pulls
    main = looks(world.state, (Hint(kind=HintKind.MAIN),), world.now)
    assert main.reviewed_changes == ()


def test_the_reviews_of_a_change_on_which_an_agent_works_are_read() -> None:
    world, _ = judging()
    number = pull(world)
    world.review(number, against=("ben",))
    world.settle()
    assert world.open_orders(AgentOrder)
    asked = looks(world.state, (Hint(kind=HintKind.REVIEWED, number=number),), world.now)
    assert asked.reviewed_changes == (number,)


class TestNextAttempt:
    @staticmethod
    def sent_back() -> tuple[World, AgentOrder]:
        """A change that ben has sent back while its gates ran, and the order of the next agent."""
        world, _ = judging()
        world.review(pull(world), against=("ben",), says="Name the price.")
        world.settle()
        (order,) = world.open_orders(AgentOrder)
        asked = world.orders[order]
        assert isinstance(asked, AgentOrder)
        return world, asked

    def test_an_agent_is_ordered_with_the_text_of_the_review(self) -> None:
        world, order = self.sent_back()
        assert order.retry is not None
        assert order.retry.sentence == (
            "@ben asks for changes in a review of it. Do what the review says."
        )
        assert [(one.author, one.text) for one in order.told] == [("ben", "Name the price.")]
        assert not world.open_orders(GateOrder)

    def test_new_work_waits_until_the_reviewer_withdraws_the_request(self) -> None:
        world, order = self.sent_back()
        world.hand_in(OrderId(order.order_id))
        for _ in range(3):
            world.settle()
            for gates in world.open_orders(GateOrder):
                world.judge(gates)
            world.pass_time(1)
        world.settle()
        assert not world.open_orders(AgentOrder)
        assert world.stage("R0") is OfferStage.QUEUED
        assert reason_of(world.state, world.change("R0")).cause is Cause.REVIEWS
        world.review(pull(world), by=("ben",))
        world.settle()
        assert world.change("R0").state is S.LANDED

    def test_a_second_request_for_changes_orders_an_agent_again(self) -> None:
        world, order = self.sent_back()
        world.hand_in(OrderId(order.order_id))
        world.settle()
        world.review(pull(world), against=("ben",), says="In euros.")
        world.settle()
        (again,) = world.open_orders(AgentOrder)
        asked = world.orders[again]
        assert isinstance(asked, AgentOrder)
        assert [one.text for one in asked.told] == ["Name the price.", "In euros."]
        assert [one.said for one in world.change("R0").requests_heard] == ["In euros."]

    def test_a_repeated_review_request_does_not_mention_old_gates(self) -> None:
        world, order = judging()
        for _ in range(3):
            world.judge(order, test=Ending.FAILED)
            world.settle()
            if agents := world.open_orders(AgentOrder):
                break
            (order,) = world.open_orders(GateOrder)
        world.hand_in(agents[0])
        world.settle()
        world.review(pull(world), against=("ben",), says="Name the price.")
        world.settle()
        (again,) = world.open_orders(AgentOrder)
        asked = world.orders[again]
        assert isinstance(asked, AgentOrder)
        assert asked.retry is not None
        assert asked.retry.reason is RetryReason.ASKED

    def test_a_review_of_an_older_build_of_the_same_work_counts(self) -> None:
        world, _ = judging()
        seen = Approvals(
            against=("ben",), against_commits=(sha("older"),), against_said=("Name it.",)
        )
        world.approvals[PullNumber(pull(world))] = seen
        world.settle()
        (again,) = world.open_orders(AgentOrder)
        asked = world.orders[again]
        assert isinstance(asked, AgentOrder)
        assert [one.text for one in asked.told] == ["Name it."]

    @pytest.mark.parametrize("said", ["In euros.", ""])
    def test_a_review_during_an_attempt_reaches_that_agent_only(self, said: str) -> None:
        world, order = self.sent_back()
        world.review(pull(world), against=("ben", "dora"), says=said)
        world.settle()
        assert list(world.open_orders(AgentOrder)) == [OrderId(order.order_id)]
        assert [one.text for one in world.change("R0").told][1:] == [said] * 2 * bool(said)
        world.hand_in(OrderId(order.order_id))
        for _ in range(3):
            world.settle()
            for gates in world.open_orders(GateOrder):
                world.judge(gates)
            world.pass_time(1)
        world.settle()
        assert not world.open_orders(AgentOrder)
        assert reason_of(world.state, world.change("R0")).cause is Cause.REVIEWS

    def test_a_review_of_taken_over_work_orders_no_agent(self) -> None:
        world, _ = judging()
        world.push_branch(world.change("R0"), "fix")
        world.settle()
        world.review(pull(world), against=("ben",), says="Name the price.")
        world.settle()
        assert not world.open_orders(AgentOrder)
        world.say(pull(world), "/headgate hand-back")
        world.settle()
        assert [one.text for one in world.change("R0").told] == ["Name the price."]

    def test_requested_changes_at_the_last_moment_order_an_agent(self) -> None:
        world, order = judging()
        world.judge(order)
        for _ in range(20):
            world.decide()
            if world.stage("R0") is OfferStage.LANDING:
                break
            world.perform()
        world.review(pull(world), against=("ben",), says="Name the price.")
        world.settle()
        assert world.open_orders(AgentOrder)
        assert world.change("R0").state is not S.LANDED


def test_open_threads_block_a_change_if_a_rule_requires_resolution() -> None:
    world, order = judging()
    rule = BranchRule(kind=RuleKind.PULL_REQUEST, bypass=Bypass.ALWAYS, needs_resolution=True)
    world.rules = RepositoryRules(branch="main", rules=(rule,))
    world.tick((Hint(kind=HintKind.RULES),))
    world.review(pull(world), unresolved=("till.py:3",))
    world.judge(order)
    world.settle()
    change = world.change("R0")
    assert change.landed is None
    assert reason_of(world.state, change).cause is Cause.REVIEWS
    assert "1 open thread of reviews is resolved, as a rule requires (`till.py:3`)" in why_reply(
        world.state, policy(), change
    )
    world.review(pull(world))
    world.settle()
    (landing,) = (e for e in world.intended if isinstance(e, LandCandidate))
    assert landing.needs_resolution
    assert world.change("R0").landed is not None
