"""Texts that GitHub accepts late are still correct at the end."""

import pytest

from action.order import AgentOrder, GateOrder
from bot.core.values.check_run import Conclusion
from bot.core.values.lifecycle import ChangeState
from tests.core.kit import World, approved
from tests.core.values import beside


def landed(late: str = "") -> World:
    """One change has landed, and effects of the type `late` were done an hour later."""
    world = approved(beside(1))
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.unreachable = {late}
    world.settle()
    world.judge(world.open_orders(GateOrder)[0])
    world.settle()
    assert world.change("R0").state is ChangeState.LANDED
    world.pass_time(3600)
    world.unreachable.clear()
    world.settle()
    return world


def shown(world: World) -> dict[str, str]:
    kinds = ("check:", "issue:", "comment:")
    return {where: text for where, text in world.state.published.items() if where.startswith(kinds)}


@pytest.mark.parametrize("late", ["PublishCheckRun", "EditIssue", "PostComment", "CloseIssue"])
def test_an_ended_run_shows_the_same_texts_despite_delays(late: str) -> None:
    world = landed(late)
    assert world.run.issue_closed
    assert shown(world) == shown(landed())


def test_a_landed_change_shows_its_verdict_even_if_it_was_published_late() -> None:
    world = landed("PublishCheckRun")
    [verdict] = [t for t in world.check_runs.values() if t.name == "headgate/verdict"]
    assert verdict.conclusion is Conclusion.SUCCESS
