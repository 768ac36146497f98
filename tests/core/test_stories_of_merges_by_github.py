"""Main accepts only merges of pulls: GitHub merges, and Headgate checks the new main."""

import pytest

from action.order import AgentOrder, GateOrder
from bot.core.journal import effects as ef
from bot.core.state.landing_way import merge_methods
from bot.core.state.refusing_rules import Weight
from bot.core.talk.queue_issue import queue_text
from bot.core.values.candidate import MovedBy
from bot.core.values.check_run import Conclusion
from bot.core.values.ids import PullNumber
from bot.core.values.lifecycle import CandidateState, ChangeState, QueuedPullState as P
from bot.core.values.pull_review import Approvals
from bot.core.values.repository import PullState
from bot.core.values.rules import BranchRule, Bypass, MergeMethod, RuleKind
from gates.result import Ending
from tests.core.kit import World, approved
from tests.core.queued_pulls import gates_of_pull, judge_pull, pull_of, queue_pulls, said_at
from tests.core.test_stories_of_rules import heard_of, of, region, rule, weights
from tests.core.values import GATES, beside, policy, sha

GITHUB = GATES.replace("version: 1\n", "version: 1\nlanding: github\n")
PULLS = rule(RuleKind.PULL_REQUEST)
M = MergeMethod


def merging(text: str = GITHUB, rules: tuple[BranchRule, ...] = (PULLS,)) -> World:
    """An approved plan of one change, where a rule wants pulls."""
    world = approved(beside(1), text)
    heard_of(world, of(*rules))
    return world


def hand_in(world: World) -> None:
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()


def main_order(world: World) -> GateOrder:
    (id_,) = world.open_orders(GateOrder)
    return world.gate_order(id_)


class TestAChange:
    def test_a_change_lands_as_githubs_merge_of_the_judged_tree(self) -> None:
        world = merging()
        hand_in(world)
        candidate = world.candidate(world.change("R0"))
        world.judge(world.open_orders(GateOrder)[0])
        world.settle()
        change = world.change("R0")
        assert change.state is ChangeState.LANDED
        assert change.landed == world.state.main == sha(f"merge of {candidate.sha}")
        assert world.candidate(change).state is CandidateState.LANDED
        line = world.state.ledger[-1]
        assert (line.kind.value, line.change, line.tree) == ("landed", change.id, candidate.tree)
        assert line.through is MovedBy.PULL_MERGE
        assert not world.state.adoptions
        assert world.open_orders(GateOrder) == []

    def test_without_the_policy_github_does_not_merge(self) -> None:
        world = merging(GATES)
        assert weights(of(PULLS), GATES) == [Weight.REFUSES]
        assert weights(of(PULLS), GITHUB) == [Weight.NOTE]
        hand_in(world)
        world.judge(world.open_orders(GateOrder)[0])
        world.settle()
        landing = [e for e in world.intended if isinstance(e, ef.LandCandidate)]
        assert [e.merges for e in landing] == [()]
        assert world.state.ledger[-1].through is None

    def test_limits_of_githubs_merge_are_stated_in_the_tracking_issue(self) -> None:
        world = merging()
        assert "GitHub merges each pull request into `main`" in region(world)
        assert "it is for some time a tree that no gate has judged" in region(world)

    def test_the_queue_issue_states_limits_of_githubs_merge(self) -> None:
        world = merging()
        assert "GitHub merges each pull" in queue_text(world.state, policy(GITHUB), world.now)
        assert "GitHub merges" not in queue_text(world.state, policy(GATES), world.now)

    def test_an_unjudged_merged_tree_is_judged_on_main_without_failing_a_change(self) -> None:
        world = merging()
        hand_in(world)
        world.pushed_before_merge.append("theirs")
        world.judge(world.open_orders(GateOrder)[0])
        world.settle()
        change = world.change("R0")
        assert change.state is ChangeState.LANDED
        assert "No gate has judged the new tree" in change.sentence
        assert [line.kind.value for line in world.state.ledger[-2:]] == ["adopted", "adopted"]
        assert main_order(world).candidate_sha == world.state.main == change.landed
        world.judge(world.open_orders(GateOrder)[0], test=Ending.FAILED)
        world.settle()
        assert world.state.frozen is not None
        assert world.change("R0").state is ChangeState.LANDED

    def test_a_merge_without_an_answer_is_recognised_by_its_tree(self) -> None:
        world = merging()
        hand_in(world)
        candidate = world.candidate(world.change("R0"))
        world.judge(world.open_orders(GateOrder)[0])
        world.decide()
        assert any(isinstance(e, ef.LandCandidate) for e in world.state.open_effects.values())
        world.push(sha("merge"), tree=candidate.tree, author="headgate[bot]")
        world.decide()
        assert world.change("R0").state is ChangeState.LANDED
        line = world.state.ledger[-1]
        assert (line.sha, line.through) == (sha("merge"), MovedBy.PULL_MERGE)
        pull = PullNumber(world.change("R0").pull or 0)
        merged = {"state": PullState.MERGED, "merged_as": line.sha}
        world.pulls[pull] = world.pulls[pull].model_copy(update=merged)
        world.settle()
        assert world.state.ledger[-1] == line

    def test_a_different_tree_on_main_is_not_a_landing(self) -> None:
        world = merging()
        hand_in(world)
        world.judge(world.open_orders(GateOrder)[0])
        world.decide()
        world.push_code("theirs")
        world.decide()
        assert world.state.ledger[-1].kind.value == "adopted"
        assert world.change("R0").state is ChangeState.OFFERED

    def test_a_change_waits_for_approvals_that_github_requires(self) -> None:
        asks = rule(RuleKind.PULL_REQUEST, approvals=1)
        world = merging(rules=(asks,))
        hand_in(world)
        world.judge(world.open_orders(GateOrder)[0])
        world.settle()
        change = world.change("R0")
        assert change.waits_for_reviews
        assert change.pull is not None
        assert not [e for e in world.intended if isinstance(e, ef.LandCandidate)]
        world.approvals[change.pull] = Approvals(by=("ann",))
        world.tick()
        world.settle()
        assert world.change("R0").state is ChangeState.LANDED


