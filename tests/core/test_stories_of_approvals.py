"""Approvals: no issues before it, who may approve, and how many commands strangers may give."""

import pytest

from bot.core.journal import effects as ef
from bot.core.journal.events import CommandAnswered
from bot.core.state.observed import Hint, HintKind
from bot.core.values.lifecycle import SpecRunState
from bot.core.values.repository import Role
from tests.core.kit import World, approved, proposed, with_issues
from tests.core.values import GATES, beside, chain


def opened(world: World) -> list[str]:
    """The slugs of the issues that were opened; "" is the tracking issue's."""
    return [e.slug for e in world.intended if isinstance(e, ef.OpenIssue)]


def approve(world: World, words: str = "", author: str = "ann") -> str:
    before = len(world.posted)
    world.pass_time(5)
    world.say(world.run.issue or 0, f"/headgate approve {words}".strip(), author=author)
    world.settle(ticks_max=400)
    return "\n".join(text for _, text in world.posted[before:])


def is_running(world: World) -> bool:
    return world.run.state is SpecRunState.RUNNING


@pytest.mark.attack(
    "A push of a spec with 200 areas: 201 issues before anybody has approved anything",
    held="`bot.core.decide.people.publish`: the plan stands in the tracking issue until it is approved",
)
def test_changes_get_their_issues_when_the_plan_is_approved() -> None:
    world = proposed(chain())
    assert opened(world) == [""]
    approve(world)
    assert sorted(opened(world)[1:]) == sorted(c.slug for c in world.state.changes.values())
    links = [e for e in world.intended if isinstance(e, ef.LinkSubIssue | ef.LinkBlockedBy)]
    assert links
    world.work()
    assert world.run.state is SpecRunState.ENDED


def test_edits_of_a_plan_cost_no_issues() -> None:
    world = proposed(chain())
    slug = world.change("B").slug
    world.say(world.run.issue or 0, f"/headgate plan size {slug} M")
    world.settle()
    world.say(world.run.issue or 0, f"/headgate plan drop {slug}")
    world.settle()
    world.push_spec(beside(3), "v2")
    world.settle()
    assert world.run.plan is not None
    assert world.run.plan.revision == 4
    assert opened(world) == [""]
    approve(world)
    assert len(opened(world)) == 4


def test_a_journal_with_issues_from_before_approval_continues() -> None:
    world = with_issues(proposed(chain()))
    approve(world)
    assert opened(world) == [""]
    world.work()
    assert world.run.state is SpecRunState.ENDED


class TestManyChanges:
    FEW = GATES + "changes_max: 2\n"

    def test_approving_many_changes_requires_their_number(self) -> None:
        world = proposed(beside(3), self.FEW)
        said = approve(world)
        assert "it has 3 changes, and the policy's `changes_max` is 2" in said
        assert not is_running(world)
        assert "comment `/headgate approve all`" in world.issues[world.run.issue or 0]
        approve(world, "r1 all")
        assert is_running(world)

    def test_changes_up_to_the_limit_start_without_the_number(self) -> None:
        world = proposed(beside(2), self.FEW)
        approve(world, "r1")
        assert is_running(world)


class TestSeveralApprovers:
    TWO = GATES + "approvals: 2\n"

    @pytest.mark.attack(
        "Whoever wrote a spec approves it alone, where the policy asks for two people",
        held="`approvals` in the policy: `bot.core.decide.people.approve_plan` counts people",
    )
    def test_two_approvals_by_one_person_count_once(self) -> None:
        world = proposed(beside(1), self.TWO)
        said = approve(world)
        assert "1 more person must approve this revision" in said
        approve(world)
        assert not is_running(world)
        assert opened(world) == [""]
        approve(world, author="bob")
        assert is_running(world)
        assert "Approved by @ann, @bob." in _plan(world)

    def test_a_new_revision_needs_new_approvals(self) -> None:
        world = proposed(beside(1), self.TWO)
        approve(world)
        world.push_spec(beside(2), "v2")
        world.settle()
        for _ in range(2):
            approve(world, author="bob")
            assert not is_running(world)
        approve(world)
        assert is_running(world)

    def test_a_revision_during_a_run_needs_as_many_approvals(self) -> None:
        world = proposed(beside(1), self.TWO)
        approve(world)
        approve(world, author="bob")
        world.push_spec(beside(2), "v2")
        world.settle()
        assert world.run.proposed_edit is not None
        approve(world)
        assert world.run.proposed_edit is not None
        approve(world, author="bob")
        assert world.run.proposed_edit is None


