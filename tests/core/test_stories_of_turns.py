"""Concurrent changes: each is judged on the main it lands on, and has each conflict only once."""

from action.order import AgentOrder, GateOrder, RetryReason
from bot.core.journal import effects as ef
from bot.core.journal.events import FailureReason
from bot.core.values.lifecycle import ChangeState, OfferStage
from gates.result import Ending
from tests.core.kit import World, approved
from tests.core.values import GATES, beside, sha

S = ChangeState


def parallel(count: int, extra: str = "") -> World:
    return approved(beside(count), f"{GATES}max_parallel: {count}\n{extra}")


def conflict(world: World, requirement: str, *files: str) -> None:
    """A change's work does not merge when its candidate is built next."""
    world.conflicting[world.change(requirement).id] = files or ("routes.txt",)


class TestFrontFirst:
    def test_work_that_would_be_judged_again_waits_for_the_front(self) -> None:
        world = parallel(3)
        for n in range(3):
            world.hand_in(world.agent_order_of(f"R{n}"))
            world.settle()
            if n == 0:
                world.judge(world.open_orders(GateOrder)[0])
                world.decide()
        world.work()
        assert {c.state for c in world.state.changes.values()} == {S.LANDED}
        assert len(world.wrote("GatesOrdered")) <= 4

    def test_seven_changes_cost_seven_gate_orders(self) -> None:
        world = approved(beside(7), f"{GATES}max_parallel: 3\n")
        world.work()
        assert {c.state for c in world.state.changes.values()} == {S.LANDED}
        assert len(world.wrote("GatesOrdered")) == 7

    def test_a_change_that_was_red_once_does_not_hold_up_others(self) -> None:
        world = approved(
            beside(2), f"{GATES.replace('    repeat: 0', '    repeat: 1')}max_parallel: 2\n"
        )
        for n in range(2):
            world.hand_in(world.agent_order_of(f"R{n}"))
            world.settle()
        first = world.change("R0")
        assert world.stage("R1") is OfferStage.BUILDING
        world.judge(world.open_orders(GateOrder)[0], test=Ending.FAILED)
        world.settle()
        assert first.order != world.change("R0").order
        assert world.stage("R1") is OfferStage.JUDGING

    def test_a_waiting_first_judgement_follows_main(self) -> None:
        world = approved(beside(1))
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        (outdated,) = world.open_orders(GateOrder)
        world.push_code("by hand")
        world.settle()
        assert outdated not in world.open_orders(GateOrder)
        bases = {world.gate_order(o).candidate_sha for o in world.open_orders(GateOrder)}
        assert len(bases) == 2
        world.work()
        assert world.change("R0").state is S.LANDED
        assert len(world.wrote("GatesOrdered")) == 2

    def test_a_judgement_that_a_runner_has_started_is_completed(self) -> None:
        world = approved(beside(1))
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        (begun,) = world.open_orders(GateOrder)
        world.lease(begun)
        world.settle()
        world.push_code("by hand")
        world.settle()
        assert begun in world.open_orders(GateOrder)

    def test_changes_do_not_wait_for_a_stuck_queue(self) -> None:
        world = parallel(2)
        world.hand_in(world.agent_order_of("R0"))
        world.settle()
        world.judge(world.open_orders(GateOrder)[0])
        world.refusals["LandCandidate"] = "Protected branch"
        world.settle()
        world.hand_in(world.agent_order_of("R1"))
        world.settle()
        assert world.stage("R1") is OfferStage.JUDGING

    def test_gates_of_the_front_are_dispatched_before_other_gates(self) -> None:
        thrice = GATES.replace("repeat: 0", "repeat: 2")
        world = approved(beside(2), f"{thrice}max_parallel: 2\n")
        for n in range(2):
            world.hand_in(world.agent_order_of(f"R{n}"))
        world.settle()
        world.judge(world.open_orders(GateOrder)[0], test=Ending.FAILED)
        world.settle()
        doubted, front = world.open_orders(GateOrder)
        for order in (doubted, front):
            world.lease(order)
        world.settle()
        world.push(sha("spec by hand"), "specs/notes.md")
        world.judge(front)
        world.tick()
        assert world.change("R1").candidates == 2
        world.judge(doubted, test=Ending.FAILED)
        before = len(world.intended)
        world.settle()
        sent = [e for e in world.intended[before:] if isinstance(e, ef.DispatchOrder)]
        assert [e.change for e in sent] == [world.change("R1").id, world.change("R0").id]

    def test_gates_of_the_front_are_dispatched_before_new_agents(self) -> None:
        world = approved(beside(3), f"{GATES}max_parallel: 1\n")
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        before = len(world.intended)
        world.push_code("by hand")
        world.work(lambda w: len(w.wrote("Landed")) == 1)
        sent = [e.order for e in world.intended[before:] if isinstance(e, ef.DispatchOrder)]
        assert isinstance(sent[0], GateOrder)


class TestConflicts:
    def test_a_conflict_does_not_count_as_an_attempt(self) -> None:
        world = approved(beside(1), f"{GATES}attempts_max: 1\n")
        conflict(world, "R0")
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        world.conflicting.clear()
        second = world.agent_order()
        assert second.attempt == 2
        assert second.retry is not None
        assert second.retry.reason is RetryReason.CONFLICT
        world.work()
        assert world.change("R0").state is S.LANDED

    def test_after_five_conflicts_the_change_fails_with_the_last(self) -> None:
        world = approved(beside(1))
        conflict(world, "R0")
        world.work()
        failed = world.change("R0")
        assert failed.failure is FailureReason.CONFLICTS
        assert "6 times" in failed.sentence
        assert len([o for o in world.orders.values() if isinstance(o, AgentOrder)]) == 6

    def test_conflicts_about_one_file_are_resolved_one_after_another(self) -> None:
        world = parallel(3)
        for n in range(3):
            conflict(world, f"R{n}")
            world.hand_in(world.agent_order_of(f"R{n}"))
        world.settle()
        assert len(world.open_orders(AgentOrder)) == 1
        for n in range(3):
            name = f"R{n}"
            world.work(lambda w, one=name: w.change(one).state is S.ORDERED)  # type: ignore[misc]
            del world.conflicting[world.change(name).id]
        world.work()
        assert {c.state for c in world.state.changes.values()} == {S.LANDED}
        assert len(world.wrote("CandidateConflicted")) == 3
        assert len([o for o in world.orders.values() if isinstance(o, AgentOrder)]) == 6

    def test_conflicts_about_other_files_do_not_wait_for_each_other(self) -> None:
        world = parallel(2)
        for n in range(2):
            conflict(world, f"R{n}", f"file{n}.txt")
            world.hand_in(world.agent_order_of(f"R{n}"))
        world.settle()
        assert len(world.open_orders(AgentOrder)) == 2

    def test_a_conflict_waits_while_another_change_is_about_to_land(self) -> None:
        world = parallel(2)
        world.hand_in(world.agent_order_of("R0"))
        world.settle()
        first = world.open_orders(GateOrder)[0]
        conflict(world, "R1")
        world.hand_in(world.agent_order_of("R1"))
        world.settle()
        world.judge(first)
        world.push_code("by hand")
        world.work(lambda w: w.change("R0").state is S.LANDED)
        assert world.change("R0").state is S.LANDED

    def test_the_order_lists_landings_and_edits_of_both_sides(self) -> None:
        world = parallel(2)
        late = world.agent_order_of("R1")
        world.hand_in(world.agent_order_of("R0"))
        world.settle()
        world.judge(world.open_orders(GateOrder)[0])
        world.settle()
        assert world.change("R0").state is S.LANDED
        conflict(world, "R1")
        world.hand_in(late)
        world.settle()
        retry = world.agent_order().retry
        assert retry is not None
        assert retry.landed_since == (world.change("R0").planned.title,)
        assert retry.main_changed == "routes.txt"
        assert retry.work_changed == "ours of routes.txt"

    def test_a_retry_by_a_person_resets_the_conflict_count(self) -> None:
        world = approved(beside(1))
        conflict(world, "R0")
        world.work()
        assert world.change("R0").state is S.FAILED
        world.say(world.run.issue or 0, "/headgate retry")
        # One conflict more is met as the first one was.
        world.settle()
        assert world.change("R0").state is not S.FAILED
        world.conflicting.clear()
        world.work()
        assert world.change("R0").state is S.LANDED

    def test_the_build_effect_names_files_that_merge_by_rule(self) -> None:
        world = approved(beside(1), f"{GATES}merge:\n  CHANGELOG.md: union\n")
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        (built,) = [e for e in world.intended if isinstance(e, ef.BuildCandidate)]
        assert built.union == ("CHANGELOG.md",)


class TestManualMerges:
    def test_pushes_while_main_is_judged_are_judged_at_the_newest_tip_only(self) -> None:
        world = approved(beside(1))
        for n in range(5):
            world.push_code(f"by hand {n}")
            world.settle()
        first = world.open_orders(GateOrder)
        assert len(first) == 1
        world.judge(first[0])
        world.settle()
        (second,) = world.open_orders(GateOrder)
        assert world.gate_order(second).candidate_sha == world.main[-1].sha
        world.judge(second)
        world.settle()
        assert world.open_orders(GateOrder) == []
        assert len(world.wrote("AdoptionJudged")) == 3

    def test_the_front_is_judged_in_parallel_with_main_and_lands_when_both_are_green(self) -> None:
        world = approved(beside(1))
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        world.push_code("by hand")
        world.judge(world.open_orders(GateOrder)[0])
        world.settle()
        beside_main = {world.gate_order(o).candidate_sha: o for o in world.open_orders(GateOrder)}
        assert len(beside_main) == 2
        front = beside_main.pop(world.candidate("R0").sha)
        world.judge(front)
        world.settle()
        assert world.stage("R0") is OfferStage.QUEUED
        (main,) = beside_main.values()
        world.judge(main)
        world.settle()
        assert world.change("R0").state is S.LANDED

    def test_gates_that_no_runner_took_are_withdrawn_when_main_has_moved(self) -> None:
        world = approved(beside(1))
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        world.push_code("by hand 1")
        world.judge(world.open_orders(GateOrder)[0])
        world.settle()
        waiting = {world.gate_order(o).candidate_sha: o for o in world.open_orders(GateOrder)}
        outdated = waiting[world.candidate("R0").sha]
        world.push_code("by hand 2")
        world.settle()
        assert outdated not in world.open_orders(GateOrder)
        world.work()
        assert world.change("R0").state is S.LANDED
        assert world.change("R0").attempt == 1

    def test_five_merges_during_one_change_cost_at_most_seven_gate_orders(self) -> None:
        world = approved(beside(1))
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        for n in range(5):
            world.push_code(f"by hand {n}")
            world.settle()
            for _ in range(2):
                for order in world.open_orders(GateOrder):
                    world.judge(order)
                world.settle()
        world.work()
        assert world.change("R0").state is S.LANDED
        assert len([o for o in world.orders.values() if isinstance(o, GateOrder)]) <= 7
