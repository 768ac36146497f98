"""Changes from start to end: attempts, losses, stops, refusals, landings."""

from dataclasses import replace

import pytest

from action.order import AgentOrder, GateOrder, RetryReason
from action.report import AgentEnding, GateOrderReport
from bot.core.decide.changes.advance import ORDERS_LOST_MAX
from bot.core.journal import events as ev
from bot.core.journal.events import FailureReason
from bot.core.journal.state import OrderState, SpecRunState
from bot.core.state.observed import Hint, HintKind
from bot.core.values.lifecycle import ChangeState, OfferStage
from bot.core.values.repository import PullState
from gates.result import Ending
from tests.core.kit import World, approved, judging
from tests.core.values import GATES, beside, sha

S = ChangeState

_HANDED_ON = {AgentEnding.FINISHED, AgentEnding.ASKED, AgentEnding.DEFERRED}


def _to(world: World, name: str, state: ChangeState) -> None:
    world.work(until=lambda w: w.change(name).state is state)
    assert world.change(name).state is state


def test_a_spec_becomes_merged_code_and_a_report() -> None:
    world = approved()
    world.work()
    assert {c.state for c in world.state.changes.values()} == {S.LANDED}
    assert world.run.state is SpecRunState.ENDED
    assert world.run.issue_closed
    assert all(c.issue_closed for c in world.state.changes.values())
    assert [line.kind for line in world.state.ledger] == ["genesis", "admitted", *["landed"] * 3]
    assert world.state.ledger_published == 5
    assert set(world.state.covered) == {"shop#A", "shop#B", "shop#C"}
    assert "3 of 3 requirements landed" in world.replies()
    assert world.main[-1].sha == world.state.main


def test_a_change_starts_when_its_dependency_has_landed() -> None:
    world = approved()
    assert world.change("A").state is S.ORDERED
    assert world.change("B").state is S.WAITING
    _to(world, "A", S.LANDED)
    assert world.change("B").state is not S.LANDED
    at = {e.change: n for n, e in enumerate(world.journal) if isinstance(e, ev.AgentOrdered)}
    landed = next(n for n, e in enumerate(world.journal) if isinstance(e, ev.Landed))
    world.settle()
    at = {e.change: n for n, e in enumerate(world.journal) if isinstance(e, ev.AgentOrdered)}
    assert at[world.change("B").id] > landed


def test_links_between_issues_are_made_once() -> None:
    world = approved()
    world.work()
    assert len(world.wrote("SubIssueLinked")) == 3
    assert len(world.wrote("BlockedByLinked")) == 1


@pytest.mark.parametrize("parallel", [1, 2, 5])
def test_the_number_of_agents_stays_within_the_policy(parallel: int) -> None:
    world = approved(beside(5), GATES + f"max_parallel: {parallel}\n")
    assert len(world.open_orders(AgentOrder)) == parallel
    while world.open_orders(AgentOrder):
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        assert len(world.open_orders(AgentOrder)) <= parallel
    world.work()
    assert world.run.state is SpecRunState.ENDED


def test_red_gates_are_returned_to_the_agent_with_their_output() -> None:
    world, order = judging()
    world.judge(order, test=Ending.FAILED, lint=Ending.FAILED)
    world.settle()
    change = world.change("R0")
    assert change.state is S.ORDERED
    assert change.attempt == 2
    sent = world.agent_order()
    assert sent.retry is not None
    assert sent.retry.reason is RetryReason.GATES_FAILED
    assert [r.gate for r in sent.retry.failed_gates] == ["test", "lint"]
    # It starts from the last attempt's work merged on today's main, not from main.
    assert sent.start_sha == change.start
    assert sent.start_ref.startswith("refs/headgate/starts/")
    assert sent.base_sha == world.state.main


def test_a_gate_that_is_not_required_may_fail() -> None:
    world, order = judging()
    world.judge(order, lint=Ending.FAILED)
    world.settle()
    assert world.change("R0").state is S.LANDED
    assert world.state.ledger[-1].gates == ("test", "scope_check")


@pytest.mark.parametrize("ending", [e for e in Ending if e is not Ending.PASSED])
def test_a_gate_that_did_not_run_has_not_passed(ending: Ending) -> None:
    world, order = judging()
    world.judge(order, test=ending)
    world.settle()
    assert world.change("R0").landed is None
    assert world.change("R0").attempt == 2


def test_a_change_fails_after_its_last_attempt() -> None:
    world = approved(beside(2), GATES + "attempts_max: 2\n")
    broken = world.change("R0").id
    for _ in range(4):
        world.settle()
        for id_ in world.open_orders(AgentOrder):
            world.hand_in(id_)
        world.settle()
        for id_ in world.open_orders(GateOrder):
            failing = world.state.orders[id_].change == broken
            world.judge(id_, test=Ending.FAILED if failing else Ending.PASSED)
    world.settle()
    change = world.state.changes[broken]
    assert (change.state, change.failure) == (S.FAILED, FailureReason.ATTEMPTS_USED_UP)
    assert "After 2 attempts: Did not pass: test (failed)." in change.sentence
    assert world.change("R1").state is S.LANDED
    assert "attempts used up" in world.replies()
    assert change.pull is not None
    assert world.pulls[change.pull].state is PullState.CLOSED


