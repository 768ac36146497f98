"""A change with steering files waits for a person, and a shadowing file cannot be allowed."""

from action.order import AgentOrder, GateOrder
from bot.core.journal.events import FailureReason
from bot.core.journal.state import ChangeFacts
from bot.core.values.lifecycle import ChangeState, SpecRunState
from bot.core.values.repository import Role
from bot.core.values.steering import Steering
from tests.core.kit import World, approved
from tests.core.values import GATES, beside

S = ChangeState
HOOK = Steering(runner=("tests/conftest.py",), digest="a hook")
INSTALL = Steering(setup=("setup.py",), digest="an installer")
SHADOW = Steering(shadows=("pytest.py",), runner=("gate.sh",), digest="a shadow")
WITH_SETUP = GATES + "setup: [pip install -e .]\n"


def handed_in(steering: Steering, policy_text: str = GATES) -> World:
    """One change, of which the work steers its judgement."""
    world = approved(beside(1), policy_text)
    order = world.open_orders(AgentOrder)[0]
    world.steering[world.change("R0").id] = steering
    world.hand_in(order)
    world.settle()
    return world


def shown(world: World) -> str:
    candidate = world.candidate("R0")
    return candidate.sha


def say(world: World, text: str, role: Role = Role.WRITE) -> ChangeFacts:
    world.say(int(world.run.issue or 0), text, role=role)
    world.settle()
    return world.change("R0")


def test_no_gate_runs_before_a_person_has_read_the_files() -> None:
    world = handed_in(HOOK)
    change = world.change("R0")
    assert world.open_orders(GateOrder) == []
    assert (change.state, change.failure) == (S.FAILED, FailureReason.STEERED)
    assert "`tests/conftest.py`" in change.sentence
    assert f"/headgate allow {shown(world)[:12]}" in change.sentence
    verdict = next(t for t in world.check_runs.values() if t.name == "headgate/verdict")
    assert verdict.title == "This commit changes how it is judged"


def test_a_shadowing_file_alone_stops_the_work() -> None:
    world = handed_in(Steering(shadows=("pytest.py",)))
    assert world.change("R0").failure is FailureReason.STEERED
    assert "`pytest.py`" in world.change("R0").sentence


def test_allowed_steering_files_land_with_a_ledger_entry() -> None:
    world = handed_in(HOOK)
    say(world, f"/headgate allow {shown(world)[:7]}")
    assert world.run.state is SpecRunState.RUNNING
    world.work()
    assert world.change("R0").state is S.LANDED
    assert world.change("R0").attempt == 1
    assert world.state.ledger[-1].allowed == ("tests/conftest.py by @ann",)


def test_other_contents_need_another_permission() -> None:
    world = handed_in(HOOK)
    say(world, f"/headgate allow {shown(world)}")
    world.steering[world.change("R0").id] = HOOK.replace(digest="another hook")
    world.push_code("another's work")
    world.work()
    assert world.change("R0").failure is FailureReason.STEERED


def test_a_file_that_shadows_steering_cannot_be_allowed() -> None:
    world = handed_in(SHADOW)
    change = say(world, f"/headgate allow {shown(world)}")
    assert change.state is S.FAILED
    assert "This cannot be allowed" in world.replies()
    assert not world.wrote("SteeringAllowed")


def test_an_allow_command_without_a_waiting_commit_is_refused() -> None:
    world = handed_in(HOOK)
    for words in ("", shown(world)[:6], "f" * 40):
        assert say(world, f"/headgate allow {words}").state is S.FAILED
    assert say(world, f"/headgate allow {shown(world)}", Role.READ).state is S.FAILED
    assert not world.wrote("SteeringAllowed")
    assert f"Waiting: `{shown(world)[:12]}`" in world.replies()


def test_allowing_steering_files_twice_is_answered() -> None:
    world = handed_in(HOOK)
    first = shown(world)
    say(world, f"/headgate allow {first}")
    say(world, f"/headgate allow {shown(world)}")
    assert len(world.wrote("SteeringAllowed")) == 1
    assert "@ann already allowed these files" in world.replies()


def test_a_commit_without_such_files_cannot_be_allowed() -> None:
    world = handed_in(Steering())
    say(world, f"/headgate allow {shown(world)}")
    assert not world.wrote("SteeringAllowed")


def test_setup_runs_on_main_unless_a_person_allowed_its_files() -> None:
    world = handed_in(Steering(), WITH_SETUP)
    base = world.state.main
    order = world.gate_order(world.open_orders(GateOrder)[0])
    assert (order.setup_sha, order.diff_base_sha) == (base, base)
    assert all(o.setup_sha == base for o in world.orders.values() if isinstance(o, AgentOrder))

    world = handed_in(INSTALL, WITH_SETUP)
    assert "setup depends" in world.change("R0").sentence
    say(world, f"/headgate allow {shown(world)}")
    assert world.gate_order(world.open_orders(GateOrder)[0]).setup_sha == ""


def test_a_retried_agent_starts_with_the_setup_of_main() -> None:
    world = handed_in(INSTALL, WITH_SETUP)
    say(world, "/headgate retry agent")
    newest = world.agent_order(world.open_orders(AgentOrder)[0])
    assert newest.attempt == 2
    assert newest.setup_sha == world.state.main
