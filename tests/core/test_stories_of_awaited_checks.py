"""A candidate waits for checks of other Apps: green passes, red fails, a missing one holds it."""

from datetime import timedelta

import pytest

from action.order import AgentOrder, GateOrder
from bot.core.decide.decide import wake_at
from bot.core.journal import effects as ef
from bot.core.spec.policy import Policy
from bot.core.spec.policy_file import POLICY_PATH
from bot.core.state.evidence import Judged, held
from bot.core.state.reason import Cause, reason_of
from bot.core.state.refusing_rules import Weight, findings
from bot.core.talk.reason_text import RUNNER_LABEL
from bot.core.talk.replies import why_reply
from bot.core.talk.rules_text import in_words
from bot.core.values.ids import OrderId, Sha
from bot.core.values.lifecycle import ChangeState, OfferStage, QueuedPullState
from bot.core.values.rules import BranchRule, Bypass, RepositoryRules, RequiredCheck, RuleKind
from bot.core.values.seen_check import CheckEnding, SeenCheck
from gates.result import Ending
from tests.core.kit import World, approved
from tests.core.queued_pulls import judge_pull, pull_of, queue_pulls
from tests.core.values import FACTS, GATES, beside, policy, sha

S = ChangeState
# The last key of GATES is `gates`.
WITH_CI = GATES + "  ci: {external: {check: ci, app: 15368}, timeout_seconds: 3600}\n"
ACTIONS = 15368
_HOUR = timedelta(hours=1)


def ci(ending: CheckEnding, app: int = ACTIONS, name: str = "ci") -> SeenCheck:
    return SeenCheck(
        name=name, app_id=app, ending=ending, said=f"{ending}", url="https://ci.test/1"
    )


def awaiting(text: str = WITH_CI) -> World:
    """A candidate that our own gates have passed."""
    world = approved(beside(1), text)
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    world.judge(gate(world))
    world.settle()
    return world


def gate(world: World) -> OrderId:
    return world.open_orders(GateOrder)[0]


def test_a_candidate_waits_for_the_check_and_lands_when_it_is_green() -> None:
    world = awaiting()
    assert world.stage("R0") is OfferStage.JUDGING
    assert world.open_orders(GateOrder) == []
    world.checks = (ci(CheckEnding.PENDING),)
    world.pass_time(60)
    world.settle()
    assert world.stage("R0") is OfferStage.JUDGING
    world.checks = (ci(CheckEnding.GREEN),)
    world.settle()
    assert world.change("R0").state is S.LANDED
    assert len(world.wrote("GatesOrdered")) == 1
    told = [t for t in world.check_runs.values() if t.name == "headgate/verdict"]
    assert "| `ci` | passed |" in told[-1].summary


def test_an_external_check_is_not_sent_to_the_runner() -> None:
    world = approved(beside(1), WITH_CI)
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    order = world.gate_order()
    assert "ci" not in [asked.name for asked in order.gates]


def test_a_red_external_check_fails_the_gate_and_is_sent_to_an_agent() -> None:
    world = awaiting()
    world.checks = (ci(CheckEnding.RED),)
    world.settle()
    (order,) = world.open_orders(AgentOrder)
    retry = world.agent_order(order).retry
    assert retry is not None
    (red,) = retry.failed_gates
    assert (red.gate, red.ending) == ("ci", Ending.FAILED)
    assert "https://ci.test/1" in red.sentence


def test_our_own_red_gates_fail_a_candidate_without_waiting() -> None:
    world = approved(beside(1), WITH_CI)
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    world.judge(gate(world), test=Ending.FAILED)
    world.settle()
    assert world.wrote("ChecksAwaited") == []
    assert len(world.open_orders(AgentOrder)) == 1


@pytest.mark.parametrize("seen", [(), (ci(CheckEnding.PENDING),)])
def test_a_missing_check_holds_the_change_until_it_arrives(
    seen: tuple[SeenCheck, ...],
) -> None:
    world = awaiting()
    world.checks = seen
    world.pass_time(3_590)
    world.settle()
    assert world.stage("R0") is OfferStage.JUDGING
    assert world.state.entry_of(world.change("R0")).hold is None
    since = world.now - timedelta(seconds=3_590)
    world.pass_time(20)
    world.settle()
    late = world.change("R0")
    hold = world.state.entry_of(late).hold
    assert hold is not None
    assert (world.stage("R0"), late.tries, hold.by) == (OfferStage.JUDGING, 1, "")
    assert "within 3600 seconds" in hold.why
    sha = world.candidate(late).sha[:12]
    assert f"for the App {ACTIONS} on {sha} since {since:%Y-%m-%d %H:%M} UTC" in hold.why
    assert reason_of(world.state, late, policy(WITH_CI)).cause is Cause.CHECK_LATE
    assert "It continues when the check is green" in why_reply(world.state, policy(WITH_CI), late)
    assert world.open_orders(AgentOrder) == []
    world.pass_time(86_400)
    world.settle()
    assert len(world.wrote("ChangeHeld")) == 1
    world.checks = (ci(CheckEnding.GREEN),)
    world.settle()
    assert world.change("R0").state is S.LANDED
    assert world.state.entry_of(world.change("R0")).hold is None
    assert len(world.wrote("GatesOrdered")) == 1


def test_a_late_failing_check_returns_the_change_to_its_agent() -> None:
    world = awaiting()
    world.pass_time(3_610)
    world.settle()
    world.checks = (ci(CheckEnding.RED),)
    world.settle()
    assert len(world.open_orders(AgentOrder)) == 1
    assert world.state.entry_of(world.change("R0")).hold is None


def test_a_check_that_did_not_run_holds_the_change() -> None:
    world = awaiting()
    world.checks = (ci(CheckEnding.NOT_RUN),)
    world.settle()
    late = world.change("R0")
    hold = world.state.entry_of(late).hold
    assert world.stage("R0") is OfferStage.JUDGING
    assert hold is not None
    assert "did not run" in hold.why
    world.checks = (ci(CheckEnding.GREEN),)
    world.settle()
    assert world.change("R0").state is S.LANDED


def test_a_release_by_a_person_restarts_the_waiting_time() -> None:
    world = awaiting()
    world.pass_time(3_610)
    world.settle()
    change = world.change("R0")
    world.say(change.issue or 0, "/headgate release")
    world.settle()
    assert "Headgate waits for the check again, for the same time." in world.replies()
    assert world.state.entry_of(change).hold is None
    world.pass_time(3_000)
    world.settle()
    assert world.state.entry_of(change).hold is None
    world.pass_time(700)
    world.settle()
    assert world.state.entry_of(change).hold is not None
    assert world.stage("R0") is OfferStage.JUDGING


def test_a_late_check_does_not_block_others_and_the_change_can_be_stopped() -> None:
    world = awaiting()
    world.pass_time(3_610)
    world.settle()
    (number,) = queue_pulls(world, "mend")
    judge_pull(world, number)
    assert pull_of(world, number).state is QueuedPullState.LANDED
    change = world.change("R0")
    world.say(change.issue or 0, "/headgate stop")
    world.settle()
    assert world.change("R0").state is S.STOPPED
    world.checks = (ci(CheckEnding.GREEN),)
    world.say(change.issue or 0, "/headgate retry")
    world.work()
    assert world.change("R0").state is S.LANDED
    assert world.state.entry_of(change).hold is None


def test_a_hold_ends_with_the_gate_that_it_was_for() -> None:
    world = awaiting()
    world.pass_time(3_610)
    world.settle()
    assert world.state.entry_of(world.change("R0")).hold is not None
    world.policy_text = GATES
    world.push(sha("a policy without it"), POLICY_PATH)
    world.work()
    assert world.change("R0").state is S.LANDED


def test_a_late_check_does_not_end_a_persons_hold() -> None:
    world = awaiting()
    world.say(world.change("R0").issue or 0, "/headgate hold the release")
    world.pass_time(3_610)
    world.settle()
    world.checks = (ci(CheckEnding.GREEN),)
    world.settle()
    change = world.change("R0")
    hold = world.state.entry_of(change).hold
    assert world.stage("R0") is OfferStage.QUEUED
    assert hold is not None
    assert hold.by == "ann"


def test_the_worst_of_several_counts() -> None:
    world = awaiting()
    world.checks = (ci(CheckEnding.GREEN), ci(CheckEnding.PENDING))
    world.settle()
    assert world.stage("R0") is OfferStage.JUDGING


@pytest.mark.parametrize("impostor", [ci(CheckEnding.GREEN, app=99), ci(CheckEnding.GREEN, app=0)])
def test_another_apps_check_of_that_name_does_not_count(impostor: SeenCheck) -> None:
    world = awaiting()
    world.checks = (impostor,)
    world.settle()
    assert world.stage("R0") is OfferStage.JUDGING


