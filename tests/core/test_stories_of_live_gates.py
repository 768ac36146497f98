"""Running gates are visible: a red one at once, a long one in its own check run."""

from action.order import AgentOrder, GateOrder, GateStatus, RunStatus
from bot.core.values.agent_activity import AgentActivity
from bot.core.values.check_button import Button
from bot.core.values.check_run import CheckRunText, Conclusion
from bot.core.values.ids import OrderId
from gates.result import Ending
from tests.core.kit import World, approved
from tests.core.test_stories_of_buttons import press
from tests.core.values import GATES, beside

TWICE = GATES.replace("repeat: 0", "repeat: 1")
WAITS = GateStatus(gate="test")
RUNS = GateStatus(gate="test", is_running=True)
RED = GateStatus(
    gate="test", ending=Ending.FAILED, sentence="2 of 9 tests failed.", seconds=3.5, log_tail="E 1"
)
SCOPE = GateStatus(gate="scope_check", ending=Ending.PASSED, sentence="All is in scope.")


def judging(policy_text: str = GATES) -> tuple[World, OrderId]:
    world = approved(beside(1), policy_text + "attempts_max: 1\n")
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    return world, world.open_orders(GateOrder)[0]


def says(world: World, order: OrderId, *gates: GateStatus) -> None:
    """The runner says where its gates stand."""
    doing = AgentActivity(status=RunStatus(sentence="At work", gates=gates), at=world.now)
    world.lease(order)
    world.order_store[order] = world.order_store[order].model_copy(update={"doing": doing})
    world.settle()


def shown(world: World, gate: str) -> CheckRunText | None:
    """The check run of a gate of the newest candidate."""
    change = world.change("R0")
    return world.check_runs.get(f"{change.id}:{world.candidate(change).number}:{gate}")


def verdict(world: World) -> CheckRunText:
    change = world.change("R0")
    return world.check_runs[f"{change.id}:{world.candidate(change).number}"]


class TestRunningGates:
    def test_no_check_run_is_shown_before_a_gate_has_started(self) -> None:
        world, order = judging()
        says(world, order, WAITS, SCOPE.replace(ending=None))
        assert shown(world, "test") is None
        assert "waits" not in verdict(world).summary

    def test_a_required_gate_goes_from_queued_to_running_to_its_end(self) -> None:
        world, order = judging()
        says(world, order, WAITS, SCOPE.replace(ending=None, is_running=True))
        text = shown(world, "test")
        assert text is not None
        assert (text.name, text.conclusion, text.is_queued) == ("headgate/gate/test", None, True)
        says(world, order, RUNS, SCOPE)
        text = shown(world, "test")
        assert text is not None
        assert (text.conclusion, text.is_queued) == (None, False)
        world.judge(order)
        world.settle()
        text = shown(world, "test")
        assert text is not None
        assert text.conclusion is Conclusion.SUCCESS

    def test_the_open_verdict_has_a_table_of_all_gates(self) -> None:
        world, order = judging()
        says(world, order, RUNS, SCOPE, GateStatus(gate="lint"))
        said = verdict(world)
        assert said.conclusion is None
        assert "| `test` | running |" in said.summary
        assert "| `scope_check` | passed | 0.0 | All is in scope. |" in said.summary
        assert "| `lint` | waiting |" in said.summary

    def test_an_optional_gate_has_no_check_run_of_its_own(self) -> None:
        world, order = judging()
        says(world, order, RUNS, GateStatus(gate="lint", is_running=True))
        assert shown(world, "lint") is None

    def test_a_quickly_passed_gate_has_no_check_run(self) -> None:
        world, order = judging()
        says(world, order, RUNS, SCOPE)
        assert shown(world, "scope_check") is None

    def test_a_started_gate_is_shown_when_it_has_passed(self) -> None:
        world, order = judging()
        says(world, order, RUNS, SCOPE.replace(ending=None))
        says(world, order, RUNS, SCOPE)
        text = shown(world, "scope_check")
        assert text is not None
        assert text.conclusion is Conclusion.SUCCESS

    def test_a_gate_that_the_policy_does_not_have_is_not_shown(self) -> None:
        world, order = judging()
        says(world, order, RUNS, RED.replace(gate="made_up"))
        assert shown(world, "made_up") is None
        assert "made_up" not in verdict(world).summary

    def test_a_red_gate_is_shown_at_once_without_a_verdict(self) -> None:
        world, order = judging()
        says(world, order, RED, GateStatus(gate="scope_check"))
        text = shown(world, "test")
        assert text is not None
        assert text.conclusion is Conclusion.FAILURE
        assert text.title == "2 of 9 tests failed."
        assert "E 1" in text.text
        assert verdict(world).conclusion is None
        assert world.open_orders(GateOrder) == [order]

    def test_a_red_optional_gate_is_shown(self) -> None:
        world, order = judging()
        says(world, order, RUNS, RED.replace(gate="lint"))
        text = shown(world, "lint")
        assert text is not None
        assert text.conclusion is Conclusion.FAILURE


