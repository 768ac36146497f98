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

    def test_an_outdated_approver_is_named(self) -> None:
        world = World(ONE)
        number = world.open_pull("mend")
        world.review(number, outdated=("ben",))
        world.say(number, "/headgate queue")
        world.settle()
        lacking = "it waits for 1 more approving review (the approval of @ben is for an older state"
        assert lacking in said_at(world, number)

    def test_other_pulls_land_before_one_that_waits_for_reviews(self) -> None:
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

    def test_branch_rules_set_the_number_of_approvals_even_if_bypassable(self) -> None:
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

    def test_a_rule_about_the_last_push_requires_an_approval(self) -> None:
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

    def test_the_number_of_approvals_in_the_policy_replaces_the_rules(self) -> None:
        world = World(ONE)
        world.rules = rules(last_push=True, approvals=2)
        world.settle()
        assert not needs_others(policy(ONE), world.rules)
        (number,) = queue_pulls(world, "mend")
        world.review(number, by=("ben",))
        world.settle()
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED

    def test_without_a_rule_no_approval_is_needed(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED

    @pytest.mark.parametrize(("policy", "is_said"), [(GATES, True), (NONE, False), (ONE, False)])
    def test_hidden_reviews_are_mentioned_once_when_a_pull_is_queued(
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

    def test_hidden_reviews_are_not_mentioned_if_a_rule_requires_approvals(self) -> None:
        world = World()
        world.rules = rules(approvals=1).replace(unreadable=(CLASSIC_PROTECTION,))
        world.settle()
        (number,) = queue_pulls(world, "mend")
        assert "It waits for no approval" not in said_at(world, number)

    def test_a_pull_is_refused_if_code_owner_reviews_cannot_be_checked(self) -> None:
        world = World()
        world.rules = rules(code_owners=True)
        world.settle()
        (number,) = queue_pulls(world, "mend")
        assert "requires the review of code owners" in said_at(world, number)
        assert PullNumber(number) not in world.state.queued_pulls

    def test_a_number_in_the_policy_counts_if_a_rule_requires_code_owners(self) -> None:
        world = World(ONE)
        world.rules = rules(code_owners=True)
        world.settle()
        number = world.open_pull("mend")
        world.review(number, by=("ben",))
        world.say(number, "/headgate queue")
        world.settle()
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED

    def test_a_new_code_owner_rule_removes_a_queued_pull(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        world.rules = rules(code_owners=True)
        world.tick((Hint(kind=HintKind.RULES),))
        world.settle()
        assert pull_of(world, number).state is P.WITHDRAWN
        assert "requires the review of code owners" in said_at(world, number)


class TestRequestedChanges:
    def test_a_pull_waits_while_changes_are_requested(self) -> None:
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

    def test_both_reviewers_who_request_changes_are_named(self) -> None:
        world = World(ONE)
        number = world.open_pull("mend")
        world.review(number, against=("ben", "cleo"))
        world.say(number, "/headgate queue")
        world.settle()
        said = "for 1 more approving review and until @ben, @cleo no longer ask for changes."
        assert said in said_at(world, number)

    def test_reviews_are_read_only_for_queued_pulls(self) -> None:
        world = World(ONE)
        (number,) = queue_pulls(world, "mend")
        hint = Hint(kind=HintKind.REVIEWED, number=number)
        assert looks(world.state, (hint,), world.now).pulls
        foreign = looks(world.state, (Hint(kind=HintKind.REVIEWED, number=99),), world.now)
        assert not foreign.pulls
        assert not foreign.spec_pulls
        assert not foreign.main

    def test_a_pull_ignores_reviews_if_the_policy_says_none(self) -> None:
        world = World(NONE)
        (number,) = queue_pulls(world, "mend")
        world.review(number, against=("ben",))
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED

    def test_a_review_at_the_last_moment_stops_the_landing_but_keeps_gate_results(self) -> None:
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
    """A rule about threads that our App may bypass."""

    def test_a_pull_waits_for_open_threads_and_names_their_places(self) -> None:
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

    def test_a_removed_thread_rule_does_not_block_a_pull(self) -> None:
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
    def test_a_bypassable_thread_rule_is_ignored_only_without_reviews_in_the_policy(
        self, bypass: Bypass, text: str, counts: bool
    ) -> None:
        assert needs_resolution(policy(text), threads_rule(bypass)) is counts

    def test_the_landing_effect_checks_threads_again(self) -> None:
        world = World()
        world.rules = threads_rule()
        (number,) = queue_pulls(world, "mend")
        judge_pull(world, number)
        (landing,) = (e for e in world.intended if isinstance(e, LandPull))
        assert landing.needs_resolution

    @pytest.mark.parametrize("kind", [HintKind.THREAD, HintKind.REVIEW])
    def test_threads_are_read_only_if_a_rule_requires_it(self, kind: HintKind) -> None:
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
    """A policy that requires code owners."""

    def test_a_pull_waits_for_code_owners_until_the_policy_changes(self) -> None:
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

    def test_the_landing_effect_checks_code_owners_again(self) -> None:
        world = World(OF_OWNERS)
        (number,) = queue_pulls(world, "mend")
        judge_pull(world, number)
        (landing,) = (e for e in world.intended if isinstance(e, LandPull))
        assert landing.needs_owners

    def test_a_pull_without_code_owner_approval_does_not_enter_by_itself(self) -> None:
        of_owners = policy(OF_OWNERS)
        lacking = Approvals(by=("ben",), owners=(("@cleo",),))
        assert not is_approved(of_owners, None, lacking)
        assert is_approved(of_owners, None, lacking.replace(owners=()))