def test_check_runs_by_headgate_never_count_as_external() -> None:
    world = awaiting(GATES + "  ci: {external: {check: ci}}\n")
    world.checks = (ci(CheckEnding.GREEN, app=FACTS.app_id),)
    world.settle()
    assert world.stage("R0") is OfferStage.JUDGING
    world.checks = (ci(CheckEnding.GREEN, app=99),)
    world.settle()
    assert world.change("R0").state is S.LANDED


def test_a_rebuilt_candidate_waits_for_checks_again() -> None:
    world = awaiting()
    id_ = world.change("R0").id
    world.checks = (ci(CheckEnding.PENDING),)
    world.push_spec(beside(1), "v9", "specs/other.md")
    world.settle()
    world.checks = (ci(CheckEnding.GREEN),)
    world.settle()
    world.checks = ()
    world.judge(gate(world))
    world.settle()
    built = [e for e in world.intended if isinstance(e, ef.BuildCandidate)]
    assert len(built) == 2
    assert world.state.changes[id_].landed is None
    assert len(world.wrote("ChecksAwaited")) == 2
    world.checks = (ci(CheckEnding.GREEN),)
    world.settle()
    assert world.state.changes[id_].state is S.LANDED


def test_a_pass_of_another_commit_is_not_reused() -> None:
    world = awaiting()
    world.checks = (ci(CheckEnding.GREEN),)
    world.settle()
    candidate = world.candidate("R0")
    assert "ci" in [result.gate for result in candidate.results]
    for commit in (candidate.sha, Sha(candidate.sha[::-1])):
        judged = Judged(commit=commit, tree=candidate.tree, diff="d")
        again = held(world.state, policy(WITH_CI), judged)
        assert sorted(result.gate for result in again) == ["lint", "test"]
    ci_keys = [e.key.judged for e in world.state.evidence.values() if e.key.gate == "ci"]
    assert ci_keys == [f"commit:{candidate.sha}"]


def test_a_gate_added_to_the_policy_while_waiting_runs() -> None:
    world = awaiting()
    world.policy_text = WITH_CI + "  late: {run: make late}\n"
    world.push_code("policy")
    # What is awaited says nothing of the new gate, so nobody waits for its end.
    world.checks = (ci(CheckEnding.PENDING),)
    world.settle()
    change = world.change("R0")
    assert change.state is not S.LANDED
    orders = [world.gate_order(id_) for id_ in _gate_orders(world)]
    # Main's own gates have it, too.
    its_own = [o for o in orders if o.candidate_sha == world.candidate(change).sha]
    assert "late" in [gate.name for gate in its_own[-1].gates]


def _gate_orders(world: World) -> list[OrderId]:
    return [id_ for id_, order in world.orders.items() if isinstance(order, GateOrder)]


def test_an_optional_external_check_does_not_delay_the_landing() -> None:
    world = awaiting(GATES + "  ci: {external: {check: ci}, required: false}\n")
    assert world.change("R0").state is S.LANDED


def test_a_deadline_sets_a_wake_up_and_why_names_the_awaited_check() -> None:
    world = awaiting()
    world.checks = (ci(CheckEnding.PENDING),)
    world.settle()
    read = world.policy
    assert isinstance(read, Policy)
    change = world.change("R0")
    awaited = world.candidate(change).awaited
    assert awaited is not None
    at = wake_at(world.state, read, (), world.now)
    assert at is not None
    assert at <= awaited.since + _HOUR
    assert reason_of(world.state, change, read).cause is Cause.CHECKS_AWAITED
    assert "waited for other checks" in why_reply(world.state, read, change)


def test_a_required_check_is_proposed_as_a_gate_until_the_policy_has_it() -> None:
    checks = (RequiredCheck(context="ci / test", app_id=ACTIONS),)
    rule = BranchRule(kind=RuleKind.CHECKS, ruleset="CI", bypass=Bypass.NEVER, checks=checks)
    rules = RepositoryRules(branch="main", rules=(rule,))
    (found,) = findings(FACTS, rules, policy(GATES), RUNNER_LABEL)
    assert found.weight is Weight.MAY_REFUSE
    (sentence,) = in_words("main", "", (found,))
    proposed = sentence.partition("the policy: `")[2].partition("`")[0]
    awaited = policy(GATES + f"  {proposed}\n")
    assert [gate.name for gate in awaited.external_gates] == ["ci-test"]
    assert findings(FACTS, rules, awaited, RUNNER_LABEL) == ()
