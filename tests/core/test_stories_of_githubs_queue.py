"""Main requires GitHub's merge queue: Headgate adds entries, judges the groups and watches."""

from datetime import timedelta

from action.order import GateOrder
from bot.core.journal import effects as ef
from bot.core.journal.events import GroupSeen
from bot.core.journal.evolve import evolve
from bot.core.state.landing_way import is_queued, merge_methods
from bot.core.state.refusing_rules import Weight
from bot.core.talk.queue_issue import queue_text
from bot.core.values.candidate import MergeGroup, MovedBy
from bot.core.values.check_run import Conclusion
from bot.core.values.ids import Ref, Sha
from bot.core.values.lifecycle import ChangeState, QueuedPullState as P
from bot.core.values.rules import Bypass, RuleKind
from gates.result import Ending
from tests.core.kit import World
from tests.core.queued_pulls import judge_pull, pull_of, queue_pulls
from tests.core.test_stories_of_merges_by_github import GITHUB, hand_in, merging
from tests.core.test_stories_of_rules import heard_of, of, region, rule, weights
from tests.core.values import GATES, policy, sha

QUEUE = rule(RuleKind.MERGE_QUEUE)
PULLS = rule(RuleKind.PULL_REQUEST)


def queueing(text: str = GITHUB) -> World:
    """An approved plan of one change, where a rule wants GitHub's queue."""
    return merging(text, (QUEUE, PULLS))


def pass_gates(world: World) -> None:
    hand_in(world)
    world.judge(world.open_orders(GateOrder)[0])


def group(world: World, name: str, tree: Sha | None = None) -> MergeGroup:
    """A group on main as it is."""
    made = sha(f"group {name}")
    ref = Ref(f"refs/heads/gh-readonly-queue/main/pr-{name}")
    return MergeGroup(ref=ref, sha=made, tree=tree or sha(f"tree {name}"), base=world.main[-1].sha)


def show_groups(world: World, *groups: MergeGroup) -> None:
    world.groups = groups
    world.tick()
    world.settle()


class TestALanding:
    def test_a_change_lands_through_the_queue_and_the_ledger_says_so(self) -> None:
        world = queueing()
        pass_gates(world)
        world.settle()
        (landing,) = [e for e in world.intended if isinstance(e, ef.LandCandidate)]
        assert (landing.queues, landing.merges) == (True, ())
        assert world.change("R0").state is ChangeState.LANDED
        assert world.state.ledger[-1].through is MovedBy.MERGE_QUEUE

    def test_a_persons_pull_lands_through_githubs_queue(self) -> None:
        world = World(GITHUB)
        heard_of(world, of(QUEUE))
        (number,) = queue_pulls(world, "mend")
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED
        assert world.check_runs[f"pull-{number}:1:head"].conclusion is Conclusion.SUCCESS
        (landing,) = [e for e in world.intended if isinstance(e, ef.LandPull)]
        assert landing.queues

    def test_a_change_removed_by_github_loses_no_attempt_and_is_queued_again(self) -> None:
        world = queueing()
        world.taken_out.append("CI_TIMEOUT")
        pass_gates(world)
        world.settle()
        change = world.change("R0")
        assert change.state is ChangeState.OFFERED
        assert "`CI_TIMEOUT`" in change.sentence
        assert "does not count against the work" in change.sentence
        attempts = change.attempt
        world.pass_time(timedelta(minutes=6).total_seconds())
        world.settle()
        assert world.change("R0").state is ChangeState.LANDED
        assert world.change("R0").attempt == attempts
        assert not world.open_orders(GateOrder)


