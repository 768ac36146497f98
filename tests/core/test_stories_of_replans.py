"""Uncovered requirements are planned again, within bounds, and the report names the rest."""

from collections.abc import Callable

import pytest

from action.order import AgentOrder
from bot.core.journal import events as ev
from bot.core.journal.evolve import fold
from bot.core.journal.state import SpecRunState
from bot.core.spec.triage.mentions import Mention
from bot.core.values.ids import Sha
from bot.core.values.lifecycle import ChangeState
from bot.core.values.plan_model import PlannedChange
from bot.core.values.spec_model import Spec
from gates.result import Ending
from tests.core.kit import World, approved
from tests.core.values import GATES, requirement, spec

ONCE = f"{GATES}attempts_max: 1\n"
NAMED = f"{ONCE}covered_when: named\n"
OFF = f"{ONCE}replan_cycles_max: 0\n"


def pair() -> Spec:
    """A cart of two requirements in one change, a till that depends on it, and books."""
    return spec(
        requirement("A", "cart"),
        requirement("A2", "cart"),
        requirement("B", "till", after=["A2"]),
        requirement("C", "books"),
    )


def has_ended(world: World) -> bool:
    return world.run.state is SpecRunState.ENDED


def live(world: World, *broken: str, until: Callable[[World], bool] = has_ended) -> World:
    """Run until the end; changes with a broken requirement never pass."""
    for _ in range(40):
        world.settle()
        agents = world.open_orders(AgentOrder)
        for order in agents:
            world.hand_in(order)
        world.settle()
        for id_ in [o for o in world.orders if not isinstance(world.orders[o], AgentOrder)]:
            if world.state.orders[id_].is_open:
                change = world.state.orders[id_].change
                assert change is not None
                asked = world.state.changes[change].planned
                judge(world, id_, asked, broken)
        world.pass_time(1)
        if not agents and until(world):
            return world
    raise AssertionError("there is no end to it")


def judge(world: World, order: str, asked: PlannedChange, broken: tuple[str, ...]) -> None:
    is_broken = any(r.partition("#")[2] in broken for r in asked.requirements)
    world.judge(order, test=Ending.FAILED if is_broken else Ending.PASSED)  # type: ignore[arg-type]


def cut(world: World) -> list[str]:
    """The newest run's changes in the plan's order: their requirements and states."""
    return [
        " ".join(r.partition("#")[2] for r in c.planned.requirements) + f": {c.state}"
        for c in world.state.changes_of(world.run.id)
    ]


class TestFailedRequirements:
    """Requirements that failed together are tried one by one, and their dependents continue."""

    def test_split_requirements_land_or_are_reported_one_by_one(self) -> None:
        world = live(approved(pair(), ONCE), "A")
        assert cut(world) == [
            "A A2: failed",
            "B: waiting",
            "C: landed",
            "A: failed",
            "A2: landed",
            "B: landed",
        ]
        report = world.replies().rpartition("### Report:")[2]
        assert report.startswith(" 3 of 4 requirements landed")
        assert "**3 of 4 requirements are covered** (on main). These 1 are not:" in report
        assert "- A (`specs/shop.md:1`): failed: After 1 attempts:" in report
        assert "Planned again, cycle 1: `A`, `A2`, `B`" in report
        assert "a new plan would ask for the same work" in report

    def test_a_single_failed_requirement_is_not_planned_again(self) -> None:
        world = live(approved(pair(), ONCE), "C")
        assert cut(world) == ["A A2: landed", "B: landed", "C: failed"]
        assert world.wrote("UncoveredReplanned") == []

    def test_no_requirement_is_planned_again_if_the_policy_says_never(self) -> None:
        world = live(approved(pair(), OFF), "A")
        assert world.wrote("UncoveredReplanned") == []
        assert "`replan_cycles_max` is 0" in world.replies()

    def test_a_change_stopped_by_a_person_is_not_planned_again(self) -> None:
        world = approved(pair(), ONCE)
        world.say(world.change("A").issue or 0, "/headgate stop")
        live(world)
        assert world.wrote("UncoveredReplanned") == []

    def test_a_cycle_without_new_coverage_is_the_last(self) -> None:
        world = live(approved(pair(), ONCE), "A", "A2")
        assert len(world.wrote("UncoveredReplanned")) == 1
        assert "the last cycle covered nothing new" in world.replies()

    def test_the_replaced_change_is_not_retried_and_its_issue_is_closed(self) -> None:
        world = live(approved(pair(), ONCE), "A")
        replaced = world.state.changes_of(world.run.id)[0]
        assert replaced.issue_closed
        world.say(replaced.issue or 0, "/headgate retry")
        world.settle()
        assert "was planned again: later changes of the plan" in world.replies()
        assert world.state.changes[replaced.id].state is ChangeState.FAILED


class TestUntestedRequirements:
    """If the policy asks for tests, a landed requirement without one gets a change for it."""

    def test_a_requirement_without_a_test_gets_a_change_for_the_test(self) -> None:
        world = approved(pair(), NAMED)
        world.tests = [mention("A"), mention("A2"), mention("B")]
        world.when_landed = {"C": mention("C")}
        live(world)
        (again,) = world.wrote("UncoveredReplanned")
        assert isinstance(again, ev.UncoveredReplanned)
        assert again.missing == {"shop#C": "implemented: no test names it"}
        newest = world.state.changes_of(world.run.id)[-1]
        assert (newest.planned.title, newest.state) == ("Tests for Title of C", ChangeState.LANDED)
        order = next(
            o
            for o in reversed(world.orders.values())
            if isinstance(o, AgentOrder) and o.change == newest.slug
        )
        assert "no passing test of the current text names them: shop#C." in order.bearings[0]
        assert "4 of 4 requirements are covered, each by work on main" in world.replies()

    @pytest.mark.parametrize("asked", [NAMED, ONCE])
    def test_at_most_three_cycles_and_each_must_cover_something(self, asked: str) -> None:
        world = live(approved(pair(), asked))
        assert len(world.wrote("UncoveredReplanned")) == (1 if asked == NAMED else 0)

    def test_tests_of_an_older_main_do_not_count(self) -> None:
        world = approved(pair(), NAMED)
        world.tests_commit = Sha("0" * 40)
        world.work()
        assert world.run.state is SpecRunState.RUNNING
        assert world.wrote("UncoveredReplanned") == []


def test_a_repeated_cycle_event_counts_once() -> None:
    world = live(approved(pair(), ONCE), "A")
    (told,) = world.wrote("UncoveredReplanned")
    assert len(world.run.cycles) == 1
    at = world.journal.index(told)
    assert fold([*world.journal[: at + 1], told]).spec_runs[world.run.id].cycles == world.run.cycles


def mention(name: str) -> Mention:
    return Mention(written=f"shop#{name}", path="tests/test_shop.py", line=1, test=f"test_{name}")