def test_a_failed_change_blocks_only_its_dependents() -> None:
    world = approved(policy_text=GATES + "attempts_max: 1\n")
    world.hand_in(world.agent_order_of("A"), AgentEnding.GAVE_UP, "I cannot.")
    world.work()
    assert world.change("A").state is S.FAILED
    assert world.change("B").state is S.WAITING
    assert world.change("C").state is S.LANDED
    assert world.run.state is SpecRunState.ENDED
    assert "was held back by `cart-title-of-a`" in world.replies()


def test_retry_reopens_a_failed_change_and_its_run() -> None:
    world = approved(policy_text=GATES + "attempts_max: 1\n")
    world.hand_in(world.agent_order_of("A"), AgentEnding.GAVE_UP)
    world.work()
    world.say(world.run.issue or 0, "/headgate retry")
    world.settle()
    assert world.run.state is SpecRunState.RUNNING
    assert not world.run.issue_closed
    assert world.change("A").tries == 1
    world.work()
    assert world.change("B").state is S.LANDED
    assert world.run.issue_closed
    assert len([1 for _, text in world.posted if "### Report" in text]) == 2


class TestLosses:
    """Runners that die, never start, or report late."""

    def test_a_lost_runner_is_replaced_within_the_same_attempt(self) -> None:
        world = approved(beside(1))
        first = world.open_orders(AgentOrder)[0]
        world.lease(first, seconds=45)
        world.settle()
        assert world.change("R0").state is S.WORKING
        world.pass_time(46)
        world.settle()
        assert world.state.orders[first].state is OrderState.LOST
        second = world.open_orders(AgentOrder)[0]
        assert second != first
        assert world.agent_order(second).attempt == 1
        assert world.change("R0").attempt == 1

    def test_a_workflow_run_that_ended_without_a_report_is_lost(self) -> None:
        world = approved(beside(1))
        first = world.open_orders(AgentOrder)[0]
        world.ended_runs[first] = "failure"
        run = world.state.orders[first].workflow_run
        assert run is not None
        world.tick((Hint(kind=HintKind.WORKFLOW_RUN, number=run),))
        assert world.state.orders[first].state is OrderState.LOST

    def test_a_change_fails_after_three_losses_in_a_row(self) -> None:
        world = approved(beside(1))
        for _ in range(ORDERS_LOST_MAX):
            assert world.change("R0").attempt == 1
            world.lease(world.open_orders(AgentOrder)[0])
            world.settle()
            world.pass_time(100)
            world.settle()
        change = world.change("R0")
        assert (change.state, change.failure) == (S.FAILED, FailureReason.RUNNERS_LOST)
        assert world.run.state is SpecRunState.ENDED

    def test_the_report_of_a_lost_runner_is_kept_and_not_used(self) -> None:
        world = approved(beside(1))
        first = world.open_orders(AgentOrder)[0]
        world.lease(first)
        world.settle()
        world.pass_time(100)
        world.settle()
        before = world.change("R0")
        world.hand_in(first)
        world.settle()
        assert world.change("R0") == before
        assert len(world.wrote("LateReportKept")) == 1

    def test_lost_gates_are_ordered_again_and_then_fail_the_change(self) -> None:
        world, order = judging()
        for _ in range(2):
            world.lease(order)
            world.settle()
            world.pass_time(100)
            world.settle()
            assert world.stage("R0") is OfferStage.JUDGING
            order = world.open_orders(GateOrder)[0]
        world.lease(order)
        world.settle()
        world.pass_time(100)
        world.settle()
        change = world.change("R0")
        assert (change.attempt, change.state) == (1, S.FAILED)
        assert change.failure is FailureReason.RUNNERS_LOST
        assert "No runner completed the gates, 3 times in a row" in change.sentence

    def test_gates_that_cannot_be_started_three_times_count_as_not_run(self) -> None:
        world, _ = judging()
        for _ in range(3):
            assert world.change("R0").attempt == 1
            world.judge_nothing(world.open_orders(GateOrder)[0])
            world.settle()
        assert world.change("R0").attempt == 2

    def test_a_report_about_another_commit_is_ignored(self) -> None:
        world, order = judging()
        world.judge(order)
        entry = world.order_store[order]
        assert isinstance(entry.report, GateOrderReport)
        assert entry.report.report is not None
        report = replace(entry.report.report, candidate_sha=sha("x"))
        lie = entry.report.model_copy(update={"report": report})
        world.order_store[order] = entry.model_copy(update={"report": lie})
        world.settle()
        assert world.state.orders[order].state is OrderState.LOST
        assert world.stage("R0") is OfferStage.JUDGING


