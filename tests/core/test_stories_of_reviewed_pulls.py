"""Stories of reviews: how many people must approve a pull before it lands through the queue."""

import pytest

from action.order import GateOrder
from bot.core.journal.effects import LandPull
from bot.core.state.approvals import needs_others, needs_resolution
from bot.core.state.observed import Hint, HintKind, looks
from bot.core.state.queue_view import queue_view
from bot.core.state.unasked_pulls import is_approved
from bot.core.talk.review_waits import for_reviews
from bot.core.values.ids import PullNumber, Sha
from bot.core.values.lifecycle import QueuedPullState as P
from bot.core.values.pull_review import Approvals, PullReview, newest_opinions
from bot.core.values.rules import CLASSIC_PROTECTION, BranchRule, Bypass, RepositoryRules, RuleKind
from tests.core.kit import World
from tests.core.queued_pulls import gates_of_pull, judge_pull, pull_of, queue_pulls, said_at
from tests.core.values import GATES, policy

ONE = "version: 1\nreviews: 1\ngates:\n  test: {run: pytest}\n"
OF_OWNERS = "version: 1\nreviews: code-owners\ngates:\n  test: {run: pytest}\n"
NONE = "version: 1\nreviews: none\ngates:\n  test: {run: pytest}\n"


def rules(
    *, approvals: int = 0, code_owners: bool = False, last_push: bool = False
) -> RepositoryRules:
    """A rule that asks for pulls, which our App may bypass."""
    rule = BranchRule(
        kind=RuleKind.PULL_REQUEST,
        bypass=Bypass.ALWAYS,
        approvals=approvals,
        needs_code_owners=code_owners,
        needs_last_push=last_push,
    )
    return RepositoryRules(branch="main", rules=(rule,))


def threads_rule(bypass: Bypass = Bypass.ALWAYS) -> RepositoryRules:
    """A rule that asks for resolved threads."""
    rule = BranchRule(kind=RuleKind.PULL_REQUEST, bypass=bypass, needs_resolution=True)
    return RepositoryRules(branch="main", rules=(rule,))


def title_at(world: World, number: int) -> str:
    return world.check_runs[f"queue:pull-{number}:1"].title


