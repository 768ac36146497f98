"""Unfinished work is kept: the next attempt starts from it, and only an agent may call it finished."""

import pytest

from action.order import AgentOrder, GateOrder, RetryReason
from action.report import AgentEnding, AgentQuestion
from bot.core.journal import effects as ef
from bot.core.values.ids import Sha
from bot.core.values.lifecycle import ChangeState
from gates.result import Ending
from tests.core.kit import World, approved
from tests.core.values import GATES, beside, sha

S = ChangeState
UNFINISHED = (
    AgentEnding.OUT_OF_TURNS,
    AgentEnding.OUT_OF_TOKENS,
    AgentEnding.OUT_OF_TIME,
    AgentEnding.GAVE_UP,
    AgentEnding.CRASHED,
    AgentEnding.WORK_REFUSED,
)


def cut_off(
    world: World,
    ending: AgentEnding = AgentEnding.OUT_OF_TURNS,
    said: str = "60 turns are used up.",
) -> AgentOrder:
    """The open agent run ends in the middle of its work; the order that it had."""
    order = world.agent_order()
    world.leave_work(world.open_orders(AgentOrder)[0], ending, said)
    world.settle()
    return order


def head(order: AgentOrder) -> Sha:
    return sha(f"head {order.order_id}")


class TestTheNextAttempt:
    @pytest.mark.parametrize("ending", UNFINISHED)
    def test_the_next_attempt_starts_from_unfinished_work(self, ending: AgentEnding) -> None:
        world = approved(beside(1))
        first = cut_off(world, ending)
        (imported,) = [e for e in world.intended if isinstance(e, ef.ImportBundle)]
        assert imported.order == first.order_id
        (prepared,) = [e for e in world.intended if isinstance(e, ef.PrepareStart)]
        assert prepared.head == head(first)
        second = world.agent_order()
        assert second.start_ref == prepared.ref
        assert second.start_sha != second.base_sha

    def test_the_next_attempt_learns_how_the_last_one_ended(self) -> None:
        world = approved(beside(1))
        cut_off(world)
        second = world.agent_order()
        assert second.retry is not None
        assert second.retry.reason is RetryReason.AGENT_ENDED
        assert second.retry.sentence == "60 turns are used up."

    def test_the_next_attempt_learns_of_conflicts_with_main(self) -> None:
        world = approved(beside(1))
        world.conflicting[world.change("R0").id] = ("routes.txt",)
        cut_off(world)
        retry = world.agent_order().retry
        assert retry is not None
        assert retry.reason is RetryReason.AGENT_ENDED
        assert retry.conflicting_files == ("routes.txt",)
        assert retry.main_changed == "routes.txt"

    def test_an_attempt_after_an_empty_one_starts_from_earlier_work(self) -> None:
        world = approved(beside(1))
        first = cut_off(world)
        world.hand_in(world.open_orders(AgentOrder)[0], AgentEnding.OUT_OF_TIME, "Too slow.")
        world.settle()
        prepared = [e for e in world.intended if isinstance(e, ef.PrepareStart)]
        assert [e.head for e in prepared] == [head(first)] * 2
        retry = world.agent_order().retry
        assert retry is not None
        assert retry.sentence == "Too slow."

    def test_the_attempt_after_too_many_questions_starts_from_the_work(self) -> None:
        world = approved(beside(1))
        for number in range(3):
            question = AgentQuestion(question=f"Which {number}?", assumption="That.")
            world.ask(world.open_orders(AgentOrder)[0], question)
            world.settle()
            world.pass_time(73 * 3600)
            world.settle()
        third = [o for o in world.orders.values() if isinstance(o, AgentOrder)][2]
        prepared = [e for e in world.intended if isinstance(e, ef.PrepareStart)]
        assert prepared[-1].head == head(third)


class TestJudgedWork:
    def test_unfinished_work_is_not_judged(self) -> None:
        world = approved(beside(1))
        cut_off(world)
        assert world.open_orders(GateOrder) == []
        assert not world.change("R0").head_is_whole

    def test_the_work_of_both_attempts_lands(self) -> None:
        world = approved(beside(1))
        cut_off(world)
        world.work()
        landed = world.change("R0")
        assert landed.state is S.LANDED
        assert [r.outcome for r in landed.agent_runs] == ["out_of_turns", "finished"]

    def test_unfinished_work_is_judged_if_the_next_agent_changes_nothing(self) -> None:
        world = approved(beside(1))
        cut_off(world)
        world.hand_in(world.open_orders(AgentOrder)[0], AgentEnding.NOTHING_CHANGED)
        world.settle()
        assert world.open_orders(AgentOrder) == []
        world.judge(world.open_orders(GateOrder)[0])
        world.work()
        assert world.change("R0").state is S.LANDED

    def test_no_gates_run_if_no_attempt_changed_anything(self) -> None:
        world = approved(beside(1))
        world.hand_in(world.open_orders(AgentOrder)[0], AgentEnding.NOTHING_CHANGED, "Nothing.")
        world.settle()
        assert world.open_orders(GateOrder) == []
        assert world.agent_order().attempt == 2

    def test_an_attempt_that_broke_off_before_it_changed_anything_does_not_finish_the_work(
        self,
    ) -> None:
        world = approved(beside(1))
        cut_off(world)
        world.hand_in(world.open_orders(AgentOrder)[0], AgentEnding.OUT_OF_TIME)
        world.settle()
        assert world.open_orders(GateOrder) == []

    def test_a_retry_by_a_person_continues_unfinished_work(self) -> None:
        world = approved(beside(1), f"{GATES}attempts_max: 1\n")
        first = cut_off(world)
        assert world.change("R0").state is S.FAILED
        world.say(world.run.issue or 0, "/headgate retry")
        world.settle()
        assert world.open_orders(GateOrder) == []
        prepared = [e for e in world.intended if isinstance(e, ef.PrepareStart)]
        assert prepared[-1].head == head(first)

    def test_work_not_yet_imported_at_a_stop_is_imported_later(self) -> None:
        world = approved(beside(1))
        world.leave_work(world.open_orders(AgentOrder)[0], AgentEnding.CRASHED, "Killed.")
        world.say(world.run.issue or 0, "/headgate stop")
        world.settle()
        world.say(world.run.issue or 0, "/headgate retry")
        world.settle()
        assert world.agent_order().start_sha != world.agent_order().base_sha


