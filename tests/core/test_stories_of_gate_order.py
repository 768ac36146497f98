"""Quick gates start first, and a red one stops the others without failing them."""

from collections.abc import Mapping
from types import MappingProxyType

import pytest

from action.order import GateOrder
from action.report import GateOrderReport
from bot.core.state.gate_order import cheap_first
from bot.core.values.ids import OrderId
from bot.core.values.lifecycle import ChangeState
from gates.result import Ending, GateReport, GateResult, TestCounts
from tests.core.kit import World, approved, judging
from tests.core.test_stories_of_blame import on_red_main, verdict
from tests.core.values import GATES, beside, policy, policy_refusal

S = ChangeState
NO_TIMES: Mapping[str, float] = MappingProxyType({})
RED = Ending.FAILED
STOPS = GATES.replace("quiet_seconds: 0\n", "quiet_seconds: 0\nstop_at_first_red: true\n").replace(
    "    required: false\n", "    repeat: 0\n"
)
# `test` is asked once.
REPEATED = STOPS.replace("make lint\n    repeat: 0\n", "make lint\n    repeat: 1\n")


def red(
    world: World,
    order: OrderId,
    gate: str,
    *tests: str,
    stopped: tuple[str, ...],
    seconds: Mapping[str, float] = NO_TIMES,
) -> None:
    """`gate` is red, `stopped` are not begun because of it, the others pass."""
    asked = world.gate_order(order)
    results = []
    for one in asked.gates:
        is_stopped = one.name in stopped
        ending = RED if one.name == gate else Ending.PASSED
        results.append(
            GateResult(
                gate=one.name,
                judges=one.judges,
                ending=Ending.COULD_NOT_RUN if is_stopped else ending,
                sentence="It was not begun." if is_stopped else f"{one.name} said so",
                seconds=seconds.get(one.name, 0.0),
                stopped_by=gate if is_stopped else "",
                failed_tests=tests if one.name == gate else (),
                tests=TestCounts(failed=len(tests)) if one.name == gate and tests else None,
            )
        )
    report = GateReport(
        candidate_sha=asked.candidate_sha,
        tree_sha="",
        definition_hash=asked.definition_hash,
        results=tuple(results),
    )
    world._report(order, GateOrderReport(order_id=order, sentence="Judged.", report=report))
    world.settle()


def asked(world: World) -> list[tuple[str, ...]]:
    orders = [o for o in world.orders.values() if isinstance(o, GateOrder)]
    return [tuple(g.name for g in o.gates) for o in orders]


class TestStop:
    def test_only_the_red_gate_is_sent_to_the_agent_and_counted(self) -> None:
        world, order = judging(STOPS)
        assert world.gate_order(order).stop_at_first_red
        red(world, order, "lint", stopped=("test",))
        assert "Did not pass: lint (failed). Not started: test." in verdict(world)
        assert not [id_ for id_ in world.check_runs if id_.endswith(":test")]
        agent = world.agent_order()
        assert agent.retry is not None
        assert [r.gate for r in agent.retry.failed_gates] == ["lint"]
        (run, *_) = world.change("R0").agent_runs
        assert [g.gate for g in run.red] == ["lint"]

    def test_stopped_gates_are_not_red_when_a_flake_runs_again(self) -> None:
        world, order = judging(REPEATED)
        red(world, order, "lint", stopped=("test",))
        assert asked(world)[-1] == ("test", "lint")
        world.judge(world.open_orders(GateOrder)[0])
        world.work()
        assert world.change("R0").state is S.LANDED

    def test_a_gate_that_fails_on_main_does_not_stop_others(self) -> None:
        world, order = on_red_main(policy_text=STOPS)
        assert not world.gate_order(order).stop_at_first_red

    def test_an_accepted_failure_does_not_stop_other_gates(self) -> None:
        waived = STOPS + "waive: {'tests/test_old.py::test_it': null}\n"
        world, order = judging(waived)
        assert not world.gate_order(order).stop_at_first_red
        # It was accepted while the gates ran.
        red(world, order, "test", "tests/test_old.py::test_it", stopped=("lint",))
        assert asked(world)[-1] == ("test", "lint")
        world.judge(world.open_orders(GateOrder)[0])
        world.work()
        assert world.change("R0").state is S.LANDED

    def test_main_is_judged_by_all_its_gates(self) -> None:
        world = approved(beside(1), STOPS)
        world.push_code("by hand")
        world.settle()
        assert not world.gate_order().stop_at_first_red

    def test_only_the_red_gate_is_inherited(self) -> None:
        world, order = on_red_main(policy_text=STOPS)
        red(world, order, "test", stopped=("lint",))
        assert world.wrote("CandidateFailed") == []


class TestOrder:
    def test_the_gates_that_were_quickest_last_time_start_first(self) -> None:
        world, order = judging(STOPS)
        assert world.gate_order(order).begin_with == ("test", "scope_check", "lint")
        red(world, order, "scope_check", stopped=(), seconds={"test": 9.0, "lint": 1.0})
        assert cheap_first(world.state, policy(STOPS).gates) == ("lint", "test", "scope_check")

    def test_a_gate_without_a_measured_time_keeps_its_place(self) -> None:
        world, order = judging(STOPS)
        red(world, order, "scope_check", stopped=(), seconds={"test": 9.0})
        gates = policy(STOPS).gates
        assert cheap_first(world.state, gates) == ("test", "scope_check", "lint")
        assert cheap_first(world.state, gates[::-1]) == ("lint", "scope_check", "test")


class TestLines:
    def test_a_list_of_commands_runs_in_one_shell_in_the_gates_folder(self) -> None:
        text = "gates:\n  web:\n    run: [npm run lint, npm test]\n    cwd: apps/my web\n"
        (gate,) = policy(text).gates
        assert gate.command == "cd 'apps/my web'\nnpm run lint\nnpm test"

    @pytest.mark.parametrize(
        "more",
        ["run: make\n    cwd: ../x", "run: make\n    cwd: /x", "builtin: tests\n    cwd: web"],
    )
    def test_a_gate_folder_must_be_inside_the_repository(self, more: str) -> None:
        (finding,) = policy_refusal(f"gates:\n  web:\n    {more}\n").findings
        assert finding.line == 4
        assert "In which folder below the top" in finding.question

    def test_services_are_started_in_order_before_the_line(self) -> None:
        text = (
            "gates:\n  e2e:\n    run: npm test\n    services:\n"
            "      db: {run: start-db, ready: ask-db, timeout_seconds: 5}\n"
            "      web: {run: [x], ready: y}\n"
        )
        assert "web" in policy_refusal(text).findings[0].question
        (gate,) = policy(text.replace("[x]", "start-web")).gates
        line = gate.command or ""
        places = [line.index(part) for part in ("start-db", "ask-db", "start-web", "npm test")]
        assert places == sorted(places)
        assert "The service db was not ready within 5 s" in line