class TestApprovals:
    def test_a_pull_is_not_judged_before_it_is_approved(self) -> None:
        world = World(ONE)
        (number,) = queue_pulls(world, "mend")
        assert "For now it waits for 1 more approving review." in said_at(world, number)
        assert not world.open_orders(GateOrder)
        assert title_at(world, number) == "In the queue, waiting for reviews"
        world.review(number, by=("ben",))
        world.settle()
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED

    def test_who_approved_something_else_is_named(self) -> None:
        world = World(ONE)
        number = world.open_pull("mend")
        world.review(number, outdated=("ben",))
        world.say(number, "/headgate queue")
        world.settle()
        lacking = "it waits for 1 more approving review (the approval of @ben is for an older state"
        assert lacking in said_at(world, number)

    def test_others_go_before_what_waits_for_reviews(self) -> None:
        world = World(ONE)
        first = world.open_pull("first")
        second = world.open_pull("second")
        world.review(second, by=("ben",))
        for number in (first, second):
            world.say(number, "/headgate queue")
            world.settle()
        judge_pull(world, second)
        assert pull_of(world, second).state is P.LANDED
        assert pull_of(world, first).state is P.WAITING

    def test_the_rules_of_the_branch_say_how_many_also_where_we_may_bypass_them(self) -> None:
        world = World()
        world.rules = rules(approvals=2)
        world.settle()
        (number,) = queue_pulls(world, "mend")
        world.review(number, by=("ben",))
        world.settle()
        assert not world.open_orders(GateOrder)
        world.review(number, by=("ben", "cleo"))
        world.settle()
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED

    def test_a_rule_about_who_pushed_last_asks_for_an_approval(self) -> None:
        world = World()
        world.rules = rules(last_push=True)
        world.settle()
        (number,) = queue_pulls(world, "mend")
        assert "it waits for 1 more approving review" in said_at(world, number)
        world.review(number, by_pushers=("ben",))
        world.settle()
        assert not world.open_orders(GateOrder)
        (place,) = queue_view(world.state, world.now)
        assert for_reviews(place).endswith(
            "(a rule requires another person than the last pusher, who may be @ben)"
        )
        world.review(number, by=("cleo",), by_pushers=("ben",))
        world.settle()
        assert world.open_orders(GateOrder)
        judge_pull(world, number)
        landing = [e for e in world.intended if isinstance(e, LandPull)][-1]
        assert (landing.approvals_needed, landing.needs_others) == (1, True)

    def test_the_policys_own_number_is_not_the_rules(self) -> None:
        world = World(ONE)
        world.rules = rules(last_push=True, approvals=2)
        world.settle()
        assert not needs_others(policy(ONE), world.rules)
        (number,) = queue_pulls(world, "mend")
        world.review(number, by=("ben",))
        world.settle()
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED

    def test_without_a_rule_nobody_has_to_approve(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED

    @pytest.mark.parametrize(("policy", "is_said"), [(GATES, True), (NONE, False), (ONE, False)])
    def test_who_queues_is_told_of_reviews_that_headgate_cannot_see(
        self, policy: str, *, is_said: bool
    ) -> None:
        world = World(policy)
        world.rules = rules().replace(unreadable=(CLASSIC_PROTECTION,))
        world.settle()
        (number,) = queue_pulls(world, "mend")
        assert (
            "It waits for no approval, because no ruleset requires" in said_at(world, number)
        ) is is_said
        world.say(number, "/headgate queue")
        world.settle()
        assert said_at(world, number).count("It waits for no approval") == int(is_said)

    def test_nothing_is_said_of_hidden_reviews_where_a_rule_asks_for_some(self) -> None:
        world = World()
        world.rules = rules(approvals=1).replace(unreadable=(CLASSIC_PROTECTION,))
        world.settle()
        (number,) = queue_pulls(world, "mend")
        assert "It waits for no approval" not in said_at(world, number)

    def test_code_owners_reviews_cannot_be_checked_and_that_is_said(self) -> None:
        world = World()
        world.rules = rules(code_owners=True)
        world.settle()
        (number,) = queue_pulls(world, "mend")
        assert "requires the review of code owners" in said_at(world, number)
        assert PullNumber(number) not in world.state.queued_pulls

    def test_a_number_in_the_policy_counts_where_a_rule_asks_for_code_owners(self) -> None:
        world = World(ONE)
        world.rules = rules(code_owners=True)
        world.settle()
        number = world.open_pull("mend")
        world.review(number, by=("ben",))
        world.say(number, "/headgate queue")
        world.settle()
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED

    def test_a_rule_that_begins_to_ask_for_code_owners_takes_a_pull_out(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        world.rules = rules(code_owners=True)
        world.tick((Hint(kind=HintKind.RULES),))
        world.settle()
        assert pull_of(world, number).state is P.WITHDRAWN
        assert "requires the review of code owners" in said_at(world, number)


class TestRequestedChanges:
    def test_a_pull_waits_while_somebody_asks_for_changes(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        world.review(number, against=("ben",))
        judge_pull(world, number)
        assert pull_of(world, number).state is P.QUEUED
        world.say(number, "/headgate why")
        world.settle()
        assert "it waits until @ben no longer asks for changes" in said_at(world, number)
        world.review(number)
        world.settle()
        assert pull_of(world, number).state is P.LANDED

    def test_two_who_ask_for_changes_are_both_named(self) -> None:
        world = World(ONE)
        number = world.open_pull("mend")
        world.review(number, against=("ben", "cleo"))
        world.say(number, "/headgate queue")
        world.settle()
        said = "for 1 more approving review and until @ben, @cleo no longer ask for changes."
        assert said in said_at(world, number)

    def test_a_review_is_looked_at_for_pulls_in_the_queue_alone(self) -> None:
        world = World(ONE)
        (number,) = queue_pulls(world, "mend")
        hint = Hint(kind=HintKind.REVIEWED, number=number)
        assert looks(world.state, (hint,), world.now).pulls
        foreign = looks(world.state, (Hint(kind=HintKind.REVIEWED, number=99),), world.now)
        assert not foreign.pulls
        assert not foreign.spec_pulls
        assert not foreign.main

    def test_reviews_that_do_not_count_hold_nothing(self) -> None:
        world = World(NONE)
        (number,) = queue_pulls(world, "mend")
        world.review(number, against=("ben",))
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED

    def test_what_is_said_at_the_last_moment_stops_the_landing_and_keeps_the_results(self) -> None:
        world = World(ONE)
        number = world.open_pull("mend")
        world.review(number, by=("ben",))
        world.say(number, "/headgate queue")
        world.settle()
        world.judge(gates_of_pull(world, number))
        world.decide()
        assert pull_of(world, number).state is P.LANDING
        world.review(number, by=("ben",), against=("cleo",))
        world.settle()
        assert pull_of(world, number).state is P.QUEUED
        assert world.state.main == world.main[0].sha
        world.review(number, by=("ben",))
        world.settle()
        assert pull_of(world, number).state is P.LANDED


@pytest.mark.parametrize(
    ("said", "left"),
    [
        (["APPROVED"], ["APPROVED"]),
        (["APPROVED", "COMMENTED"], ["APPROVED"]),
        (["APPROVED", "CHANGES_REQUESTED"], ["CHANGES_REQUESTED"]),
        (["CHANGES_REQUESTED", "DISMISSED"], []),
        (["PENDING"], []),
    ],
)
def test_the_newest_opinion_of_a_person_counts(said: list[str], left: list[str]) -> None:
    reviews = [PullReview(by="ben", state=state, commit=Sha("a" * 40)) for state in said]
    assert [one.state for one in newest_opinions(reviews)] == left


class TestOpenThreads:
    """Of a rule that our App may bypass."""

    def test_a_pull_waits_until_they_are_resolved_and_says_where_they_are(self) -> None:
        world = World()
        world.rules = threads_rule()
        number = world.open_pull("mend")
        world.review(number, unresolved=tuple(f"till.py:{line}" for line in range(1, 8)))
        world.say(number, "/headgate queue")
        world.settle()
        asks = "until 7 open threads of reviews are resolved, as a rule requires (`till.py:1`, "
        assert asks in said_at(world, number)
        assert "`till.py:5` and 2 more)" in said_at(world, number)
        assert not world.open_orders(GateOrder)
        (place,) = queue_view(world.state, world.now)
        assert len(place.unresolved) == 7
        assert asks in for_reviews(place)
        world.review(number)
        world.settle()
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED

    def test_a_rule_that_is_gone_keeps_nobody(self) -> None:
        world = World()
        world.rules = threads_rule()
        number = world.open_pull("mend")
        world.review(number, unresolved=("till.py:1",))
        world.say(number, "/headgate queue")
        world.settle()
        world.rules = RepositoryRules(branch="main")
        world.tick((Hint(kind=HintKind.RULES),))
        world.settle()
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED

    @pytest.mark.parametrize(
        ("bypass", "text", "counts"),
        [
            (Bypass.ALWAYS, GATES, True),
            (Bypass.ALWAYS, ONE, True),
            (Bypass.ALWAYS, NONE, False),
            (Bypass.NEVER, NONE, True),
        ],
    )
    def test_only_a_policy_without_reviews_leaves_the_rule_out_where_we_may_bypass_it(
        self, bypass: Bypass, text: str, counts: bool
    ) -> None:
        assert needs_resolution(policy(text), threads_rule(bypass)) is counts

    def test_the_landing_is_told_to_ask_again(self) -> None:
        world = World()
        world.rules = threads_rule()
        (number,) = queue_pulls(world, "mend")
        judge_pull(world, number)
        (landing,) = (e for e in world.intended if isinstance(e, LandPull))
        assert landing.needs_resolution

    @pytest.mark.parametrize("kind", [HintKind.THREAD, HintKind.REVIEW])
    def test_a_thread_is_looked_at_where_a_rule_asks_for_it(self, kind: HintKind) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        of_pull = {
            HintKind.THREAD: {"number": number},
            HintKind.REVIEW: {"number": 1, "issue": number},
        }
        hint = Hint.model_validate({"kind": kind, **of_pull[kind]})
        assert looks(world.state, (hint,), world.now).pulls == ()
        world.rules = threads_rule()
        world.tick((Hint(kind=HintKind.RULES),))
        world.settle()
        assert looks(world.state, (hint,), world.now).pulls == (number,)


class TestCodeOwners:
    """Of a policy that asks for them."""

    def test_a_pull_waits_for_them_until_the_policy_says_something_else(self) -> None:
        world = World(OF_OWNERS)
        number = world.open_pull("mend")
        world.review(number, owners=(("@ben", "@acme/till"), ("@cleo",)))
        world.say(number, "/headgate queue")
        world.settle()
        said = said_at(world, number)
        assert "until @ben or `acme/till`, and @cleo as code owner approves" in said
        assert not world.open_orders(GateOrder)
        (place,) = queue_view(world.state, world.now)
        assert place.owners_lacking == (("@ben", "@acme/till"), ("@cleo",))
        world.policy_text = GATES
        world.settle()
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED

    def test_the_landing_is_told_to_ask_them_again(self) -> None:
        world = World(OF_OWNERS)
        (number,) = queue_pulls(world, "mend")
        judge_pull(world, number)
        (landing,) = (e for e in world.intended if isinstance(e, LandPull))
        assert landing.needs_owners

    def test_what_they_have_not_approved_does_not_enter_by_itself(self) -> None:
        of_owners = policy(OF_OWNERS)
        lacking = Approvals(by=("ben",), owners=(("@cleo",),))
        assert not is_approved(of_owners, None, lacking)
        assert is_approved(of_owners, None, lacking.replace(owners=()))
