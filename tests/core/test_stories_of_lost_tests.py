"""A person may allow a change to remove tests of main: by one command, with a ledger entry."""

import pytest

from action.order import AgentOrder, GateOrder
from bot.core.journal.events import SteeringAllowed
from bot.core.values.lifecycle import ChangeState, OfferStage
from bot.core.values.steering import Steering
from gates.result import Ending
from tests.core.kit import World, approved
from tests.core.values import GATES, beside

S = ChangeState
RED = Ending.FAILED
GUARDED = (
    GATES.replace("quiet_seconds: 0\n", "quiet_seconds: 0\nattempts_max: 1\n")
    + "  tests: {builtin: tests}\n  base_tests: {builtin: base_tests}\n"
)
LOST = "tests/test_shop.py::test_sum"


def losing(*lost: str, gate: str = "tests", text: str = GUARDED, **more: Ending) -> World:
    """One change, of which the only work takes these tests away."""
    world = approved(beside(1), text)
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    world.judge(world.open_orders(GateOrder)[0], lost, **{gate: RED}, **more)
    world.settle()
    return world


def shown(world: World) -> str:
    candidate = world.candidate("R0")
    return candidate.sha


def say(world: World, text: str) -> None:
    world.say(int(world.run.issue or 0), text)
    world.settle()


@pytest.mark.parametrize("gate", ["tests", "base_tests"])
def test_a_lost_test_that_a_person_allows_lands_with_a_ledger_entry(gate: str) -> None:
    world = losing(LOST, gate=gate)
    assert world.change("R0").state is S.FAILED
    assert f"`/headgate allow {shown(world)[:12]}`" in world.change("R0").sentence
    say(world, f"/headgate allow {shown(world)}")
    assert f"`{LOST}`" in world.replies()
    assert world.stage("R0") is OfferStage.JUDGING
    world.judge(world.open_orders(GateOrder)[0], (LOST,), **{gate: RED})
    world.work()
    assert world.change("R0").state is S.LANDED
    assert world.state.ledger[-1].allowed == (f"test {LOST} by @ann",)
    # It is no failing test of main that later changes would inherit.
    assert world.state.ledger[-1].waived == ()


def test_another_lost_test_needs_another_permission() -> None:
    world = losing(LOST)
    say(world, f"/headgate allow {shown(world)}")
    world.judge(world.open_orders(GateOrder)[0], (LOST, "another"), tests=RED)
    world.settle()
    assert world.change("R0").state in {S.ORDERED, S.WORKING}
    say(world, f"/headgate allow {shown(world)}")
    allowed = [e.lost for e in world.wrote("SteeringAllowed") if isinstance(e, SteeringAllowed)]
    assert allowed == [(LOST,), ("another",)]


def test_a_permission_for_lost_tests_covers_no_other_gate() -> None:
    world = losing(LOST, test=RED)
    assert "/headgate allow" not in world.change("R0").sentence
    say(world, f"/headgate allow {shown(world)}")
    world.judge(world.open_orders(GateOrder)[0], (LOST,), tests=RED, test=RED)
    world.settle()
    assert world.change("R0").state in {S.ORDERED, S.WORKING}


def test_a_gate_that_does_not_guard_tests_cannot_be_allowed() -> None:
    world = losing(LOST, gate="test")
    say(world, f"/headgate allow {shown(world)}")
    assert world.wrote("SteeringAllowed") == []
    assert "No change here" in world.replies()


def test_a_guard_that_could_not_run_cannot_be_allowed() -> None:
    world = losing(gate="base_tests")
    say(world, f"/headgate allow {shown(world)}")
    assert world.wrote("SteeringAllowed") == []


def test_allowing_lost_tests_twice_is_answered() -> None:
    world = losing(LOST)
    say(world, f"/headgate allow {shown(world)}")
    say(world, f"/headgate allow {shown(world)}")
    assert len(world.wrote("SteeringAllowed")) == 1
    assert "@ann already allowed that" in world.replies()


def test_steering_files_need_a_separate_permission() -> None:
    world = losing(LOST)
    say(world, f"/headgate allow {shown(world)}")
    assert world.change("R0").allowed == {}
    world.steering[world.change("R0").id] = Steering(runner=("conftest.py",), digest="a hook")
    world.push_code("another's work")
    world.work()
    assert world.change("R0").state is S.FAILED


@pytest.mark.parametrize(
    ("gate", "text", "asked"),
    [
        ("tests", GUARDED, {"tests"}),
        ("base_tests", GUARDED, {"base_tests", "test"}),
        ("spec_verify", GUARDED + "  spec_verify: {builtin: spec_verify}\n", {"spec_verify"}),
        (
            "spec_verify",
            GUARDED + "  spec_verify: {builtin: spec_verify, level: L4}\n",
            {"spec_verify", "test"},
        ),
    ],
)
def test_gates_that_run_tests_are_repeated_with_the_guard_of_tests(
    gate: str, text: str, asked: set[str]
) -> None:
    world = losing(
        LOST, gate=gate, text=text.replace("make test\n", "make test\n    junit: true\n")
    )
    say(world, "/headgate retry")
    names = {g.name for g in world.gate_order(world.open_orders(GateOrder)[0]).gates}
    assert names == asked
