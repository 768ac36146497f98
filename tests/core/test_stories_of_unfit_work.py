"""Work that does not fit main fails only on the current main, and only if that is green."""

import pytest

from action.order import AgentOrder, GateOrder
from bot.core.journal import events as ev
from bot.core.journal.branches import on
from bot.core.journal.effects import BuildPull
from bot.core.journal.events import FailureReason
from bot.core.state.queue_view import Wait, queue_view
from bot.core.state.reason import Cause, reason_of
from bot.core.values.ids import OrderId, PullNumber
from bot.core.values.lifecycle import ChangeState as S, QueuedPullState as P
from gates.result import Ending
from tests.core.deeds import deed
from tests.core.kit import World, approved
from tests.core.queued_pulls import judge_pull, pull_of, queue_pulls, said_at
from tests.core.test_stories_of_branches import RELEASE, served
from tests.core.values import GATES, beside, sha

REFUSED = "Requirement `Pay` is not in the main specs."


def order_of_main(world: World) -> OrderId:
    (order,) = (
        o.id for o in world.state.orders.values() if o.is_open and o.commit == world.state.main
    )
    return order


def pushed(*, red: bool = False) -> World:
    """Somebody pushed to main while an agent worked."""
    world = approved(beside(1))
    world.push_code("by hand")
    world.settle()
    if red:
        world.judge(order_of_main(world), test=Ending.FAILED)
        world.settle()
    return world


def agents(world: World) -> int:
    return len([o for o in world.orders.values() if isinstance(o, AgentOrder)])


class TestConflicts:
    def test_work_that_merges_with_the_repaired_main_needs_no_agent(self) -> None:
        world = pushed(red=True)
        world.conflicting[world.change("R0").id] = ("routes.txt",)
        world.hand_in(world.agent_order_of("R0"))
        world.settle()
        assert world.change("R0").conflicts == 1
        # Somebody takes back what was red, and what the work met with it.
        world.conflicting.clear()
        world.push_code("mended")
        world.work()
        change = world.change("R0")
        assert (change.state, change.conflicts, agents(world)) == (S.LANDED, 0, 1)

    def test_work_that_conflicts_with_the_repaired_main_goes_to_an_agent(self) -> None:
        world = pushed(red=True)
        world.conflicting[world.change("R0").id] = ("routes.txt",)
        world.hand_in(world.agent_order_of("R0"))
        world.settle()
        world.push_code("mended")
        world.work(until=lambda w: w.change("R0").state is S.ORDERED)
        world.conflicting.clear()
        world.work()
        change = world.change("R0")
        assert (change.state, agents(world)) == (S.LANDED, 2)

    def test_a_conflict_counts_once_although_main_moves_repeatedly(self) -> None:
        world = pushed(red=True)
        change = world.change("R0")
        assert change.issue is not None
        world.say(change.issue, "/headgate pause")
        world.conflicting[change.id] = ("routes.txt",)
        world.hand_in(world.agent_order_of("R0"))
        world.settle()
        for name in ("one", "two", "three"):
            world.push_code(name)
            world.settle()
            for order in world.open_orders(GateOrder):
                world.judge(order)
            world.settle()
        change = world.change("R0")
        assert (change.state, change.conflicts, agents(world)) == (S.RETRYING, 1, 1)
        world.say(change.issue or 0, "/headgate resume")
        world.work(until=lambda w: w.change("R0").state is S.ORDERED)
        assert world.change("R0").start_base == world.state.main


class TestRefusedArchives:
    def test_an_unjudged_main_fails_no_change(self) -> None:
        world = pushed()
        world.archive_refusals = [REFUSED]
        world.hand_in(world.agent_order_of("R0"))
        world.settle()
        assert world.change("R0").state is S.RETRYING
        assert reason_of(world.state, world.change("R0")).cause is Cause.MAIN_IS_JUDGED
        world.push_code("taken back")
        world.work()
        change = world.change("R0")
        assert (change.state, change.failure, agents(world)) == (S.LANDED, None, 1)

    def test_a_waiting_change_starts_on_a_main_that_it_fits(self) -> None:
        world = approved(beside(2), f"{GATES}max_parallel: 1\n")
        world.push_code("by hand")
        world.settle()
        (waiting,) = (c for c in world.state.changes.values() if c.state is S.WAITING)
        assert world.state.main is not None
        refused = ev.ArchiveRefused(change=waiting.id, base=world.state.main, sentence=REFUSED)
        world.write((refused,))
        world.settle()
        assert world.state.changes[waiting.id].state is S.RETRYING
        world.push_code("taken back")
        world.work()
        assert {c.state for c in world.state.changes.values()} == {S.LANDED}

    def test_a_refused_archive_on_a_green_main_fails_the_change(self) -> None:
        world = pushed()
        world.archive_refusals = [REFUSED]
        world.hand_in(world.agent_order_of("R0"))
        world.settle()
        world.judge(order_of_main(world))
        world.settle()
        change = world.change("R0")
        assert (change.state, change.failure) == (S.FAILED, FailureReason.ARCHIVE_REFUSED)