class TestAuthors:
    """`author_may_approve: false`: the author of a spec is not its only approver."""

    POLICY = GATES + "author_may_approve: false\n"

    @pytest.mark.attack(
        "Whoever wrote a spec approves it alone, where the policy forbids it",
        held="`author_may_approve` in the policy: `bot.core.talk.approval_text.missing_approvals`",
    )
    def test_the_author_cannot_be_the_only_approver(self) -> None:
        world = proposed(beside(1), self.POLICY)
        world.authors = ("Ann",)
        assert (
            "The author of the spec cannot approve it alone." in world.issues[world.run.issue or 0]
        )
        said = approve(world)
        assert "Approved by @ann, who wrote this version of the spec." in said
        assert "Another person must approve this revision" in said
        approve(world)
        assert not is_running(world)
        assert opened(world) == [""]
        approve(world, author="bob")
        assert is_running(world)

    def test_one_approver_other_than_the_author_is_enough(self) -> None:
        world = proposed(beside(1), self.POLICY)
        world.authors = ("ann",)
        approve(world, author="bob")
        assert is_running(world)

    def test_approvals_by_several_authors_are_not_enough(self) -> None:
        world = proposed(beside(1), self.POLICY + "approvals: 2\n")
        world.authors = ("ann", "bob")
        approve(world)
        said = approve(world, author="bob")
        assert "Approved by @ann and @bob, who wrote this version" in said
        assert not is_running(world)
        approve(world, author="cid")
        assert is_running(world)

    def test_two_approvals_are_needed_if_the_author_is_unknown(self) -> None:
        world = proposed(beside(1), self.POLICY)
        said = approve(world)
        assert "GitHub does not say who wrote this version" in said
        assert not is_running(world)
        approve(world, author="bob")
        assert is_running(world)

    def test_the_rule_for_authors_also_holds_for_edits_during_a_run(self) -> None:
        world = proposed(beside(1), self.POLICY)
        world.authors = ("ann",)
        approve(world, author="bob")
        world.push_spec(beside(2), "v2")
        world.authors = ("bob",)
        world.settle()
        approve(world, author="bob")
        assert world.run.proposed_edit is not None
        approve(world)
        assert world.run.proposed_edit is None


def _plan(world: World) -> str:
    texts = [e.text for e in world.intended if isinstance(e, ef.EditIssue) and e.region == "plan"]
    return texts[-1]


def _answered(world: World, author: str) -> int:
    answered = (e for e in world.wrote("CommandAnswered") if isinstance(e, CommandAnswered))
    return sum(e.author == author for e in answered)


class TestStrangers:
    LITTLE = GATES + "strangers: {commands_an_hour: 2}\n"

    def ask(self, world: World, author: str, role: Role = Role.READ) -> int:
        """How many replies there are to one more comment."""
        before = len(world.posted)
        world.pass_time(2)
        world.say(world.run.issue or 0, "/headgate help", author=author, role=role)
        world.settle()
        return len(world.posted) - before

    @pytest.mark.attack(
        "A reader of a public repository asks for help seventy times",
        held="`bot.core.state.strangers_budget`: a budget by the hour, and one reply that says so",
    )
    def test_a_reader_is_told_once_about_the_command_limit(self) -> None:
        world = approved(beside(1), self.LITTLE)
        assert [self.ask(world, "eve") for _ in range(6)] == [1, 1, 1, 0, 0, 0]
        assert (
            "@eve, people without a role here get a limited number of replies per hour"
            in world.posted[-1][1]
        )
        # Others have a budget of their own, and people with a role have no limit.
        assert self.ask(world, "mallory") == 1
        assert [self.ask(world, "ann", Role.TRIAGE) for _ in range(5)] == [1] * 5
        world.pass_time(3_600)
        assert self.ask(world, "eve") == 1

    @pytest.mark.attack(
        "A reader of a public repository writes commands all day, for a journal without end",
        held="`bot.core.decide.people.run_commands`: what is above the budget is not written down",
    )
    @pytest.mark.parametrize("by_webhook", [True, False])
    def test_unanswered_commands_do_not_grow_the_journal(self, *, by_webhook: bool) -> None:
        world = approved(beside(1), self.LITTLE)
        issue = world.run.issue or 0
        for _ in range(9):
            comment = world.say(issue, "/headgate help", author="eve", role=Role.READ)
            hint = Hint(kind=HintKind.COMMENT, number=comment, issue=issue)
            if by_webhook:
                world.tick((hint,))
            world.settle()
        assert _answered(world, "eve") == 3
        # With the approval.
        assert len(world.wrote("CommandHeard")) == 3 + 1

    def test_commands_that_come_together_are_counted_one_by_one(self) -> None:
        world = approved(beside(1), self.LITTLE)
        issue = world.run.issue or 0
        said = [world.say(issue, "/headgate help", author="eve", role=Role.READ) for _ in range(9)]
        world.tick(tuple(Hint(kind=HintKind.COMMENT, number=c, issue=issue) for c in said))
        assert _answered(world, "eve") == 3

    def test_commands_that_come_together_but_are_found_later(self) -> None:
        """The role is unknown when a list shows them: they are read but not answered."""
        world = approved(beside(1), self.LITTLE)
        before = len(world.posted)
        for _ in range(9):
            world.say(world.run.issue or 0, "/headgate help", author="eve", role=Role.READ)
        world.settle()
        assert len(world.posted) - before == 3

    def test_many_readers_share_one_command_budget(self) -> None:
        world = approved(beside(1), self.LITTLE)
        said = [self.ask(world, f"reader{n}") for n in range(10)]
        assert said == [1] * 7 + [0] * 3

    def test_commands_older_than_an_hour_do_not_count(self) -> None:
        world = approved(beside(1), self.LITTLE)
        for _ in range(4):
            assert self.ask(world, "eve") == 1
            world.pass_time(3_601)
        assert len(world.state.strangers_asked) == 1