class TestAGroup:
    def test_a_group_with_the_landing_tree_is_not_judged_again(self) -> None:
        world = queueing()
        pass_gates(world)
        world.decide()
        candidate = world.candidate(world.change("R0"))
        ours = group(world, "ours", candidate.tree)
        world.groups = (ours,)
        world.decide()
        world.decide()
        assert world.state.adoptions[ours.sha].green is True
        assert world.open_orders(GateOrder) == []
        world.settle()
        assert world.check_commits[f"main:{ours.sha}"] == ours.sha
        verdict = world.check_runs[f"main:{ours.sha}"]
        assert (verdict.name, verdict.conclusion) == ("headgate/verdict", Conclusion.SUCCESS)

    def test_a_group_with_another_tree_on_the_same_base_is_judged(self) -> None:
        world = queueing()
        pass_gates(world)
        world.decide()
        theirs = group(world, "theirs")
        world.groups = (theirs,)
        world.decide()
        world.decide()
        judged = world.state.adoptions[theirs.sha]
        assert judged.order is not None
        assert judged.green is None

    def test_a_group_of_other_pulls_is_judged_by_the_gates_of_main(self) -> None:
        world = queueing()
        theirs = group(world, "theirs")
        show_groups(world, theirs)
        (order,) = world.open_orders(GateOrder)
        asked = world.gate_order(order)
        assert (asked.candidate_sha, asked.candidate_ref) == (theirs.sha, theirs.ref)
        assert asked.diff_base_sha == theirs.base
        world.judge(order)
        world.settle()
        assert world.check_runs[f"main:{theirs.sha}"].conclusion is Conclusion.SUCCESS

    def test_a_red_group_gets_its_verdict_and_does_not_freeze_the_queue(self) -> None:
        world = queueing()
        theirs = group(world, "theirs")
        show_groups(world, theirs)
        world.judge(world.open_orders(GateOrder)[0], test=Ending.FAILED)
        world.settle()
        assert world.check_runs[f"main:{theirs.sha}"].conclusion is Conclusion.FAILURE
        assert world.state.frozen is None
        assert "The merge group at" in world.state.adoptions[theirs.sha].sentence

    def test_a_group_seen_again_keeps_its_verdict(self) -> None:
        world = queueing()
        theirs = group(world, "theirs")
        show_groups(world, theirs)
        world.judge(world.open_orders(GateOrder)[0])
        world.settle()
        seen = GroupSeen(group=theirs, seen_at=world.now)
        assert evolve(world.state, seen).adoptions == world.state.adoptions

    def test_a_removed_group_is_forgotten(self) -> None:
        world = queueing()
        theirs = group(world, "theirs")
        show_groups(world, theirs)
        world.judge(world.open_orders(GateOrder)[0])
        world.settle()
        show_groups(world)
        assert theirs.sha not in world.state.adoptions

    def test_a_withheld_verdict_is_closed_when_github_drops_the_group(
        self,
    ) -> None:
        world = queueing()
        theirs = group(world, "theirs")
        show_groups(world, theirs)
        world.say(world.run.issue or 0, "/headgate freeze the fair")
        world.judge(world.open_orders(GateOrder)[0])
        world.settle()
        assert world.check_runs[f"main:{theirs.sha}"].conclusion is None
        show_groups(world)
        dropped = world.check_runs[f"main:{theirs.sha}"]
        assert dropped.conclusion is Conclusion.CANCELLED
        assert "no longer a merge group of GitHub" in dropped.summary
        told = len(world.intended)
        show_groups(world)
        assert len(world.intended) == told

    def test_a_red_group_that_became_main_freezes_the_queue(self) -> None:
        world = queueing()
        theirs = group(world, "theirs")
        show_groups(world, theirs)
        world.judge(world.open_orders(GateOrder)[0], test=Ending.FAILED)
        world.settle()
        world.push(theirs.sha, "src/shop.py", tree=theirs.tree)
        show_groups(world)
        assert world.state.frozen is not None
        assert not world.open_orders(GateOrder)

    def test_a_judged_group_that_became_main_is_not_judged_again(self) -> None:
        world = queueing()
        theirs = group(world, "theirs")
        show_groups(world, theirs)
        world.judge(world.open_orders(GateOrder)[0])
        world.settle()
        world.push(theirs.sha, "src/shop.py", tree=theirs.tree)
        show_groups(world)
        assert world.state.main == theirs.sha
        assert world.state.ledger[-1].kind.value == "adopted"
        assert not world.open_orders(GateOrder)
        assert world.state.frozen is None


class TestTexts:
    def test_the_rule_refuses_unless_the_policy_lets_github_merge(self) -> None:
        assert weights(of(QUEUE), GATES) == [Weight.REFUSES]
        assert not is_queued(policy(GATES), of(QUEUE))
        assert weights(of(QUEUE, PULLS), GITHUB) == [Weight.NOTE]
        assert not is_queued(policy(GITHUB), of(rule(RuleKind.MERGE_QUEUE, Bypass.ALWAYS)))
        assert merge_methods(policy(GITHUB), of(QUEUE, PULLS)) == ()

    def test_limits_of_githubs_queue_are_stated_in_the_tracking_and_queue_issues(self) -> None:
        world = queueing()
        for text in (region(world), queue_text(world.state, policy(GITHUB), world.now)):
            assert "to GitHub's merge queue. This weakens some guarantees." in text
            assert "GitHub decides the order." in text
