"""Commits that people push to an additional branch: their verdict, and *Re-run*."""

import pytest

from action.order import GateOrder
from bot.core.journal.branches import on
from bot.core.state.observed import Hint, HintKind
from bot.core.values.check_button import Button, Press
from bot.core.values.ids import OrderId, Sha
from gates.result import Ending
from tests.core.kit import EVERYTHING, World
from tests.core.test_stories_of_branches import RELEASE, served, there
from tests.core.values import sha

BY_HAND = sha("by hand")
CHECK = f"main:{RELEASE}:{BY_HAND}"


def _order_about(world: World, commit: Sha) -> OrderId:
    (order,) = (o for o in world.open_orders(GateOrder) if world.state.orders[o].commit == commit)
    return order


def _red_by_hand() -> World:
    world = served()
    world.push_to(RELEASE, BY_HAND, "src/by_hand.py")
    world.settle()
    world.judge(_order_about(world, BY_HAND), test=Ending.FAILED)
    world.settle()
    assert there(world).frozen is not None
    return world


def _press(world: World, external_id: str) -> None:
    press = Press(button=Button.AGAIN, sha=BY_HAND, external_id=external_id, person="ann")
    world.tick((*EVERYTHING, Hint(kind=HintKind.BUTTON, press=press)))
    world.settle()


def test_a_red_commit_on_a_branch_shows_its_verdict() -> None:
    world = _red_by_hand()
    text = world.check_runs[CHECK]
    assert (text.name, text.conclusion) == ("headgate/verdict", "failure")
    assert world.check_commits[CHECK] == BY_HAND


@pytest.mark.parametrize("external_id", [CHECK, ""])
def test_re_run_of_a_red_branch_commit_judges_it_and_ends_the_freeze(external_id: str) -> None:
    world = _red_by_hand()
    _press(world, external_id)
    order = _order_about(world, BY_HAND)
    assert world.state.orders[order].branch_of_queue == RELEASE
    world.judge(order)
    world.settle()
    assert there(world).frozen is None
    assert world.check_runs[CHECK].conclusion == "success"


def test_a_commit_on_two_branches_has_two_verdicts_and_re_run_affects_one() -> None:
    world = served()
    world.policies_of[RELEASE] = str(world.policy_text).replace("make test", "make release")
    world.push(BY_HAND, "src/by_hand.py")
    world.push_to(RELEASE, BY_HAND, "src/by_hand.py", tree=world.main[-1].tree)
    world.settle()
    for _ in range(3):
        for order in world.open_orders(GateOrder):
            is_there = world.state.orders[order].branch_of_queue == RELEASE
            world.judge(order, test=Ending.FAILED if is_there else Ending.PASSED)
        world.settle()
    assert world.check_runs[f"main:{BY_HAND}"].conclusion == "success"
    assert world.check_runs[CHECK].conclusion == "failure"
    _press(world, CHECK)
    assert world.state.orders[_order_about(world, BY_HAND)].branch_of_queue == RELEASE
    assert on(world.state, "").adoptions[BY_HAND].green is True
