"""An order describes the gates, the other changes, and the end of earlier attempts."""

from action.order import AgentOrder, GateOrder
from action.report import AgentEnding
from gates.result import Ending
from tests.core.kit import approved
from tests.core.values import GATES, beside


def test_an_order_names_the_gates_that_will_judge_the_work() -> None:
    world = approved(beside(1))

    told = world.agent_order().gates

    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    assert told == world.gate_order().gates
    assert told


def test_an_order_names_the_other_changes_and_what_landed() -> None:
    world = approved(beside(3), f"{GATES}max_parallel: 1\n")
    first = world.change("R0").planned.title
    others = {world.change(f"R{n}").planned.title for n in (1, 2)}
    assert {one.title for one in world.agent_order().brief.siblings} == others
    assert world.agent_order().brief.landed == ()

    for _ in range(2):
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        world.judge(world.open_orders(GateOrder)[0])
        world.settle()

    # The second change was ordered while the first was judged; the third comes after it.
    assert first in world.agent_order(world.agent_order_of("R2")).brief.landed


def test_a_later_attempt_gets_a_summary_of_every_earlier_one() -> None:
    world = approved(beside(1), f"{GATES}attempts_max: 3\n")
    for _ in range(2):
        world.hand_in(world.open_orders(AgentOrder)[0])
        world.settle()
        world.judge(world.open_orders(GateOrder)[0], test=Ending.FAILED)
        world.settle()

    attempts = world.agent_order().brief.attempts

    assert [line.partition(":")[0] for line in attempts] == ["Attempt 1", "Attempt 2"]
    assert all("Gate test was red" in line for line in attempts)


def test_the_end_of_an_attempt_is_described_in_words() -> None:
    world = approved(beside(1))
    world.leave_work(world.open_orders(AgentOrder)[0], AgentEnding.OUT_OF_TURNS, "It was cut off.")
    world.settle()
    assert world.agent_order().brief.attempts[0].startswith("Attempt 1: out of turns. It was cut")