class TestAPersonsPull:
    def test_a_pull_lands_by_its_head_with_the_verdict_on_it(self) -> None:
        world = World(GITHUB)
        heard_of(world, of(PULLS))
        (number,) = queue_pulls(world, "mend")
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED
        candidate = world.candidate(pull_of(world, number))
        line = world.state.ledger[-1]
        assert (line.pull, line.tree, line.through) == (number, candidate.tree, MovedBy.PULL_MERGE)
        assert line.sha == world.state.main == sha(f"merge of {candidate.sha}")
        assert world.check_commits[f"pull-{number}:1:head"] == sha("head mend")
        assert world.check_runs[f"pull-{number}:1:head"].conclusion == "success"

    def test_the_head_of_a_pull_has_no_verdict_before_the_landing(self) -> None:
        world = World(GITHUB)
        heard_of(world, of(PULLS))
        (number,) = queue_pulls(world, "mend")
        world.say(number, "/headgate freeze")
        world.settle()
        judge_pull(world, number)
        assert pull_of(world, number).state is P.QUEUED
        assert f"pull-{number}:1" in world.check_runs
        assert f"pull-{number}:1:head" not in world.check_runs
        assert "GitHub merges each pull" in world.check_runs[f"queue:pull-{number}:1"].summary
        world.say(number, "/headgate unfreeze")
        world.settle()
        assert f"pull-{number}:1:head" in world.check_runs
        assert pull_of(world, number).state is P.LANDED

    def test_the_head_of_a_pull_has_the_verdict_during_the_landing(self) -> None:
        """A later manual merge would bypass the queue."""
        world = World(GITHUB)
        heard_of(world, of(PULLS))
        (number,) = queue_pulls(world, "mend")
        world.refusals["LandPull"] = "A conversation is not resolved"
        judge_pull(world, number)
        assert pull_of(world, number).state is P.EVICTED
        assert world.check_runs[f"pull-{number}:1:head"].conclusion is Conclusion.CANCELLED

        world.refusals.clear()
        world.push(sha("another main"), ".github/headgate.yml")
        world.say(number, "/headgate queue")
        world.settle()
        judge_pull(world, number)
        nth = pull_of(world, number).candidates
        assert pull_of(world, number).state is P.LANDED
        assert world.check_runs[f"pull-{number}:{nth}:head"].conclusion is Conclusion.SUCCESS

    def test_a_merge_with_an_unjudged_tree_is_reported_at_the_pull_and_judged(self) -> None:
        world = World(GITHUB)
        heard_of(world, of(PULLS))
        (number,) = queue_pulls(world, "mend")
        world.pushed_before_merge.append("theirs")
        world.judge(gates_of_pull(world, number))
        world.settle()
        assert pull_of(world, number).state is P.WITHDRAWN
        assert "No gate has judged the new tree" in said_at(world, number)
        assert main_order(world).candidate_sha == world.state.main
        assert world.pulls[PullNumber(number)].merged_as == world.state.main


class TestMergeMethod:
    @pytest.mark.parametrize(
        ("rules", "methods"),
        [
            ((PULLS,), (M.MERGE, M.SQUASH, M.REBASE)),
            ((rule(RuleKind.PULL_REQUEST, merge_methods=("rebase",)),), (M.REBASE,)),
            ((PULLS, rule(RuleKind.LINEAR_HISTORY)), (M.SQUASH, M.REBASE)),
            ((PULLS, rule(RuleKind.LINEAR_HISTORY, Bypass.ALWAYS)), (M.MERGE, M.SQUASH, M.REBASE)),
            ((rule(RuleKind.PULL_REQUEST, Bypass.ALWAYS),), ()),
            ((rule(RuleKind.PULL_REQUEST, Bypass.PULLS_ONLY),), (M.MERGE, M.SQUASH, M.REBASE)),
            ((rule(RuleKind.LINEAR_HISTORY),), ()),
        ],
    )
    def test_the_rules_choose_the_merge_method(
        self, rules: tuple[BranchRule, ...], methods: tuple[MergeMethod, ...]
    ) -> None:
        assert merge_methods(policy(GITHUB), of(*rules)) == methods
        assert merge_methods(policy(GATES), of(*rules)) == ()

    def test_rules_that_leave_no_method_refuse_every_landing(self) -> None:
        only = rule(RuleKind.PULL_REQUEST, merge_methods=("merge",))
        assert weights(of(only, rule(RuleKind.LINEAR_HISTORY)), GITHUB) == [Weight.REFUSES]
