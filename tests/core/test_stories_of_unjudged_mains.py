"""A main that no runner judged: people are told to check the runner and how to judge main again."""

import pytest

from action.order import AgentOrder, GateOrder
from action.report import AgentEnding
from bot.core.journal.effects import EditIssue
from bot.core.state.observed import Hint, HintKind
from bot.core.talk import issues
from bot.core.values.check_button import Button, Press
from bot.core.values.ids import OrderId, Sha
from bot.core.values.lifecycle import ChangeState
from gates.result import Ending
from tests.core.kit import EVERYTHING, World, approved
from tests.core.values import beside


def _order_of_main(world: World) -> OrderId:
    return next(o for o in world.open_orders(GateOrder) if world.state.orders[o].change is None)


def _lost(world: World) -> None:
    """Its runner goes away."""
    world.lease(_order_of_main(world))
    world.settle()
    world.pass_time(100)
    world.settle()


def _fails_at_once(world: World) -> None:
    """Its runner reports, and has begun no gate."""
    world.lease(_order_of_main(world))
    world.judge_nothing(_order_of_main(world))
    world.settle()


def unjudged(how: str) -> tuple[World, Sha]:
    world = approved(beside(1))
    sha = world.push_code("by hand")
    world.settle()
    for _ in range(3):
        (_lost if how == "lost" else _fails_at_once)(world)
    assert world.state.frozen is not None
    return world, sha


def _first_line(world: World) -> str:
    told = [e for e in world.intended if isinstance(e, EditIssue) and e.region == issues.NOW]
    return told[-1].text


def _press_re_run(world: World, sha: Sha) -> None:
    pressed = Press(button=Button.AGAIN, sha=sha, external_id=f"main:{sha}", person="ann")
    world.tick((*EVERYTHING, Hint(kind=HintKind.BUTTON, press=pressed)))
    world.settle()


@pytest.mark.parametrize("how", ["lost", "fails at once"])
class TestAdvice:
    def test_the_first_line_names_the_runner_and_how_to_judge_main_again(self, how: str) -> None:
        world, sha = unjudged(how)
        said = _first_line(world)
        assert "fix main" not in said
        assert "**To do:** find out why no runner completed the gates of main" in said
        assert f"*Re-run* at the check run `headgate/verdict` of main at {sha[:12]}" in said
        assert "`git commit --allow-empty`" in said

    def test_the_comment_about_an_unjudged_main_does_not_suggest_a_revert(self, how: str) -> None:
        world, _ = unjudged(how)
        said = world.replies()
        assert "**The queue is frozen.**" in said
        assert "git revert" not in said
        assert "Find out why no runner completed its gates" in said

    def test_why_gives_the_same_advice_about_an_unjudged_main(self, how: str) -> None:
        world, sha = unjudged(how)
        world.hand_in(world.open_orders(AgentOrder)[0], AgentEnding.GAVE_UP, "It cannot be done")
        world.settle()
        world.say(world.run.issue or 0, f"/headgate why {world.change('R0').slug}")
        world.settle()
        said = world.posted[-1][1]
        assert "when main is fixed" not in said
        assert (
            "Find out why no runner completed the gates of main, and then press *Re-run* at "
            "the check run" in said
        )
        assert f"of main at {sha[:12]}" in said


def test_a_red_main_still_asks_for_a_repair() -> None:
    world = approved(beside(1))
    sha = world.push_code("broken")
    world.settle()
    world.judge(_order_of_main(world), test=Ending.FAILED)
    world.settle()
    assert "**To do:** fix main: main at" in _first_line(world)
    assert f"git revert {sha}" in world.replies()


@pytest.mark.parametrize("how", ["lost", "fails at once"])
@pytest.mark.parametrize("what", ["press", "empty commit"])
def test_following_the_advice_judges_main_again(how: str, what: str) -> None:
    world, sha = unjudged(how)
    if what == "press":
        assert world.check_runs[f"main:{sha}"].name == "headgate/verdict"
        _press_re_run(world, sha)
    else:
        world.push(Sha("e" * 40))
        world.settle()
    world.judge(_order_of_main(world))
    world.settle()
    assert world.state.frozen is None
    world.work()
    assert world.change("R0").state is ChangeState.LANDED