class TestFinalResults:
    def test_only_the_final_report_decides(self) -> None:
        world, order = judging()
        says(world, order, RED)
        world.judge(order)
        world.settle()
        text = shown(world, "test")
        assert text is not None
        assert text.conclusion is Conclusion.SUCCESS
        world.work()
        assert world.change("R0").landed is not None
        assert verdict(world).conclusion is Conclusion.SUCCESS

    def test_a_repeated_gate_is_shown_again(self) -> None:
        world, order = judging(TWICE)
        says(world, order, RED)
        world.judge(order, test=Ending.FAILED)
        world.settle()
        (again,) = world.open_orders(GateOrder)
        assert again != order
        says(world, again, RUNS)
        text = shown(world, "test")
        assert text is not None
        assert text.conclusion is None
        world.judge(again)
        world.settle()
        text = shown(world, "test")
        assert text is not None
        assert text.conclusion is Conclusion.SUCCESS

    def test_a_started_gate_without_a_verdict_is_cancelled(self) -> None:
        world, order = judging()
        says(world, order, RUNS, SCOPE)
        world.say(world.run.issue or 0, "/headgate stop")
        world.settle()
        assert world.change("R0").is_ended
        text = shown(world, "test")
        assert text is not None
        assert text.conclusion is Conclusion.CANCELLED

    def test_re_run_works_on_the_check_run_of_a_gate(self) -> None:
        world, order = judging()
        says(world, order, RED)
        world.judge(order, test=Ending.FAILED)
        world.settle()
        press(world, Button.AGAIN, gate="test")
        assert len(world.open_orders(GateOrder)) == 1


class TestReplaced:
    """A replaced candidate says so in each of its check runs."""

    def replaced(self) -> tuple[World, OrderId, str]:
        world, order = judging()
        says(world, order, RED, RUNS.replace(gate="scope_check"))
        change = world.change("R0")
        world.push_branch(change, "by hand")
        world.settle()
        newer = world.change("R0")
        assert world.candidate(newer).number == 2
        return world, order, f"{change.id}:1"

    def test_open_check_runs_of_a_replaced_candidate_are_cancelled(self) -> None:
        world, _, old = self.replaced()
        for id_ in (old, f"{old}:scope_check"):
            text = world.check_runs[id_]
            assert text.conclusion is Conclusion.CANCELLED
            assert text.title == "Replaced by another commit"
            assert "Candidate 2 is judged now." in text.summary
        assert world.check_runs[f"{old}:scope_check"].name == "headgate/gate/scope_check"
        assert verdict(world).conclusion is None

    def test_a_replaced_candidate_is_reported_once_at_its_own_commit(self) -> None:
        world, _, old = self.replaced()
        first = world.check_commits[old]
        assert first != world.check_commits[f"{world.change('R0').id}:2"]
        told = len(world.wrote("TextPublished"))
        world.settle()
        assert len(world.wrote("TextPublished")) == told

    def test_a_concluded_check_run_keeps_its_conclusion(self) -> None:
        world, _, old = self.replaced()
        assert world.check_runs[f"{old}:test"].conclusion is Conclusion.FAILURE