class TestWork:
    """Agents' work, and work that cannot be used."""

    @pytest.mark.parametrize("ending", sorted(set(AgentEnding) - _HANDED_ON))
    def test_an_agent_that_did_not_finish_tries_again_with_the_reason(
        self, ending: AgentEnding
    ) -> None:
        world = approved(beside(1))
        world.hand_in(world.open_orders(AgentOrder)[0], ending, "It was too hard.")
        world.settle()
        sent = world.agent_order()
        assert sent.attempt == 2
        assert sent.retry is not None
        assert sent.retry.sentence == "It was too hard."
        assert world.change("R0").agent_runs[0].outcome == ending

    def test_a_bundle_that_breaks_a_rule_is_returned_with_the_paths(self) -> None:
        world = approved(beside(1))
        order = world.open_orders(AgentOrder)[0]
        world.bundles[order] = "refuse"
        world.hand_in(order)
        world.settle()
        change = world.change("R0")
        assert change.attempt == 2
        assert change.retry is not None
        assert change.retry.reason is RetryReason.BUNDLE_REFUSED
        assert change.retry.refused_files == (".github/x.yml",)

    def test_work_that_does_not_merge_is_returned_with_the_files(self) -> None:
        world = approved(beside(1))
        world.conflicts = [True]
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        change = world.change("R0")
        assert change.attempt == 2
        assert change.retry is not None
        assert change.retry.reason is RetryReason.CONFLICT
        assert change.retry.conflicting_files == ("src/shop.py",)
        world.work()
        assert world.change("R0").state is S.LANDED

    def test_a_delta_that_cannot_be_folded_fails_and_lands_without_the_agent_later(self) -> None:
        world = approved(beside(1))
        world.archive_refusals = ["Requirement `Pay` is not in the main specs."]
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        change = world.change("R0")
        assert (change.state, change.failure) == (S.FAILED, FailureReason.ARCHIVE_REFUSED)
        assert "`Pay` is not in the main specs" in change.sentence
        world.say(change.issue or 0, "/headgate retry")
        world.work()
        change = world.change("R0")
        assert (change.state, len(change.agent_runs)) == (S.LANDED, 1)

    def test_a_conflict_with_a_newer_main_leaves_the_queue(self) -> None:
        world, order = judging()
        world.lease(order)
        world.settle()
        world.push(sha("spec by hand"), "specs/notes.md")
        world.judge(order)
        world.conflicts = [True]
        world.settle()
        assert world.change("R0").state is S.ORDERED
        assert world.state.entry_of(world.change("R0")).entered is None


class TestQueue:
    """Changes land one at a time, each judged on the main it lands on."""

    def test_a_pass_on_an_older_main_is_built_and_judged_again(self) -> None:
        world, order = judging()
        world.lease(order)
        world.settle()
        world.push(sha("spec by hand"), "specs/notes.md")
        world.judge(order)
        world.settle()
        second = world.change("R0")
        assert world.stage(second) is OfferStage.JUDGING
        assert second.candidates == 2
        assert world.candidate(second).base == world.state.main
        # A diff gate's result still holds for the same diff; a tree gate's does not.
        assert [g.name for g in world.gate_order().gates] == ["test", "lint"]

    def test_a_landing_on_a_moved_main_returns_to_the_front_of_the_queue(self) -> None:
        world, order = judging()
        world.judge(order)
        world.decide()
        assert world.stage("R0") is OfferStage.LANDING
        world.push(sha("spec by hand"), "specs/notes.md")
        world.perform()
        assert world.stage("R0") is OfferStage.QUEUED
        assert world.wrote("LandAborted")
        world.work()
        assert world.change("R0").state is S.LANDED

    def test_a_landing_on_main_counts_even_without_its_event(self) -> None:
        world, order = judging()
        world.judge(order)
        world.decide()
        candidate = world.candidate("R0")
        world.push(candidate.sha, "src/shop.py", tree=candidate.tree)
        world.decide()
        assert world.change("R0").landed == candidate.sha
        assert world.state.ledger[-1].kind == "landed"

    def test_new_gates_on_main_run_before_landing(self) -> None:
        world, order = judging()
        world.policy_text = GATES + "  audit:\n    run: make audit\n"
        world.push(sha("policy"), ".github/headgate.yml")
        world.judge(order)
        world.settle()
        # What was asked under the old gates convicts nobody and signs nothing off.
        assert world.change("R0").attempt == 1
        assert world.change("R0").landed is None
        assert "audit" in [g.name for g in world.gate_order().gates]
        world.work()
        assert world.change("R0").state is S.LANDED
        assert "audit" in world.state.ledger[-1].gates

    def test_the_verdict_of_a_landed_change_does_not_change(self) -> None:
        world = approved()
        _to(world, "A", S.LANDED)
        change = world.change("A")
        name = f"{change.id}:{change.candidates}"
        before = world.check_runs[name]
        world.policy_text = GATES + "  audit:\n    run: make audit\n"
        world.push(sha("policy"), ".github/headgate.yml")
        world.settle()
        assert world.check_runs[name] == before
        assert before.conclusion == "success"
