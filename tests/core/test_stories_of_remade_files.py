"""A command of the policy regenerates lock files in conflict, without an agent."""

from action.order import AgentOrder, GateOrder, Remake, RetryReason
from action.report import AgentEnding
from bot.core.journal import effects as ef
from bot.core.values.lifecycle import ChangeState
from tests.core.kit import World, approved
from tests.core.values import GATES, beside, sha

S = ChangeState
LOCK = "package-lock.json"
LINE = "npm install --package-lock-only"
RULE = f"merge:\n  {LOCK}:\n    run: {LINE}\n"


def in_conflict(*files: str, policy: str = RULE) -> World:
    """The work of R0 meets main in these files."""
    world = approved(beside(1), f"{GATES}attempts_max: 1\n{policy}")
    world.conflicting[world.change("R0").id] = files
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    world.conflicting.clear()
    return world


def sent(world: World) -> list[AgentOrder]:
    return [o for o in world.orders.values() if isinstance(o, AgentOrder)]


class TestOnlyALockFile:
    def test_a_lock_file_conflict_orders_a_command_and_no_agent(self) -> None:
        world = in_conflict(LOCK)
        order = world.agent_order()
        assert order.remake == (Remake(files=(LOCK,), run=LINE),)
        assert order.requirements == ()
        assert order.setup == ()
        (prepared,) = [e for e in world.intended if isinstance(e, ef.PrepareStart)]
        assert prepared.remake == (LOCK,)
        assert (order.start_ref, order.base_sha) == (prepared.ref, order.start_sha)

    def test_a_regenerated_file_lands_without_an_attempt(self) -> None:
        world = in_conflict(LOCK)
        remade = world.agent_order()
        world.work()
        landed = world.change("R0")
        assert landed.state is S.LANDED
        assert len(sent(world)) == 2
        assert landed.tries == 1
        assert landed.head is not None
        assert landed.head.sha == sha(f"head {remade.order_id}")

    def test_only_the_regenerated_file_is_taken_from_the_bundle(self) -> None:
        world = in_conflict(LOCK)
        world.work()
        imports = [e for e in world.intended if isinstance(e, ef.ImportBundle)]
        assert [e.only for e in imports] == [(), (LOCK,)]

    def test_repeated_lock_file_conflicts_do_not_fail_a_change(self) -> None:
        world = in_conflict(LOCK, policy=f"conflicts_max: 1\n{RULE}")
        for _ in range(3):
            world.conflicting[world.change("R0").id] = (LOCK,)
            world.hand_in(world.open_orders(AgentOrder)[0])
            world.settle()
            assert world.agent_order().remake
        world.conflicting.clear()
        world.work()
        assert world.change("R0").state is S.LANDED

    def test_a_lost_remake_order_is_ordered_again(self) -> None:
        world = in_conflict(LOCK)
        first = world.open_orders(AgentOrder)[0]
        world.ended_runs[first] = "failure"
        world.settle()
        again = world.agent_order()
        assert again.order_id != first
        assert again.remake == (Remake(files=(LOCK,), run=LINE),)
        world.work()
        assert world.change("R0").state is S.LANDED

    def test_a_remake_is_shown_as_work_without_an_agent(self) -> None:
        world = in_conflict(LOCK)
        world.work()
        told = [e.text for e in world.intended if isinstance(e, ef.EditIssue)]
        assert any(
            f"Without an agent: a command generates `{LOCK}` again." in text for text in told
        )
        assert any("- Agent runs: 1;" in text for _, text in world.posted)


class TestFailingCommand:
    def failed(self, *files: str) -> World:
        world = in_conflict(*(files or (LOCK,)))
        if files:
            world.hand_in(world.open_orders(AgentOrder)[0])
            world.settle()
        assert world.agent_order().remake
        order = world.open_orders(AgentOrder)[0]
        world.leave_work(order, AgentEnding.CRASHED, "Remake `npm` ended with 1: no network")
        world.settle()
        return world

    def test_a_failed_remake_leaves_the_conflict_to_an_agent_with_its_output(self) -> None:
        world = self.failed()
        order = world.agent_order()
        assert order.remake == ()
        assert order.retry is not None
        assert order.retry.reason is RetryReason.CONFLICT
        assert order.retry.conflicting_files == (LOCK,)
        assert "no network" in order.retry.sentence
        prepared = [e for e in world.intended if isinstance(e, ef.PrepareStart)]
        assert [e.remake for e in prepared] == [(LOCK,), ()]
        assert order.start_ref == prepared[-1].ref

    def test_a_failed_remake_imports_no_files(self) -> None:
        world = self.failed()
        assert len([e for e in world.intended if isinstance(e, ef.ImportBundle)]) == 1

    def test_a_failed_remake_costs_no_attempt(self) -> None:
        world = self.failed()
        world.work()
        assert world.change("R0").state is S.LANDED

    def test_a_failed_remake_after_an_agent_costs_no_attempt(self) -> None:
        world = self.failed("package.json", LOCK)
        assert world.agent_order().remake == ()
        world.work()
        assert world.change("R0").state is S.LANDED

    def test_a_failed_remake_is_tried_again_at_the_next_conflict(self) -> None:
        world = self.failed()
        world.conflicting[world.change("R0").id] = (LOCK,)
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        assert world.agent_order().remake


class TestLockFileAndOthers:
    def test_an_agent_resolves_the_others_and_the_command_the_lock_file(self) -> None:
        world = in_conflict("package.json", LOCK)
        order = world.agent_order()
        assert order.remake == ()
        assert order.retry is not None
        assert order.retry.conflicting_files == ("package.json",)
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        assert world.open_orders(GateOrder) == []
        remade = world.agent_order()
        assert remade.remake == (Remake(files=(LOCK,), run=LINE),)
        assert remade.start_sha == sha(f"head {order.order_id}")
        assert remade.start_ref == f"refs/headgate/heads/{order.order_id}"
        world.work()
        assert world.change("R0").state is S.LANDED
        assert len(sent(world)) == 3

    def test_an_interrupted_agent_does_not_lose_the_remake(self) -> None:
        world = in_conflict("package.json", LOCK)
        world.leave_work(world.open_orders(AgentOrder)[0], AgentEnding.OUT_OF_TIME, "Late.")
        world.settle()
        world.say(world.run.issue or 0, "/headgate retry")
        world.settle()
        assert world.agent_order().remake == ()
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        assert world.agent_order().remake

    def test_without_a_rule_an_agent_resolves_both(self) -> None:
        order = in_conflict("package.json", LOCK, policy="").agent_order()
        assert order.retry is not None
        assert order.retry.conflicting_files == ("package.json", LOCK)


def test_a_removed_remake_rule_leaves_the_change_to_the_gates() -> None:
    world = in_conflict("package.json", LOCK)
    world.policy_text = GATES
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    assert world.open_orders(GateOrder) != []
