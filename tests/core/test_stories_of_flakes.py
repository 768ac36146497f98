"""A red gate runs again before it counts; a flake is reported and remembered."""

import re
from dataclasses import replace
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

from action.order import AgentOrder, GateOrder
from action.report import AgentEnding, AgentQuestion
from bot.core.journal.events import CandidateFailed, FailureReason, GateFlaked, GatesDoubted
from bot.core.spec.policy import PolicyRefusal
from bot.core.spec.quarantine import QUARANTINE_PATH
from bot.core.state.flaky_results import without_second_run
from bot.core.values.ids import OrderId
from bot.core.values.lifecycle import ChangeState, OfferStage
from gates.result import Ending, GateResult
from tests.core.kit import World, approved, judging, read_good
from tests.core.queued_pulls import red_before
from tests.core.values import GATES, beside

S = ChangeState
RED = Ending.FAILED
ONCE = GATES.replace("    repeat: 0\n", "")
TWICE = GATES.replace("repeat: 0", "repeat: 2")
FAILED = ("tests/test_till.py::test_sum",)


def judge(world: World, order: OrderId, *failed: str, **endings: Ending) -> None:
    world.judge(order, failed, **endings)
    world.settle()


def lose(world: World) -> None:
    world.lease(world.open_orders(GateOrder)[0])
    world.settle()
    world.pass_time(100)
    world.settle()


def asked(world: World) -> list[tuple[str, ...]]:
    """The gates of each gate order, oldest first."""
    orders = [o for o in world.orders.values() if isinstance(o, GateOrder)]
    return [tuple(g.name for g in o.gates) for o in orders]


class TestSecondRuns:
    def test_only_red_gates_run_again_and_no_attempt_is_counted(self) -> None:
        world, order = judging(ONCE)
        judge(world, order, test=RED)
        assert world.stage("R0") is OfferStage.JUDGING
        assert asked(world) == [("test", "scope_check", "lint"), ("test",)]
        assert world.open_orders(AgentOrder) == []
        assert world.change("R0").gate_runs == 1

    def test_a_flaky_gate_lands_and_is_reported(self) -> None:
        world, order = judging(ONCE)
        judge(world, order, *FAILED, test=RED)
        judge(world, world.open_orders(GateOrder)[0])
        world.work()
        landed = world.change("R0")
        assert landed.state is S.LANDED
        assert landed.attempt == 1
        (flake,) = world.wrote("GateFlaked")
        assert isinstance(flake, GateFlaked)
        assert (flake.gate, flake.tests) == ("test", FAILED)
        assert "`tests/test_till.py::test_sum`" in world.replies()
        assert "red and then green" in world.replies()

    def test_a_gate_that_is_red_twice_fails_the_candidate(self) -> None:
        world, order = judging(ONCE)
        judge(world, order, test=RED)
        judge(world, world.open_orders(GateOrder)[0], test=RED)
        assert len(world.wrote("CandidateFailed")) == 1
        assert world.open_orders(AgentOrder)
        assert world.wrote("GateFlaked") == []

    def test_each_red_gate_has_its_own_repetition(self) -> None:
        two = ONCE.replace("    required: false\n", "")
        world, order = judging(two)
        judge(world, order, test=RED)
        judge(world, world.open_orders(GateOrder)[0])
        assert len(world.wrote("CandidatePassed")) == 1
        world, order = judging(two)
        judge(world, order, test=RED, lint=RED)
        judge(world, world.open_orders(GateOrder)[0], lint=RED)
        assert len(world.wrote("CandidateFailed")) == 1
        assert [e.gate for e in world.wrote("GateFlaked") if isinstance(e, GateFlaked)] == ["test"]

    def test_the_policy_sets_the_number_of_repetitions(self) -> None:
        world, order = judging(TWICE)
        judge(world, order, test=RED)
        judge(world, world.open_orders(GateOrder)[0], test=RED)
        judge(world, world.open_orders(GateOrder)[0])
        assert len(world.wrote("CandidatePassed")) == 1
        world, order = judging(GATES)
        judge(world, order, test=RED)
        assert len(world.wrote("CandidateFailed")) == 1

    def test_losses_before_the_first_red_do_not_count_against_the_repetition(self) -> None:
        world, _ = judging(ONCE)
        for _ in range(2):
            lose(world)
        judge(world, world.open_orders(GateOrder)[0], test=RED)
        for _ in range(2):
            lose(world)
        assert world.stage("R0") is OfferStage.JUDGING
        judge(world, world.open_orders(GateOrder)[0])
        assert len(world.wrote("CandidatePassed")) == 1

    def test_a_builtin_gate_does_not_run_again(self) -> None:
        world, order = judging(ONCE)
        judge(world, order, scope_check=RED)
        assert len(world.wrote("CandidateFailed")) == 1

    def test_a_red_main_runs_again_before_the_queue_is_frozen(self) -> None:
        world = approved(beside(1), ONCE)
        world.push_code("by hand")
        world.settle()
        judge(world, world.open_orders(GateOrder)[0], test=RED)
        assert world.state.frozen is None
        judge(world, world.open_orders(GateOrder)[0])
        assert world.state.frozen is None
        assert [a.green for a in world.state.adoptions.values()] == [True]
        assert len(world.wrote("GateFlaked")) == 1


def green_before() -> GateResult:
    """No doubt of a gate; a harness says none such."""
    return replace(red_before(*FAILED), ending=Ending.PASSED)


class TestRepeatsInTheSameOrder:
    def test_an_order_names_the_gates_that_may_run_again(self) -> None:
        world, order = judging(ONCE)
        assert world.gate_order(order).repeats == ("test",)
        world, order = judging(TWICE)
        assert world.gate_order(order).repeats == ("test", "test")
        world, order = judging(GATES)
        assert world.gate_order(order).repeats == ()
        proven = ONCE.replace("run: make test\n", "run: make test\n    junit: true\n")
        world, order = judging(proven + "  spec_verify:\n    builtin: spec_verify\n")
        assert world.gate_order(order).repeats == ("test",)

    def test_a_gate_that_was_red_in_another_order_has_one_run_less(self) -> None:
        world, order = judging(TWICE)
        judge(world, order, test=RED)
        (again,) = world.open_orders(GateOrder)
        assert world.gate_order(again).repeats == ("test",)

    def test_a_gate_that_is_red_twice_in_one_order_fails_the_candidate(self) -> None:
        world, order = judging(ONCE)
        world.doubts = (red_before(*FAILED),)
        judge(world, order, *FAILED, test=RED)
        assert len(world.wrote("CandidateFailed")) == 1
        assert world.open_orders(GateOrder) == []
        assert world.open_orders(AgentOrder)

    def test_a_flake_within_one_order_lands_and_is_reported(self) -> None:
        world, order = judging(ONCE)
        world.doubts = (red_before(*FAILED),)
        judge(world, order)
        world.doubts = ()
        world.work()
        assert world.change("R0").state is S.LANDED
        assert world.change("R0").gate_runs == 1
        (flake,) = world.wrote("GateFlaked")
        assert isinstance(flake, GateFlaked)
        assert (flake.gate, flake.tests) == ("test", FAILED)
        assert "red and then green" in world.replies()

    def test_a_flake_is_reported_even_if_another_gate_runs_again(self) -> None:
        world, order = judging(ONCE.replace("    required: false\n", ""))
        world.doubts = (red_before(*FAILED),)
        judge(world, order, lint=RED)
        world.doubts = ()
        (again,) = world.open_orders(GateOrder)
        assert [gate.name for gate in world.gate_order(again).gates] == ["lint"]
        judge(world, again)
        flakes = {e.gate: e.tests for e in world.wrote("GateFlaked") if isinstance(e, GateFlaked)}
        assert flakes == {"test": FAILED, "lint": ()}

    def test_a_repeated_run_of_a_gate_outside_the_order_is_ignored(self) -> None:
        world, order = judging(ONCE)
        world.doubts = (replace(red_before(*FAILED), gate="another"), green_before())
        judge(world, order)
        assert len(world.wrote("CandidatePassed")) == 1
        world, order = judging(ONCE)
        world.doubts = (replace(red_before(*FAILED), gate="another"), green_before())
        judge(world, order, test=RED)
        (doubted,) = world.wrote("GatesDoubted")
        assert isinstance(doubted, GatesDoubted)
        assert [r.gate for r in doubted.results] == ["test", "scope_check", "lint"]

    def test_a_red_main_is_red_after_one_order(self) -> None:
        world = approved(beside(1), ONCE)
        world.push_code("by hand")
        world.settle()
        (order,) = world.open_orders(GateOrder)
        assert world.gate_order(order).repeats == ("test",)
        world.doubts = (red_before(*FAILED),)
        judge(world, order, *FAILED, test=RED)
        assert [a.green for a in world.state.adoptions.values()] == [False]

    def test_a_failure_that_main_may_have_does_not_run_again(self) -> None:
        world = approved(beside(1), ONCE)
        world.push_code("by hand")
        world.settle()
        (order,) = world.open_orders(GateOrder)
        world.doubts = (red_before(*FAILED),)
        judge(world, order, *FAILED, test=RED)
        world.doubts = ()
        world.say(world.run.issue or 0, f"/headgate waive {FAILED[0]}")
        world.settle()
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        (order,) = world.open_orders(GateOrder)
        assert world.gate_order(order).repeats == ()

    def test_one_order_is_enough_to_fail_a_candidate_while_main_is_judged(self) -> None:
        world, of_main, order = judging_beside_main()
        assert world.gate_order(order).repeats == ("test",)
        world.doubts = (red_before(*FAILED),)
        judge(world, order, *FAILED, test=RED)
        assert world.wrote("CandidateFailed") == []
        world.doubts = ()
        judge(world, of_main)
        assert len(world.wrote("CandidateFailed")) == 1
        assert world.open_orders(GateOrder) == []

    def test_a_failure_that_main_turns_out_to_have_is_not_blamed_on_a_change(self) -> None:
        world, of_main, order = judging_beside_main()
        world.doubts = (red_before(*FAILED),)
        judge(world, order, *FAILED, test=RED)
        judge(world, of_main, *FAILED, test=RED)
        assert world.wrote("CandidateFailed") == []
        assert world.stage("R0") is OfferStage.JUDGING

    def test_a_red_result_of_an_often_flaky_test_counts_at_once(self) -> None:
        world = flaked_often()
        world.doubts = (red_before(*FAILED),)
        judge(world, world.open_orders(GateOrder)[0])
        (failed,) = world.wrote("CandidateFailed")
        assert isinstance(failed, CandidateFailed)
        assert failed.results[0].sentence.startswith("Often flaky, so a red result counts at once")


def judging_beside_main() -> tuple[World, OrderId, OrderId]:
    """Work is judged on what a person has just pushed: main's gate order, and the change's."""
    world = approved(beside(1), ONCE)
    world.push_code("by hand")
    world.settle()
    (of_main,) = world.open_orders(GateOrder)
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    (order,) = (o for o in world.open_orders(GateOrder) if o != of_main)
    return world, of_main, order


class TestRememberedFlakes:
    def test_the_third_flake_of_a_test_is_named_to_people(self) -> None:
        world = approved(beside(3), ONCE)
        while world.open_orders(AgentOrder):
            assert "3 times" not in world.replies()
            world.hand_in(world.open_orders(AgentOrder)[0])
            world.settle()
            judge(world, world.open_orders(GateOrder)[0], *FAILED, test=RED)
            judge(world, world.open_orders(GateOrder)[0])
            world.pass_time(60)
        world.work()
        assert len(world.state.flaky[FAILED[0]]) == 3
        assert "3 times in 30 days" in world.replies()
        assert "A red result still counts at once" in world.replies()

    def test_flakes_older_than_a_month_are_forgotten(self) -> None:
        world, order = judging(ONCE)
        judge(world, order, *FAILED, test=RED)
        world.work()
        world.pass_time(31 * 24 * 3600)
        world.push_code("by hand")
        world.settle()
        judge(world, world.open_orders(GateOrder)[0], "other", test=RED)
        judge(world, world.open_orders(GateOrder)[0])
        assert list(world.state.flaky) == ["other"]


def flaked_often() -> World:
    """A world in which one test flaked three times, and in which work waits to be judged."""
    world = approved(beside(4), ONCE)
    for _ in range(3):
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        judge(world, world.open_orders(GateOrder)[0], *FAILED, test=RED)
        judge(world, world.open_orders(GateOrder)[0])
        world.pass_time(60)
        world.settle()
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    return world


def judged_at_last(world: World) -> str:
    """What becomes of the work that waits, if the test is red again."""
    judge(world, world.open_orders(GateOrder)[0], *FAILED, test=RED)
    for event in world.wrote("CandidateFailed"):
        if isinstance(event, CandidateFailed):
            return event.results[0].sentence
    return "asked again"


class TestOftenFlaky:
    """An often flaky test counts at its first red run, unless main has it in quarantine."""

    def test_a_red_test_with_three_flakes_counts_at_once(self) -> None:
        world = flaked_often()
        said = judged_at_last(world)
        assert said.startswith(f"Often flaky, so a red result counts at once: {FAILED[0]}.")

    def test_another_test_still_gets_a_second_run(self) -> None:
        world = flaked_often()
        judge(world, world.open_orders(GateOrder)[0], "another", test=RED)
        assert world.wrote("CandidateFailed") == []

    def test_an_agent_that_finds_no_fault_restores_one_second_run(self) -> None:
        """Otherwise sound work fails by a known flaky test one time in ten."""
        world = flaked_often()
        judged_at_last(world)
        world.hand_in(world.open_orders(AgentOrder)[0], AgentEnding.NOTHING_CHANGED)
        world.settle()
        judge(world, world.open_orders(GateOrder)[0], *FAILED, test=RED)
        assert len(world.wrote("CandidateFailed")) == 1
        judge(world, world.open_orders(GateOrder)[0])
        world.work()
        assert world.change("R3").state is S.LANDED

    def test_flakes_older_than_a_month_do_not_remove_the_second_run(self) -> None:
        world = flaked_often()
        world.now += timedelta(days=31)
        assert without_second_run(world.state, read_good(ONCE), world.now) == frozenset()

    def test_main_can_quarantine_a_test_until_a_date(self) -> None:
        world = flaked_often()
        day = world.now.date()
        world.quarantine_text = f"{FAILED[0]}: {day}\n"
        assert judged_at_last(world) == "asked again"
        world = flaked_often()
        world.quarantine_text = f"{FAILED[0]}: {day - timedelta(days=1)}\n"
        assert judged_at_last(world) != "asked again"

    def test_the_proposed_file_quarantines_the_test_for_a_month(self) -> None:
        told, world = flaked_often(), flaked_often()
        told.work()
        (page,) = set(re.findall(r"\[propose the file\]\((\S+)\)", told.replies()))
        filled = parse_qs(urlsplit(page).query)
        assert filled["filename"] == [QUARANTINE_PATH]
        (world.quarantine_text,) = filled["value"]
        last_day = max(world.state.flaky[FAILED[0]]) + timedelta(days=30)
        assert world.quarantine_text == f'"{FAILED[0]}": {last_day.date()}\n'
        assert judged_at_last(world) == "asked again"

    def test_main_runs_again_even_for_an_often_flaky_test(self) -> None:
        world = flaked_often()
        judge(world, world.open_orders(GateOrder)[0])
        world.work()
        world.push_code("by hand")
        world.settle()
        judge(world, world.open_orders(GateOrder)[0], *FAILED, test=RED)
        assert world.state.frozen is None

    def test_a_test_that_passes_alone_is_recorded_as_a_flake(self) -> None:
        world, order = judging(ONCE)
        world.passed_alone = FAILED
        judge(world, order, *FAILED, "another", test=RED)
        world.passed_alone = ()
        judge(world, world.open_orders(GateOrder)[0], "another", test=RED)
        assert len(world.wrote("CandidateFailed")) == 1
        assert [e.tests for e in world.wrote("GateFlaked") if isinstance(e, GateFlaked)] == [FAILED]
        assert list(world.state.flaky) == [*FAILED]

    def test_a_quarantine_without_a_date_is_refused_with_its_line(self) -> None:
        world = World(ONCE)
        world.quarantine_text = "a: 2026-12-31\nb: for ever\n"
        policy = world.policy
        assert isinstance(policy, PolicyRefusal)
        (finding,) = policy.findings
        assert (finding.path, finding.line) == (".headgate/quarantine.yml", 2)
        for text in ("[]", "a: [", "1: 2026-12-31"):
            world.quarantine_text = text
            assert isinstance(world.policy, PolicyRefusal)


class TestUnchangedWork:
    def red_then_nothing_changed(self) -> World:
        world, order = judging(GATES)
        judge(world, order, test=RED)
        world.hand_in(world.open_orders(AgentOrder)[0], AgentEnding.NOTHING_CHANGED)
        world.settle()
        return world

    def test_unchanged_work_after_a_red_gate_is_judged_again(self) -> None:
        world = self.red_then_nothing_changed()
        judge(world, world.open_orders(GateOrder)[0])
        world.work()
        assert world.change("R0").state is S.LANDED

    def test_a_gate_that_is_red_again_fails_the_change_with_its_sentence(self) -> None:
        world = self.red_then_nothing_changed()
        judge(world, world.open_orders(GateOrder)[0], test=RED)
        failed = world.change("R0")
        assert failed.failure is FailureReason.ATTEMPTS_USED_UP
        assert "test (failed)" in failed.sentence
        assert len([o for o in world.orders.values() if isinstance(o, AgentOrder)]) == 2


class TestRetry:
    def failed(self) -> World:
        world = TestUnchangedWork().red_then_nothing_changed()
        judge(world, world.open_orders(GateOrder)[0], test=RED)
        assert world.change("R0").state is S.FAILED
        return world

    def test_a_retry_judges_existing_work(self) -> None:
        world = self.failed()
        world.say(world.run.issue or 0, "/headgate retry")
        world.settle()
        assert world.open_orders(AgentOrder) == []
        judge(world, world.open_orders(GateOrder)[0])
        world.work()
        assert world.change("R0").state is S.LANDED

    def test_a_retry_with_red_work_orders_an_agent(self) -> None:
        world = self.failed()
        world.say(world.run.issue or 0, "/headgate retry")
        world.settle()
        judge(world, world.open_orders(GateOrder)[0], test=RED)
        assert len(world.open_orders(AgentOrder)) == 1

    def test_a_person_may_ask_for_an_agent_at_once(self) -> None:
        world = self.failed()
        world.say(world.run.issue or 0, "/headgate retry agent")
        world.settle()
        assert len(world.open_orders(AgentOrder)) == 1
        assert world.open_orders(GateOrder) == []

    def test_an_agent_can_be_requested_for_one_change(self) -> None:
        world = self.failed()
        world.say(world.run.issue or 0, f"/headgate retry agent {world.change('R0').slug}")
        world.settle()
        assert len(world.open_orders(AgentOrder)) == 1

    def test_a_retry_never_judges_unfinished_work(self) -> None:
        world = approved(beside(1))
        question = AgentQuestion(question="Which?", assumption="That.")
        world.ask(world.open_orders(AgentOrder)[0], question)
        world.settle()
        world.say(world.run.issue or 0, "/headgate stop")
        world.settle()
        world.say(world.run.issue or 0, "/headgate retry")
        world.settle()
        assert world.open_orders(GateOrder) == []