class TestBundlesThatBreakARule:
    def refused(self) -> World:
        """A finished head was red; the second attempt is cut off and its bundle refused."""
        world = approved(beside(1))
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        world.judge(world.open_orders(GateOrder)[0], test=Ending.FAILED)
        world.settle()
        second = world.open_orders(AgentOrder)[0]
        world.bundles[second] = "refuse"
        cut_off(world)
        return world

    def test_the_next_attempt_starts_from_the_work_before(self) -> None:
        world = self.refused()
        orders = [o for o in world.orders.values() if isinstance(o, AgentOrder)]
        prepared = [e for e in world.intended if isinstance(e, ef.PrepareStart)]
        assert [e.head for e in prepared] == [head(orders[0])] * 2
        assert world.agent_order().attempt == 3

    def test_the_refused_files_are_named_with_how_the_run_ended(self) -> None:
        retry = self.refused().agent_order().retry
        assert retry is not None
        assert retry.reason is RetryReason.BUNDLE_REFUSED
        assert retry.refused_files == (".github/x.yml",)
        assert retry.conflicting_files == ()
        assert retry.sentence == "60 turns are used up. It touches protected paths."

    def test_finished_work_stays_finished(self) -> None:
        world = self.refused()
        world.say(world.run.issue or 0, "/headgate stop")
        world.settle()
        world.say(world.run.issue or 0, "/headgate retry")
        world.settle()
        assert len(world.open_orders(GateOrder)) == 1


class TestFilesThatBreakARule:
    def dropped(self, ending: AgentEnding = AgentEnding.FINISHED) -> World:
        """The import drops a file of the first attempt and keeps the rest."""
        world = approved(beside(1))
        first = world.open_orders(AgentOrder)[0]
        world.bundles[first] = "drop"
        world.leave_work(first, ending, "I am done." if ending is AgentEnding.FINISHED else "Late.")
        world.settle()
        return world

    def test_the_next_attempt_continues_from_the_accepted_files(self) -> None:
        world = self.dropped()
        first = next(o for o in world.orders.values() if isinstance(o, AgentOrder))
        (prepared,) = [e for e in world.intended if isinstance(e, ef.PrepareStart)]
        assert prepared.head == head(first)
        assert world.open_orders(GateOrder) == []
        retry = world.agent_order().retry
        assert retry is not None
        assert retry.reason is RetryReason.AGENT_ENDED
        assert retry.refused_files == (".github/x.yml",)
        assert "`.github/x.yml` is protected" in retry.sentence

    def test_the_next_attempt_learns_how_the_run_ended_and_the_refused_files(self) -> None:
        retry = self.dropped(AgentEnding.OUT_OF_TIME).agent_order().retry
        assert retry is not None
        assert retry.sentence.startswith("Late. Refused, and not in the work: `.github/x.yml`")

    def test_the_attempt_is_shown_as_refused_with_the_file(self) -> None:
        world = self.dropped()
        told = [e.text for e in world.intended if isinstance(e, ef.EditIssue)]
        assert any("| 1 | work refused |" in text and ".github/x.yml" in text for text in told)

    def test_accepted_files_are_judged_if_the_next_agent_changes_nothing(self) -> None:
        world = self.dropped()
        world.hand_in(world.open_orders(AgentOrder)[0], AgentEnding.NOTHING_CHANGED)
        world.settle()
        world.work()
        assert world.change("R0").state is S.LANDED


class TestLeftovers:
    def test_leftovers_are_listed_in_the_issue_of_the_change(self) -> None:
        world = approved(beside(1))
        order = world.open_orders(AgentOrder)[0]
        world.leave_work(order, AgentEnding.CRASHED, "Killed.", left_out=(".venv/", "a/b.pyc"))
        world.settle()
        told = [e.text for e in world.intended if isinstance(e, ef.EditIssue)]
        assert any("Removed from the work: `.venv/`, `a/b.pyc`" in text for text in told)

    def test_leftovers_of_finished_work_are_listed(self) -> None:
        world = approved(beside(1))
        order = world.open_orders(AgentOrder)[0]
        world.leave_work(order, AgentEnding.FINISHED, "Done.", left_out=(".venv/",))
        world.settle()
        told = [e.text for e in world.intended if isinstance(e, ef.EditIssue)]
        assert any("Removed from the work: `.venv/`" in text for text in told)
