"""A red result on an outdated main does not count."""

from action.order import AgentOrder, GateOrder
from bot.core.values.ids import OrderId
from bot.core.values.lifecycle import ChangeState as S, OfferStage
from bot.core.values.repository import Role
from gates.result import Ending
from tests.core.kit import World, approved
from tests.core.queued_pulls import judge_pull, queue_pulls
from tests.core.values import beside


def red_on_an_older_main() -> World:
    """Somebody pushes while the gates run, and then they are red."""
    world = approved(beside(1))
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    (order,) = world.open_orders(GateOrder)
    world.lease(order)
    world.settle()
    world.push_code("by hand")
    world.settle()
    world.judge(order, test=Ending.FAILED)
    world.settle()
    return world


def its_order(world: World) -> OrderId:
    return next(o for o in world.open_orders(GateOrder) if world.state.orders[o].change)


def main_order(world: World) -> OrderId:
    return next(o for o in world.open_orders(GateOrder) if not world.state.orders[o].change)


def test_a_red_change_is_judged_again_on_the_current_main() -> None:
    world = red_on_an_older_main()
    change = world.change("R0")
    assert (world.stage(change), change.attempt, change.retry) == (OfferStage.JUDGING, 1, None)
    assert world.candidate("R0").base == world.state.main
    assert world.wrote("CandidateFailed") == []


def test_results_for_the_same_diff_are_reused_on_the_current_main() -> None:
    world = red_on_an_older_main()
    names = [gate.name for gate in world.gate_order(its_order(world)).gates]
    assert names == ["test", "lint"]


def test_a_change_that_passes_on_the_current_main_lands() -> None:
    world = red_on_an_older_main()
    world.judge(its_order(world))
    world.judge(main_order(world))
    world.settle()
    assert world.change("R0").state is S.LANDED
    assert world.change("R0").attempt == 1


def test_a_red_result_on_the_current_main_counts_once_main_is_judged() -> None:
    world = red_on_an_older_main()
    world.judge(its_order(world), test=Ending.FAILED)
    world.settle()
    assert world.change("R0").attempt == 1
    world.judge(main_order(world))
    world.settle()
    assert len(world.wrote("CandidateFailed")) == 1
    assert world.change("R0").attempt == 2


def test_later_landings_do_not_cause_another_judgement() -> None:
    world = approved(beside(1))
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    (order,) = world.open_orders(GateOrder)
    world.lease(order)
    world.settle()
    (number,) = queue_pulls(world, "mend", said="/headgate queue priority 9")
    world.say(number, "/headgate now", role=Role.MAINTAIN)
    world.settle()
    judge_pull(world, number)
    assert world.main[-1].sha == world.state.main != world.candidate("R0").base
    world.judge(order, test=Ending.FAILED)
    world.settle()
    assert world.wrote("CandidateVoided") == []
    assert len(world.wrote("CandidateFailed")) == 1
    assert world.change("R0").attempt == 2
