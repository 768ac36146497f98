"""A setup error costs no attempt."""

import pytest

from action.report import Obstacle
from bot.core.decide.main.account_commits import ADOPTION_ORDERS_MAX
from bot.core.values.lifecycle import ChangeState, OfferStage, OrderState
from gates.result import Ending
from tests.core.deferrals import AWAY, agents, gates, progress, put_off
from tests.core.kit import World, approved, judging, proposed
from tests.core.values import GATES, beside

S = ChangeState
SETUP = Obstacle.SETUP_FAILED
COMMAND = GATES + "agent:\n  kind: command\n  command: my-agent --go\n"
WITH_SETUP = GATES + "setup:\n  - run: npm ci\n"


class TestSetUpErrors:
    @pytest.mark.parametrize(
        ("obstacle", "fix"),
        [
            (Obstacle.PROGRAM_MISSING, "Correct `agent.command`"),
            (Obstacle.PROXY_REFUSED, "Messages API"),
            (Obstacle.SANDBOX_REFUSED, "Prepare the runner"),
            (Obstacle.FETCH_FAILED, "`contents: read`"),
            (Obstacle.SETUP_FAILED, "Correct `setup`"),
            (Obstacle.MODEL_REFUSED, "the key on the server"),
            (Obstacle.MODEL_UNPAID, "Buy credits"),
        ],
    )
    def test_each_setup_error_pauses_with_a_fix_and_costs_no_attempt(
        self, obstacle: Obstacle, fix: str
    ) -> None:
        world = approved(beside(2), COMMAND + "max_parallel: 1\n")
        for _ in range(5):
            put_off(world, obstacle)
            assert fix in progress(world)
            assert agents(world) == []
            world.pass_time(1_801)
            world.settle()
        world.work()
        assert {c.state for c in world.state.changes.values()} == {S.LANDED}
        assert {c.attempt for c in world.state.changes.values()} == {1}
        assert world.run.cycles == ()
        assert world.state.pauses == {}

    def test_another_command_in_the_policy_ends_the_pause(self) -> None:
        world = approved(beside(1), COMMAND)
        put_off(world, Obstacle.PROGRAM_MISSING)
        world.policy_text = COMMAND.replace("my-agent", "./agent.sh")
        world.settle()
        assert world.agent_order().agent.command == "./agent.sh --go"
        assert world.state.pauses == {}
        assert "Paused" not in progress(world)

    def test_a_push_to_main_lets_one_order_try(self) -> None:
        world = approved(beside(2), WITH_SETUP + "max_parallel: 2\n")
        for order in agents(world):
            world.defer(order, SETUP)
        world.settle()
        world.push_code("a lock file")
        world.settle()
        assert (len(gates(world)), agents(world)) == (1, [])
        world.judge(gates(world)[0])
        world.settle()
        assert len(agents(world)) == 2
        assert world.state.pauses == {}

    def test_a_probe_that_gets_further_ends_the_earlier_pause(self) -> None:
        world = approved(beside(1), WITH_SETUP)
        put_off(world, SETUP)
        world.pass_time(31)
        world.settle()
        put_off(world, AWAY)
        assert [p.cause.value for p in world.state.pauses.values()] == ["model_away"]

    def test_a_probe_that_fails_earlier_keeps_the_pause(self) -> None:
        world = approved(beside(1), WITH_SETUP)
        put_off(world, AWAY)
        world.pass_time(31)
        world.settle()
        put_off(world, SETUP)
        assert {p.cause.value for p in world.state.pauses.values()} == {
            "model_away",
            "setup_failed",
        }
        world.pass_time(61)
        world.work()
        assert world.change("R0").state is S.LANDED

    def test_a_missing_agent_workflow_pauses_the_work(self) -> None:
        world = proposed(beside(2))
        world.refusals["DispatchOrder"] = "404: no such workflow"
        world.say(world.run.issue or 0, "/headgate approve")
        world.settle()
        for _ in range(4):
            world.pass_time(1_801)
            world.settle()
        assert {c.attempt for c in world.state.changes.values()} == {0}
        assert "no such workflow" in progress(world)
        assert "`workflow_dispatch`" in progress(world)
        world.refusals.clear()
        world.pass_time(1_801)
        world.work()
        assert {c.state for c in world.state.changes.values()} == {S.LANDED}

    def test_a_missing_gate_workflow_pauses_the_gates(self) -> None:
        world = approved(beside(1), GATES + "attempts_max: 1\n")
        world.hand_in(agents(world)[0])
        world.refusals["DispatchOrder"] = "404: no such workflow"
        world.settle()
        assert world.stage("R0") is OfferStage.JUDGING
        world.refusals.clear()
        world.pass_time(31)
        world.work()
        assert (world.change("R0").state, world.change("R0").attempt) == (S.LANDED, 1)

    def test_a_missing_runner_pauses_the_work(self) -> None:
        world = approved(beside(1), GATES + "runner_start_seconds: 60\n")
        for _ in range(5):
            (order,) = agents(world)
            world.pass_time(61)
            world.settle()
            assert world.state.orders[order].state is OrderState.DEFERRED
            assert "labels" in progress(world)
            world.pass_time(1_801)
            world.settle()
        world.lease(agents(world)[0])
        world.settle()
        assert world.state.pauses == {}
        world.work()
        assert (world.change("R0").state, world.change("R0").attempt) == (S.LANDED, 1)


