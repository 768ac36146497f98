"""Main is judged before changes are blamed, and accepted failures do not block."""

from action.order import AgentOrder, GateOrder
from bot.core.values.ids import OrderId
from bot.core.values.lifecycle import ChangeState
from gates.result import Ending
from tests.core.kit import World
from tests.core.values import GATES, beside

S = ChangeState
RED = Ending.FAILED
OLD = ("tests/test_old.py::test_it",)
NEW = ("tests/test_new.py::test_it",)


def planned(policy_text: str = GATES, main: Ending = Ending.PASSED) -> World:
    """A plan is approved in a repository that Headgate has never judged."""
    world = World(policy_text, main_is_known=False)
    world.push_spec(beside(2))
    world.settle()
    world.pass_time(10)
    world.judge(world.open_orders(GateOrder)[0], OLD, test=main)
    world.settle()
    world.say(world.run.issue or 0, "/headgate approve")
    world.settle()
    return world


def waive(world: World, text: str) -> None:
    world.say(world.run.issue or 0, f"/headgate waive {text}")
    world.settle()


def next_gates(world: World) -> OrderId:
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    return world.open_orders(GateOrder)[0]


class TestTheFirstMain:
    def test_main_is_judged_with_the_first_plan(self) -> None:
        world = World(main_is_known=False)
        world.push_spec(beside(1))
        world.settle()
        (order,) = world.open_orders(GateOrder)
        assert world.gate_order(order).candidate_sha == world.main[-1].sha
        assert len(world.wrote("MainAsked")) == 1

    def test_no_agent_is_ordered_before_main_is_judged(self) -> None:
        world = World(main_is_known=False)
        world.push_spec(beside(1))
        world.settle()
        world.pass_time(10)
        world.say(world.run.issue or 0, "/headgate approve")
        world.settle()
        assert world.open_orders(AgentOrder) == []
        world.judge(world.open_orders(GateOrder)[0])
        world.settle()
        assert len(world.open_orders(AgentOrder)) == 1

    def test_a_pushed_commit_is_not_judged_twice(self) -> None:
        world = World(main_is_known=False)
        world.push_code("a push")
        world.push_spec(beside(1))
        world.settle()
        assert len(world.open_orders(GateOrder)) == 1
        assert world.wrote("MainAsked") == []

    def test_a_red_main_starts_no_order_and_names_red_gates_and_tests(self) -> None:
        world = planned(main=RED)
        assert world.open_orders(AgentOrder) == []
        assert "test (failed)" in (world.state.frozen or "")
        assert OLD[0] in (world.state.frozen or "")
        assert "no change is blamed" in world.replies()

    def test_work_begins_when_main_is_repaired(self) -> None:
        world = planned(main=RED)
        world.push_code("mend it")
        world.settle()
        world.judge(world.open_orders(GateOrder)[0])
        world.work()
        assert {c.state for c in world.state.changes.values()} == {S.LANDED}
        assert {c.attempt for c in world.state.changes.values()} == {1}

    def test_without_required_gates_there_is_nothing_to_judge(self) -> None:
        world = World("version: 1\nquiet_seconds: 0\n", main_is_known=False)
        world.push_spec(beside(1))
        world.settle()
        assert world.wrote("MainAsked") == []

    def test_main_is_judged_once(self) -> None:
        world = planned()
        world.work()
        assert len(world.wrote("MainAsked")) == 1


class TestWaivers:
    def test_an_accepted_failure_of_main_does_not_block_work(self) -> None:
        world = planned(main=RED)
        waive(world, OLD[0])
        assert world.state.frozen is None
        while world.open_orders(AgentOrder):
            world.judge(next_gates(world), OLD, test=RED)
            world.settle()
        assert {c.state for c in world.state.changes.values()} == {S.LANDED}
        landed = [line for line in world.state.ledger if line.kind == "landed"]
        assert {line.waived for line in landed} == {OLD}

    def test_a_new_failure_still_fails_the_candidate(self) -> None:
        world = planned(main=RED)
        waive(world, OLD[0])
        world.judge(next_gates(world), (*OLD, *NEW), test=RED)
        world.settle()
        assert len(world.wrote("CandidateFailed")) == 1

    def test_a_gate_that_names_no_test_cannot_be_accepted(self) -> None:
        world = planned(main=RED)
        waive(world, OLD[0])
        world.judge(next_gates(world), test=RED)
        world.settle()
        assert len(world.wrote("CandidateFailed")) == 1

    def test_a_waiver_ends_with_its_date(self) -> None:
        world = planned(main=RED)
        waive(world, f"{OLD[0]} until 2026-03-03")
        order = next_gates(world)
        world.pass_time(2 * 24 * 3600)
        world.lease(order)
        world.judge(order, OLD, test=RED)
        world.settle()
        # It fails on main, too: the work is not blamed, and main is judged again.
        assert world.wrote("CandidateFailed") == []
        main = next(o for o in world.open_orders(GateOrder) if world.state.orders[o].change is None)
        world.judge(main, OLD, test=RED)
        world.settle()
        assert OLD[0] in (world.state.frozen or "")

    def test_the_policy_may_accept_failures(self) -> None:
        world = planned(f"{GATES}waive:\n  {OLD[0]}: 2026-12-31\n", main=RED)
        assert world.state.frozen is None
        assert len(world.open_orders(AgentOrder)) == 2

    def test_a_test_that_does_not_fail_on_main_is_refused(self) -> None:
        world = planned(main=RED)
        waive(world, NEW[0])
        assert world.wrote("TestsWaived") == []
        assert f"Failing there: `{OLD[0]}`" in world.replies()

    def test_an_invalid_or_past_date_of_a_waiver_is_refused(self) -> None:
        world = planned(main=RED)
        waive(world, f"{OLD[0]} until soon")
        waive(world, f"{OLD[0]} until 2020-01-01")
        assert world.wrote("TestsWaived") == []
        assert "Write it like" in world.replies()

    def test_several_tests_can_be_accepted_at_once(self) -> None:
        world = World(main_is_known=False)
        world.push_spec(beside(1))
        world.settle()
        world.judge(world.open_orders(GateOrder)[0], (*OLD, *NEW), test=RED)
        world.settle()
        world.pass_time(10)
        waive(world, f"{OLD[0]} `{NEW[0]}`")
        assert set(world.state.waivers) == {*OLD, *NEW}
        assert world.state.frozen is None