class TestPulls:
    def _unfit(self, branch: str = "main") -> tuple[World, PullNumber]:
        """A pull that does not merge with what somebody has just pushed."""
        world = served()
        number = PullNumber(world.open_pull("mend", base=branch))
        world.pull_conflicts[number] = ("routes.txt",)
        if branch == "main":
            world.push_code("by hand")
        else:
            world.push_to(branch, sha("by hand"), "src/by_hand.py")
        world.say(number, "/headgate queue")
        world.settle()
        return world, number

    def _judge_what_was_pushed(self, world: World, *, red: bool = False) -> None:
        (order,) = (o.id for o in world.state.orders.values() if o.is_open and o.pull is None)
        world.judge(order, test=Ending.FAILED if red else Ending.PASSED)
        world.settle()

    @pytest.mark.parametrize("branch", ["main", RELEASE])
    def test_a_conflicting_pull_leaves_once_an_unjudged_main_has_passed(self, branch: str) -> None:
        world, number = self._unfit(branch)
        queue = on(world.state, "" if branch == "main" else branch)
        assert queue.queued_pulls[number].state is P.WAITING
        (place,) = queue_view(world.state, world.now)
        assert place.waits_for is Wait.MAIN
        named = "main" if branch == "main" else f"`{branch}`"
        assert f"conflicts with {named}" in place.why
        text = world.check_runs[f"queue:pull-{number}:1"]
        assert text.conclusion is None
        assert f"in conflict with {branch}" in text.title
        assert "It leaves the queue if that commit passes" in text.summary
        builds = [e for e in world.intended if isinstance(e, BuildPull)]
        assert len(builds) == 1

        self._judge_what_was_pushed(world)

        queue = on(world.state, "" if branch == "main" else branch)
        assert queue.queued_pulls[number].state is P.EVICTED
        assert f"conflicts with {named}" in said_at(world, number)

    def test_a_conflicting_pull_lands_after_a_red_commit_is_reverted(self) -> None:
        world, number = self._unfit()
        self._judge_what_was_pushed(world, red=True)
        assert pull_of(world, number).state is P.WAITING
        world.pull_conflicts.clear()
        world.push_code("mended")
        world.work(until=lambda w: pull_of(w, number).has_left)
        assert pull_of(world, number).state is P.LANDED

    def test_a_conflict_with_an_older_main_does_not_remove_a_pull(self) -> None:
        world, number = self._unfit()
        queue_pulls(world, "other", said="/headgate queue priority 5")
        (order,) = (o.id for o in world.state.orders.values() if o.is_open and o.pull is None)
        world.lease(order)
        world.settle()
        world.push_code("another")
        world.settle()
        world.judge(order)
        world.settle()
        assert pull_of(world, number).state is P.WAITING

    def test_other_pulls_are_judged_while_main_is_unjudged(self) -> None:
        world, _ = self._unfit()
        (other,) = queue_pulls(world, "other")
        assert pull_of(world, other).state is P.JUDGING

    def test_a_late_build_does_not_affect_the_next_round(self) -> None:
        world = World()
        world.unreachable.add("BuildPull")
        (number,) = queue_pulls(world, "mend")
        (late,) = (e for e in world.intended if isinstance(e, BuildPull))
        world.say(number, "/headgate dequeue\n/headgate queue")
        world.settle()
        assert pull_of(world, number).rounds == 2
        world.unreachable.clear()
        world.pull_conflicts[PullNumber(number)] = ("routes.txt",)
        said = deed(world, late)
        world.write(said)
        world.pull_conflicts.clear()
        world.pass_time(120)
        world.settle()
        assert not world.wrote("PullEvicted")
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED
