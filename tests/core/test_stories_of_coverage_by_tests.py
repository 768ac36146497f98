"""A requirement is covered by a test that passed on main, and an honest run reaches that."""

import pytest

from action.order import AgentOrder, GateOrder
from bot.core.journal import events as ev
from bot.core.journal.state import SpecRunState
from bot.core.spec.triage.mentions import Mention
from bot.core.state.candidates import is_being_judged
from bot.core.values.lifecycle import ChangeState
from gates.result import Ending
from tests.core.kit import World, approved
from tests.core.values import GATES, requirement, spec

ENDING_FAILED = Ending.FAILED

JUNIT = GATES.replace("run: make test\n", "run: make test\n    junit: true\n")


def pair(policy_text: str = JUNIT) -> World:
    """Two changes, `A` before `B`, whose tests name them."""
    world = approved(spec(requirement("A", "cart"), requirement("B", "till", after=["A"])))
    world.policy_text = policy_text
    world.tests = [mention("A"), mention("B")]
    world.passing = [name("A"), name("B"), "tests.test_shop.test_other"]
    return world


def mention(requirement_name: str, test: str = "") -> Mention:
    written = f"shop#{requirement_name}"
    test = test or f"test_{requirement_name}"
    return Mention(written=written, path="tests/test_shop.py", line=1, test=test)


def name(requirement_name: str) -> str:
    """What a JUnit report calls the test of a requirement."""
    return f"tests.test_shop.test_{requirement_name}"


def kept(world: World) -> list[tuple[str, ...]]:
    """The names that each judgement in the journal holds of its gate `test`."""
    return [
        result.passed_tests
        for event in world.journal
        if isinstance(event, ev.CandidatePassed | ev.AdoptionJudged)
        for result in event.results
        if result.gate == "test"
    ]


class TestCoveredRun:
    """The tests name the requirements and pass, so the run ends as covered."""

    def test_every_requirement_is_covered_by_a_test_that_passed_on_main(self) -> None:
        world = pair()
        world.work()
        assert world.run.state is SpecRunState.ENDED
        said = "2 of 2 requirements are covered, each by a test that passed on main."
        assert said in world.replies()
        assert world.wrote("UncoveredReplanned") == []
        assert len([o for o in world.orders.values() if isinstance(o, AgentOrder)]) == 2

    def test_a_judgement_keeps_the_tests_that_name_a_requirement_and_no_other(self) -> None:
        world = pair()
        world.work()
        assert kept(world) == [(name("A"), name("B"))] * 2

    def test_at_most_three_tests_of_a_requirement_are_kept(self) -> None:
        world = pair()
        world.tests += [mention("A", f"test_a{n}") for n in range(9)]
        world.passing = [*(f"tests.test_shop.test_a{n}" for n in range(9)), name("B")]
        world.work()
        assert [len(names) for names in kept(world)] == [4, 4]
        assert "2 of 2 requirements are covered," in world.replies()

    def test_a_result_that_still_holds_keeps_its_tests(self) -> None:
        """A tree gate does not run again for the identical tree (law 8)."""
        world = pair(JUNIT.replace("required: false", "repeat: 1"))
        world.settle()
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        (order,) = world.open_orders(GateOrder)
        world.judge(order, lint=ENDING_FAILED)
        world.work()
        assert (name("A"), name("B")) in kept(world)
        assert "2 of 2 requirements are covered," in world.replies()


class TestUnseenTests:
    """A missing test is requested; unknown results are not claimed."""

    def test_a_requirement_whose_test_never_passed_gets_one_change_for_a_test(self) -> None:
        world = pair()
        world.passing = [name("A")]
        world.work()
        (again,) = world.wrote("UncoveredReplanned")
        assert isinstance(again, ev.UncoveredReplanned)
        assert again.missing == {"shop#B": "not passed: no test that names it has passed"}
        assert "**1 of 2 requirements are covered**" in world.replies()

    def test_no_agent_is_ordered_for_tests_that_a_cut_report_may_omit(self) -> None:
        world = pair()
        world.passing, world.passing_unnamed = [name("A")], 3_000
        world.work()
        assert world.wrote("UncoveredReplanned") == []
        assert "too many tests passed to list them all by name" in world.replies()

    def test_a_run_ends_only_when_a_persons_push_was_judged(self) -> None:
        """Tests that passed before a push have not passed on the new main."""
        world = pair()
        world.work(until=lambda w: is_being_judged(w.state, w.change("B")))
        world.judge(world.open_orders(GateOrder)[0])
        while world.change("B").state is not ChangeState.LANDED:
            world.tick()
        world.push_code("by hand")
        world.settle()
        assert world.run.state is SpecRunState.RUNNING
        world.work()
        assert not world.run.is_open
        assert "2 of 2 requirements are covered," in world.replies()
        assert world.wrote("UncoveredReplanned") == []

    def test_without_the_tests_of_the_commit_all_names_are_kept(self) -> None:
        """The mirror may have lost the commit: any of the names may be the evidence."""
        world = pair()
        world.has_tests_of_candidates = False
        world.work()
        assert kept(world) == [tuple(world.passing)] * 2
        assert "2 of 2 requirements are covered," in world.replies()


@pytest.mark.parametrize(
    ("policy_text", "said"),
    [
        (GATES, "on main)"),
        (f"{JUNIT}covered_when: landed\n", "on main)"),
        (JUNIT.replace("    repeat: 0\n", "    repeat: 0\n    required: false\n"), "on main)"),
        (JUNIT, "on main with a passing test that names it)"),
    ],
)
def test_a_passed_test_is_required_if_a_required_gate_reports_junit(
    policy_text: str, said: str
) -> None:
    world = pair(policy_text)
    world.say(world.change("B").issue or 0, "/headgate stop")
    world.work()
    assert f"**1 of 2 requirements are covered** ({said}" in world.replies()