class TestBrokenByACommit:
    def test_a_setup_failure_that_main_does_not_have_is_blamed_on_the_work(self) -> None:
        world, order = judging()
        world.defer(order, SETUP, "No such package.")
        world.settle()
        (mains,) = [o for o in gates(world) if o != order]
        assert world.gate_order(mains).candidate_sha == world.main[-1].sha
        world.judge(mains)
        world.settle()
        change = world.change("R0")
        assert change.attempt == 2
        assert "No such package." in world.agent_order().retry.sentence  # type: ignore[union-attr]
        assert world.state.pauses == {}

    def test_a_setup_failure_that_main_also_has_is_not_blamed_on_the_work(self) -> None:
        world, order = judging()
        world.defer(order, SETUP)
        world.settle()
        world.defer(next(o for o in gates(world) if o != order), SETUP)
        world.settle()
        assert gates(world) == []
        assert world.stage("R0") is OfferStage.JUDGING
        assert len(world.state.pauses) == 1
        world.pass_time(31)
        world.work()
        change = world.change("R0")
        assert (change.state, change.attempt) == (S.LANDED, 1)
        assert world.wrote("CandidateFailed") == []

    def test_a_gate_command_missing_on_main_is_not_blamed_on_the_work(self) -> None:
        world, order = judging()
        world.judge_without_programs(order, "test")
        world.settle()
        world.judge_without_programs(next(o for o in gates(world) if o != order), "test")
        world.settle()
        assert "The gate `test` cannot be started" in progress(world)
        assert world.state.frozen is None
        world.pass_time(31)
        world.work()
        change = world.change("R0")
        assert (change.state, change.attempt) == (S.LANDED, 1)

    def test_a_gate_that_only_the_candidate_cannot_start_fails_it(self) -> None:
        world, order = judging()
        world.judge_without_programs(order, "test")
        world.settle()
        world.judge(next(o for o in gates(world) if o != order))
        world.settle()
        assert world.change("R0").attempt == 2
        assert len(world.wrote("MainAsked")) == 2

    def test_a_missing_gate_command_is_checked_on_main_once(self) -> None:
        text = GATES.replace("repeat: 0", "repeat: 1")
        world = approved(beside(1), text)
        world.hand_in(agents(world)[0])
        world.settle()
        world.judge_without_programs(gates(world)[0], "test")
        world.settle()
        world.judge(gates(world)[-1])
        world.settle()
        world.judge_without_programs(gates(world)[0], "test")
        world.settle()
        assert len(world.wrote("CandidateFailed")) == 1
        assert len(world.wrote("MainAsked")) == 2

    def test_a_missing_gate_command_does_not_excuse_a_failed_gate(self) -> None:
        world, order = judging()
        world.judge_without_programs(order, "test", failed=("scope_check",))
        world.settle()
        assert len(world.wrote("CandidateFailed")) == 1

    def test_setup_failures_do_not_count_as_lost_gates_of_main(self) -> None:
        world = World(main_is_known=False)
        world.push_spec(beside(1))
        world.settle()
        for _ in range(ADOPTION_ORDERS_MAX):
            world.defer(gates(world)[0], SETUP)
            world.settle()
            world.pass_time(1_801)
            world.settle()
        world.lease(gates(world)[0])
        world.settle()
        world.pass_time(46)
        world.settle()
        assert world.state.frozen is None
        assert len(gates(world)) == 1

    def test_a_missing_optional_gate_command_does_not_block(self) -> None:
        world, order = judging()
        world.judge_without_programs(order, "lint")
        world.settle()
        assert world.change("R0").state is S.LANDED

    def test_another_gate_command_ends_the_pause(self) -> None:
        world, order = judging()
        world.judge_without_programs(order, "test")
        world.settle()
        world.judge_without_programs(next(o for o in gates(world) if o != order), "test")
        world.settle()
        world.policy_text = GATES.replace("make test", "python -m pytest")
        world.settle()
        assert world.state.pauses == {}
        world.work()
        assert (world.change("R0").state, world.change("R0").attempt) == (S.LANDED, 1)

    def test_a_first_main_with_a_missing_gate_command_is_not_red(self) -> None:
        world = World(main_is_known=False)
        world.push_spec(beside(1))
        world.settle()
        for _ in range(4):
            world.judge_without_programs(gates(world)[0], "test")
            world.settle()
            assert world.state.frozen is None
            assert gates(world) == []
            world.pass_time(1_801)
            world.settle()
        world.judge(gates(world)[0])
        world.settle()
        assert world.state.frozen is None
        assert world.state.pauses == {}

    def test_a_setup_failure_caused_by_the_work_counts_as_an_attempt(self) -> None:
        world, order = judging()
        world.judge(order, test=Ending.FAILED)
        world.settle()
        assert world.change("R0").attempt == 2
        put_off(world, SETUP)
        world.judge(gates(world)[0])
        world.settle()
        change = world.change("R0")
        assert [run.outcome for run in change.agent_runs] == ["finished", "setup_failed"]
        assert change.attempt == 3
        assert world.state.pauses == {}

    def test_a_setup_failure_is_not_blamed_before_main_is_judged(self) -> None:
        world, order = judging()
        world.judge(order, test=Ending.FAILED)
        world.settle()
        put_off(world, SETUP)
        world.defer(gates(world)[0], SETUP)
        world.settle()
        assert world.wrote("WorkFailed") == []
        world.pass_time(31)
        world.work()
        change = world.change("R0")
        assert (change.state, change.attempt) == (S.LANDED, 2)

    def test_a_probe_with_broken_work_does_not_block_others(self) -> None:
        world = approved(beside(2), WITH_SETUP + "max_parallel: 2\n")
        first, second = agents(world)
        broken = world.state.orders[first].change
        world.hand_in(first)
        world.settle()
        world.judge(gates(world)[0], test=Ending.FAILED)
        world.settle()
        retried = next(o for o in agents(world) if o != second)
        world.defer(second, SETUP)
        world.settle()
        world.defer(retried, SETUP)
        world.settle()
        world.pass_time(31)
        world.settle()
        (probe,) = agents(world)
        assert world.state.orders[probe].change == broken
        world.defer(probe, SETUP)
        world.settle()
        world.judge(gates(world)[0])
        world.settle()
        assert world.state.pauses == {}
        assert len(agents(world)) == 2
