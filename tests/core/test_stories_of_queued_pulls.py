"""Stories of pulls in the queue: commands, gates, and what removes them."""

import pytest

from action.order import GateOrder
from action.report import Obstacle
from bot.core.journal.effects import DeleteRefs
from bot.core.journal.state import LedgerKind
from bot.core.state.observed import Hint, HintKind
from bot.core.state.queue_order import front
from bot.core.state.under_way import is_under_way
from bot.core.values.ids import PullNumber
from bot.core.values.lifecycle import QueuedPullState as P
from bot.core.values.repository import PullState, Role
from bot.core.values.steering import Steering
from gates.result import Ending
from tests.core.kit import World, judging
from tests.core.queued_pulls import (
    entry_of,
    gates_of_pull,
    judge_pull,
    pull_of,
    queue_pulls,
    red_before,
    said_at,
)
from tests.core.values import beside, sha

REPEATED = "version: 1\ngates:\n  test: {run: pytest}\n"
WITH_SCOPE = """\
version: 1
gates:
  test: {run: pytest}
  scope: {builtin: scope_check}
"""


class TestALanding:
    def test_a_pull_lands_as_the_merge_that_the_gates_passed(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        asked = world.gate_order(gates_of_pull(world, number))
        candidate = world.candidate(pull_of(world, number))
        assert asked.candidate_sha == candidate.sha
        assert asked.is_of_person
        assert asked.protected == ()
        assert (candidate.base, candidate.head) == (sha("genesis"), sha("head mend"))
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED
        assert world.main[-1].sha == candidate.sha == world.state.main
        assert world.pulls[PullNumber(number)].state is PullState.MERGED
        line = world.state.ledger[-1]
        assert (line.kind, line.pull, line.author, line.change) == (
            LedgerKind.LANDED,
            number,
            "ann",
            None,
        )
        assert set(line.gates) == {"test", "lint"}
        assert not world.state.adoptions
        check = world.check_runs[f"queue:pull-{number}:1"]
        assert (check.title, check.conclusion) == ("It is on main", "success")
        verdict = world.check_runs[f"pull-{number}:1"]
        assert (verdict.name, verdict.conclusion) == ("headgate/verdict", "success")
        assert any(isinstance(e, DeleteRefs) for e in world.intended)
        assert not is_under_way(world.state)

    def test_a_pull_does_not_run_gates_for_changes(self) -> None:
        world = World(WITH_SCOPE)
        (number,) = queue_pulls(world, "mend")
        assert [g.name for g in world.gate_order(gates_of_pull(world, number)).gates] == ["test"]
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED

    def test_a_landed_spec_pull_is_planned_when_main_is_quiet(self) -> None:
        world = World("version: 1\nquiet_seconds: 30\ngates:\n  test: {run: pytest}\n")
        (number,) = queue_pulls(world, "spec")
        world.judge(gates_of_pull(world, number))
        world.tick()
        world.tick()
        world.push_spec(beside(1))
        world.main.pop()
        world.settle()
        assert pull_of(world, number).state is P.LANDED
        assert not world.state.spec_runs
        world.pass_time(31)
        world.settle()
        assert world.run.plan is not None

    def test_the_ledger_names_the_approver_of_steering_files(self) -> None:
        world = World()
        number = PullNumber(world.open_pull("mend"))
        world.pull_steering[number] = Steering(runner=("conftest.py",), digest="d")
        world.say(number, "/headgate queue")
        world.settle()
        judge_pull(world, number)
        assert world.state.ledger[-1].allowed == ("conftest.py by @ann",)

    def test_a_file_that_shadows_a_runner_does_not_land(self) -> None:
        world = World()
        number = PullNumber(world.open_pull("mend"))
        world.pull_steering[number] = Steering(shadows=("pytest.py",))
        world.say(number, "/headgate queue")
        world.settle()
        assert pull_of(world, number).state is P.EVICTED
        assert not world.open_orders(GateOrder)

    def test_a_landing_with_a_lost_answer_is_found_on_main(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        world.judge(gates_of_pull(world, number))
        world.decide()
        assert pull_of(world, number).state is P.LANDING
        candidate = world.candidate(pull_of(world, number))
        world.push(candidate.sha, tree=candidate.tree, author="headgate[bot]")
        world.decide()
        assert pull_of(world, number).state is P.LANDED
        assert [line.kind for line in world.state.ledger] == [LedgerKind.GENESIS, LedgerKind.LANDED]


class TestQueueCommands:
    @pytest.mark.parametrize(
        ("verb", "role"),
        [
            ("queue", Role.TRIAGE),
            ("dequeue", Role.TRIAGE),
            ("hold", Role.TRIAGE),
            ("release", Role.TRIAGE),
            ("now", Role.WRITE),
        ],
    )
    def test_each_command_needs_its_role(self, verb: str, role: Role) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend") if verb != "queue" else (world.open_pull("mend"),)
        before = world.state.queued_pulls
        world.say(number, f"/headgate {verb}", role=role)
        world.settle()
        assert f"`/headgate {verb}` needs the role" in said_at(world, number)
        assert world.state.queued_pulls == before

    def test_a_fork_is_refused_with_a_sentence(self) -> None:
        world = World()
        number = world.open_pull("theirs", is_from_fork=True)
        world.say(number, "/headgate queue")
        world.settle()
        assert "It comes from a fork, and its code would run" in said_at(world, number)
        assert not world.state.queued_pulls

    def test_a_draft_is_refused(self) -> None:
        world = World()
        number = world.open_pull("mend", is_draft=True)
        world.say(number, "/headgate queue")
        world.settle()
        assert "It is a draft." in said_at(world, number)
        assert not world.state.queued_pulls

    def test_a_closed_pull_is_refused(self) -> None:
        world = World()
        number = PullNumber(world.open_pull("mend"))
        world.close_pull(number)
        world.say(number, "/headgate queue")
        world.settle()
        assert "It is closed." in said_at(world, number)
        assert not world.state.queued_pulls

    def test_an_issue_cannot_be_queued(self) -> None:
        world = World()
        world.say(33, "/headgate queue")
        world.settle()
        assert (
            "does not work here. Write it on a person's pull request, or a change's issue or "
            "pull request." in said_at(world, 33)
        )

    def test_a_pull_is_not_queued_without_a_required_gate(self) -> None:
        world = World(None)
        (number,) = queue_pulls(world, "mend")
        assert "No change can land without a required gate." in said_at(world, number)
        assert not world.state.queued_pulls

    def test_the_pull_of_a_change_cannot_be_queued(self) -> None:
        world, _ = judging()
        pull = world.change("R0").pull
        assert pull is not None
        world.say(pull, "/headgate queue")
        world.settle()
        assert "Headgate lands the pull requests of its changes itself." in said_at(world, pull)

    def test_an_invalid_priority_is_refused(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend", said="/headgate queue urgent")
        assert "is neither a commit of it nor a priority" in said_at(world, number)
        assert not world.state.queued_pulls

    def test_queueing_twice_only_sets_the_priority(self) -> None:
        world = World()
        first, second = queue_pulls(world, "one", "two")
        world.say(second, "/headgate queue priority 3")
        world.settle()
        assert entry_of(world, second).priority == 3
        world.say(second, "/headgate queue")
        world.settle()
        assert entry_of(world, second).priority == 3
        assert len(world.wrote("PullQueued")) == 2
        # What is being judged is judged in peace.
        assert front(world.state, world.now) == pull_of(world, first)

    def test_commands_on_an_unqueued_pull_are_answered(self) -> None:
        world = World()
        number = world.open_pull("mend")
        world.say(number, "/headgate dequeue")
        world.settle()
        assert "This is not in the queue." in said_at(world, number)


class TestLeavingTheQueue:
    def test_a_push_dequeues_a_pull(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        order = gates_of_pull(world, number)
        world.alter_pull(number, head_sha=sha("another"))
        world.tick((Hint(kind=HintKind.PULL, number=number),))
        world.settle()
        assert pull_of(world, number).state is P.WITHDRAWN
        assert "Only a queued commit can land" in said_at(world, number)
        assert f"revoke:{order}" in world.state.published
        assert world.check_runs[f"queue:pull-{number}:1"].conclusion == "cancelled"
        # Queued again it is another round, with the head as it is now.
        world.say(number, "/headgate queue")
        world.settle()
        assert (pull_of(world, number).head, pull_of(world, number).rounds) == (sha("another"), 2)
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED

    def test_queueing_again_after_a_push_queues_the_new_head(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        order = gates_of_pull(world, number)
        world.alter_pull(number, head_sha=sha("another"))
        comment = world.say(number, "/headgate queue")
        # The push is seen with the command.
        world.tick((Hint(kind=HintKind.COMMENT, number=comment, issue=number),))
        world.settle()
        assert pull_of(world, number).head == sha("another")
        assert "It lands as `" + sha("another")[:12] in said_at(world, number)
        assert "**Out of the queue.**" not in said_at(world, number)
        assert f"revoke:{order}" in world.state.published
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED

    def test_a_push_during_the_landing_does_not_land(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        world.judge(gates_of_pull(world, number))
        world.decide()
        assert pull_of(world, number).state is P.LANDING
        world.alter_pull(number, head_sha=sha("another"))
        world.settle()
        assert pull_of(world, number).state is P.WITHDRAWN
        assert world.state.main == sha("genesis")

    @pytest.mark.parametrize(
        ("changes", "why"),
        [
            ({"state": PullState.CLOSED}, "It is closed."),
            ({"is_draft": True}, "It is a draft."),
            ({"base_branch": "release"}, "Its base branch is `release`"),
        ],
    )
    def test_a_pull_that_becomes_unfit_leaves_the_queue(
        self, changes: dict[str, object], why: str
    ) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        world.alter_pull(number, **changes)
        world.settle()
        assert pull_of(world, number).state is P.WITHDRAWN
        assert why in said_at(world, number)

    def test_a_person_can_dequeue_a_pull(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        world.say(number, "/headgate dequeue")
        world.settle()
        assert pull_of(world, number).state is P.WITHDRAWN
        assert "**Out of the queue.**" not in said_at(world, number)
        assert not world.state.open_orders
        assert "revoke:o1" in world.state.published
        assert world.check_runs[f"queue:pull-{number}:1"].conclusion == "cancelled"

    def test_dequeue_and_queue_in_one_comment_ends_the_first_check(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        world.say(number, "/headgate dequeue\n/headgate queue")
        world.settle()
        assert world.check_runs[f"queue:pull-{number}:1"].conclusion == "cancelled"
        assert world.check_runs[f"queue:pull-{number}:2"].conclusion is None
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED

    def test_red_gates_are_reported_even_if_the_pull_is_queued_again_at_once(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        world.judge(gates_of_pull(world, number), test=Ending.FAILED)
        comment = world.say(number, "/headgate queue")
        world.tick((Hint(kind=HintKind.COMMENT, number=comment, issue=number),))
        world.settle()
        assert world.check_runs[f"queue:pull-{number}:1"].conclusion == "failure"
        assert "| `test` | failed |" in said_at(world, number)
        assert pull_of(world, number).rounds == 2

    def test_a_manual_merge_is_reported_without_a_hint_to_queue_again(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        world.alter_pull(number, state=PullState.MERGED, merged_by="ada")
        world.settle()
        assert pull_of(world, number).state is P.WITHDRAWN
        assert said_at(world, number).endswith("**Out of the queue.** It was merged by @ada.")

    def test_a_pull_leaves_if_main_has_lost_its_gates(self) -> None:
        world = World()
        first, second = queue_pulls(world, "mend", "paint")
        world.policy_text = "version: 1\ngates: {}\n"
        world.settle()
        for number in (first, second):
            assert pull_of(world, number).state is P.WITHDRAWN
            assert "No change can land without a required gate" in said_at(world, number)
        assert not world.state.open_orders

    def test_a_refused_merge_is_tried_again_after_queueing(self) -> None:
        world = World()
        world.refusals["BuildPull"] = "GitHub refused the ref."
        (number,) = queue_pulls(world, "mend")
        assert pull_of(world, number).state is P.EVICTED
        assert "GitHub refused the ref." in said_at(world, number)
        world.refusals.clear()
        world.say(number, "/headgate queue")
        world.settle()
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED

    def test_a_late_build_is_not_used_in_the_next_round(self) -> None:
        world = World()
        world.unreachable.add("BuildPull")
        (number,) = queue_pulls(world, "mend")
        world.say(number, "/headgate dequeue")
        world.settle()
        # While it may still be pushed, its ref is not deleted.
        assert not any(isinstance(e, DeleteRefs) for e in world.intended)
        world.unreachable.clear()
        world.pass_time(120)
        world.settle()
        assert world.state.candidate_of(pull_of(world, number)) is None
        assert any(isinstance(e, DeleteRefs) for e in world.intended)

    def test_deleting_refs_of_one_round_keeps_those_of_the_next(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        world.unreachable.add("DeleteRefs")
        world.say(number, "/headgate dequeue")
        world.settle()
        world.say(number, "/headgate queue")
        world.settle()
        assert pull_of(world, number).state is P.WAITING
        world.unreachable.clear()
        world.pass_time(120)
        world.settle()
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED

    def test_a_conflict_removes_the_pull(self) -> None:
        world = World()
        number = PullNumber(world.open_pull("mend"))
        world.pull_conflicts[number] = ("src/shop.py",)
        world.say(number, "/headgate queue")
        world.settle()
        assert pull_of(world, number).state is P.EVICTED
        assert "conflicts with main" in said_at(world, number)

    def test_a_pull_is_red_only_after_two_runs(self) -> None:
        world = World(REPEATED)
        (number,) = queue_pulls(world, "mend")
        judge_pull(world, number, red=True)
        assert pull_of(world, number).state is P.JUDGING
        judge_pull(world, number, red=True)
        assert pull_of(world, number).state is P.EVICTED
        assert "| `test` | failed |" in said_at(world, number)
        assert world.check_runs[f"queue:pull-{number}:1"].conclusion == "failure"
        assert world.state.main == sha("genesis")

    def test_a_pull_is_red_after_two_runs_in_one_order(self) -> None:
        world = World(REPEATED)
        (number,) = queue_pulls(world, "mend")
        assert world.gate_order(gates_of_pull(world, number)).repeats == ("test",)
        world.doubts = (red_before("tests/test_till.py::test_sum"),)
        judge_pull(world, number, red=True)
        assert pull_of(world, number).state is P.EVICTED

    def test_an_often_flaky_test_removes_the_pull_at_its_first_red_run(self) -> None:
        world = World(REPEATED)
        for time in range(3):
            world.push_code(f"by hand {time}")
            world.settle()
            world.doubts = (red_before("tests/test_till.py::test_sum"),)
            (order,) = world.open_orders(GateOrder)
            world.judge(order)
            world.settle()
            world.pass_time(60)
        (number,) = queue_pulls(world, "mend")
        judge_pull(world, number)
        assert pull_of(world, number).state is P.EVICTED
        assert "Often flaky" in said_at(world, number)

    def test_a_pull_with_a_flake_lands(self) -> None:
        world = World(REPEATED)
        (number,) = queue_pulls(world, "mend")
        judge_pull(world, number, red=True)
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED

    def test_red_gates_on_an_outdated_main_do_not_remove_a_pull(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        order = gates_of_pull(world, number)
        world.lease(order)
        world.settle()
        world.push_code("by hand")
        world.judge(order, test=Ending.FAILED)
        world.settle()
        for _ in range(4):
            for one in world.open_orders(GateOrder):
                world.judge(one)
            world.settle()
        assert pull_of(world, number).state is P.LANDED
        assert len(world.wrote("PullEvicted")) == 0

    def test_failures_of_main_do_not_remove_a_pull(self) -> None:
        world = World()
        world.push_code("by hand")
        world.settle()
        (number,) = queue_pulls(world, "mend")
        mains = next(o for o in world.open_orders(GateOrder) if not world.state.orders[o].pull)
        world.judge(gates_of_pull(world, number), test=Ending.FAILED)
        world.settle()
        assert pull_of(world, number).state is P.JUDGING
        world.judge(mains, test=Ending.FAILED)
        world.settle()
        assert world.state.frozen is not None
        assert pull_of(world, number).state is P.JUDGING
        world.push_code("mended")
        for _ in range(4):
            world.settle()
            for order in world.open_orders(GateOrder):
                world.judge(order)
        world.settle()
        assert pull_of(world, number).state is P.LANDED

    def test_a_report_of_other_gates_does_not_count(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        order = gates_of_pull(world, number)
        world.lease(order)
        world.settle()
        world.policy_text = "version: 1\ngates:\n  test: {run: pytest -x}\n"
        world.judge(order)
        world.settle()
        assert world.state.orders[order].lost == "The gates changed on main while they ran."
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED

    def test_a_pull_with_a_failing_setup_does_not_pause_others(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        world.defer(gates_of_pull(world, number), Obstacle.SETUP_FAILED, "No such package.")
        world.settle()
        # Main is asked first, and has no such trouble.
        mains = next(o for o in world.open_orders(GateOrder) if not world.state.orders[o].pull)
        world.judge(mains)
        world.settle()
        assert not world.state.pauses
        assert pull_of(world, number).state in {P.JUDGING, P.EVICTED}

    def test_a_pull_whose_gates_are_always_lost_is_removed(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        for _ in range(3):
            order = gates_of_pull(world, number)
            world.lease(order, seconds=5)
            world.settle()
            world.pass_time(60)
            world.settle()
        assert pull_of(world, number).state is P.EVICTED
        assert "No runner completed its gates, 3 times in a row." in said_at(world, number)

    def test_waiting_gates_are_not_run_on_an_outdated_main(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        order = gates_of_pull(world, number)
        world.push_code("by hand")
        world.settle()
        assert f"revoke:{order}" in world.state.published
        candidate = world.candidate(pull_of(world, number))
        assert candidate.base == world.state.main

    def test_changed_gates_on_main_judge_the_pull_again(self) -> None:
        world = World()
        (number,) = queue_pulls(world, "mend")
        world.say(number, "/headgate hold")
        world.settle()
        judge_pull(world, number)
        assert pull_of(world, number).state is P.QUEUED
        world.policy_text = "version: 1\ngates:\n  test: {run: pytest -x}\n"
        world.say(number, "/headgate release")
        world.settle()
        assert pull_of(world, number).state is P.JUDGING
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED
