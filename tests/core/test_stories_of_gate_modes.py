"""Gates with another mode for a type of change, and gates for some paths only."""

import pytest

from action.order import AgentOrder, GateOrder
from bot.core.spec.gate_entry import GateMode
from bot.core.spec.gate_modes import explained_gates
from bot.core.state.blame import baseline_of
from bot.core.state.verdict import gates_hash
from bot.core.values.ids import OrderId
from bot.core.values.lifecycle import ChangeState
from bot.core.values.plan_model import ChangeType
from bot.core.values.steering import Steering
from gates.result import Ending
from tests.core.kit import World, approved
from tests.core.values import GATES, beside, policy, policy_refusal

S = ChangeState
RED = Ending.FAILED
FEATURE = ChangeType.FEATURE
OFF = GATES.replace("    required: false\n", "    modes: {feature: 'off'}\n    repeat: 0\n")
WARN = OFF.replace("'off'", "warn")
NEEDED = OFF.replace(
    "    modes: {feature: 'off'}", "    required: false\n    modes: {feature: required}"
)
RAISED = OFF.replace(
    "    repeat: 0\n", "    repeat: 0\n    required_for: [migrations/, '**/*.sql']\n"
)
WEB = GATES.replace("    required: false\n", "    repeat: 0\n    when: [web/, '**/*.ts']\n")


def judging(policy_text: str, count: int = 1) -> tuple[World, OrderId]:
    world = approved(beside(count), policy_text)
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    return world, world.open_orders(GateOrder)[0]


def gates(world: World, order: OrderId) -> list[str]:
    return [gate.name for gate in world.gate_order(order).gates]


class TestModes:
    def test_a_gate_that_is_off_does_not_run(self) -> None:
        world, order = judging(OFF)
        assert world.change("R0").planned.type is FEATURE
        assert gates(world, order) == ["test", "scope_check"]
        assert [g.name for g in world.agent_order(OrderId("o1")).gates] == ["test", "scope_check"]
        world.judge(order)
        world.work()
        assert world.change("R0").state is S.LANDED

    def test_main_is_judged_by_every_gate(self) -> None:
        world = approved(beside(1), OFF)
        world.push_code("by hand")
        world.settle()
        assert gates(world, world.open_orders(GateOrder)[0]) == ["test", "scope_check", "lint"]

    def test_a_red_warning_gate_is_reported_and_the_change_lands(self) -> None:
        world, order = judging(WARN)
        world.judge(order, lint=RED)
        world.work()
        landed = world.change("R0")
        assert landed.state is S.LANDED
        assert f"{landed.id}:{world.candidate(landed).number}:lint" in world.check_runs

    def test_a_change_type_may_require_an_optional_gate(self) -> None:
        world, order = judging(NEEDED)
        world.judge(order, lint=RED)
        world.settle()
        assert len(world.wrote("CandidateFailed")) == 1

    def test_a_red_warning_gate_on_main_is_inherited_by_the_next_change(self) -> None:
        world, order = judging(WARN)
        world.judge(order, lint=RED)
        world.work()
        assert world.state.main is not None
        assert baseline_of(world.state, world.state.main).gates == {"lint"}

    def test_only_gates_changed_by_a_type_have_another_hash(self) -> None:
        assert policy(OFF).of_type(ChangeType.FIX) is not None
        assert gates_hash(policy(OFF).of_type(ChangeType.FIX)) == gates_hash(policy(OFF))
        assert gates_hash(policy(OFF).of_type(FEATURE)) != gates_hash(policy(OFF))

    def test_each_mode_is_explained_with_its_line(self) -> None:
        found = {g.name: (g.mode, g.where) for g in explained_gates(policy(NEEDED), FEATURE)}
        assert found["test"] == (GateMode.REQUIRED, "default")
        assert found["lint"] == (GateMode.REQUIRED, "line 12 (`modes.feature`)")
        fix = {g.name: (g.mode, g.where) for g in explained_gates(policy(NEEDED), ChangeType.FIX)}
        assert fix["lint"] == (GateMode.WARN, "line 11 (`required`)")


class TestRequiredByPaths:
    def judging(self, policy_text: str, *touched: str) -> tuple[World, OrderId]:
        world = approved(beside(1), policy_text)
        world.touched = touched
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        return world, world.open_orders(GateOrder)[0]

    @pytest.mark.parametrize("text", [RAISED, RAISED.replace("'off'", "warn")])
    @pytest.mark.parametrize("path", ["migrations/0001.py", "src/a.sql"])
    def test_a_change_that_touches_its_paths_needs_the_gate(self, text: str, path: str) -> None:
        world, order = self.judging(text, "src/shop.py", path)
        assert gates(world, order) == ["test", "scope_check", "lint"]
        world.judge(order, lint=RED)
        world.settle()
        assert len(world.wrote("CandidateFailed")) == 1

    def test_a_change_lands_when_the_raised_gate_is_green(self) -> None:
        world, order = self.judging(RAISED, "src/a.sql")
        world.judge(order)
        world.work()
        assert world.change("R0").state is S.LANDED

    def test_a_change_outside_the_paths_is_judged_by_its_type(self) -> None:
        world, order = self.judging(RAISED, "src/shop.py")
        assert gates(world, order) == ["test", "scope_check"]
        world.judge(order)
        world.work()
        assert world.change("R0").state is S.LANDED

    def test_a_raised_gate_is_explained_with_its_line(self) -> None:
        found = {g.name: (g.mode, g.where) for g in explained_gates(policy(RAISED), FEATURE)}
        assert found["lint"][0] is GateMode.OFF
        found = {
            g.name: (g.mode, g.where) for g in explained_gates(policy(RAISED), FEATURE, ("lint",))
        }
        assert found["lint"] == (GateMode.REQUIRED, "line 14 (`required_for`)")


class TestPaths:
    def judged_main(self) -> World:
        world = approved(beside(1), WEB)
        world.push_code("by hand")
        world.settle()
        world.judge(world.open_orders(GateOrder)[0])
        world.settle()
        world.hand_in(world.open_orders(AgentOrder)[0])
        return world

    def test_gates_of_untouched_paths_reuse_the_result_of_main(self) -> None:
        world = self.judged_main()
        world.settle()
        order = world.open_orders(GateOrder)[0]
        assert gates(world, order) == ["test", "scope_check"]
        world.judge(order)
        world.work()
        change = world.change("R0")
        assert change.state is S.LANDED
        assert {r.gate for r in world.candidate(change).results} == {"test", "scope_check", "lint"}

    def test_a_reused_result_is_passed_on_from_landing_to_landing(self) -> None:
        world, order = judging(WEB, 2)
        assert gates(world, order) == ["test", "scope_check", "lint"]
        world.judge(order)
        world.settle()
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        assert gates(world, world.open_orders(GateOrder)[-1]) == ["test", "scope_check"]

    @pytest.mark.parametrize("path", ["web/app.js", "src/a.ts"])
    def test_gates_of_touched_paths_run(self, path: str) -> None:
        world = self.judged_main()
        world.touched = ("README.md", path)
        world.settle()
        assert "lint" in gates(world, world.open_orders(GateOrder)[0])

    def test_all_gates_run_for_a_candidate_with_steering_files(self) -> None:
        world = self.judged_main()
        change = world.change("R0").id
        world.steering[change] = Steering(runner=("Makefile",), digest="d")
        world.settle()
        candidate = world.candidate("R0")
        world.say(world.change("R0").issue or 0, f"/headgate allow {candidate.sha[:12]}")
        world.settle()
        assert "lint" in gates(world, world.open_orders(GateOrder)[0])

    def test_a_gate_that_failed_on_main_runs_again(self) -> None:
        world = approved(beside(1), WEB.replace("    when:", "    required: false\n    when:"))
        world.push_code("by hand")
        world.settle()
        world.judge(world.open_orders(GateOrder)[0], lint=RED)
        world.settle()
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        assert "lint" in gates(world, world.open_orders(GateOrder)[0])

    def test_only_command_gates_can_have_paths(self) -> None:
        (finding,) = policy_refusal("gates:\n  a:\n    builtin: tests\n    when: [x]\n").findings
        assert finding.line == 4
