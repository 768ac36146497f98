"""Incident issues end with the incident, and smoke gates are repeated until they pass."""

from datetime import timedelta

import pytest

from action.order import GateOrder
from bot.core.decide.decide import wake_at
from bot.core.journal.branches import on
from bot.core.journal.effects import CloseIssue, OpenIssue
from bot.core.journal.evolve import fold
from bot.core.journal.state import RepositoryState, snapshot_of, state_of
from bot.core.state.observed import Hint, HintKind
from bot.core.values.check_button import Button, Press
from bot.core.values.freeze import FreezeCause
from bot.core.values.ids import OrderId, PullNumber
from bot.core.values.lifecycle import QueuedPullState as P
from gates.result import Ending
from tests.core.kit import EVERYTHING, World, read_good
from tests.core.queued_pulls import gates_of_pull
from tests.core.test_stories_of_branches import RELEASE, SERVED, queue, served
from tests.core.values import sha

SMOKE = f"{SERVED}smoke:\n  serves: {{run: make smoke, repeat: 0}}\n"
BRANCHES = ["main", RELEASE]


def _there(world: World, branch: str) -> RepositoryState:
    return on(world.state, "" if branch == "main" else branch)


def _land(world: World, name: str, branch: str) -> int:
    number = queue(world, name, branch)
    world.judge(gates_of_pull(world, number))
    world.settle()
    assert _there(world, branch).queued_pulls[PullNumber(number)].state is P.LANDED
    return number


def _smoke_orders(world: World) -> list[OrderId]:
    return [id_ for id_ in world.open_orders(GateOrder) if world.state.orders[id_].is_smoke]


def _smoke(world: World, ending: Ending) -> None:
    (order,) = _smoke_orders(world)
    world.judge(order, serves=ending)
    world.settle()


def _lose(world: World) -> None:
    (order,) = _smoke_orders(world)
    world.lease(order)
    world.settle()
    world.ended_runs[order] = "cancelled"
    world.settle()


def _issues(world: World) -> list[OpenIssue]:
    opened = [e for e in world.intended if isinstance(e, OpenIssue)]
    return [e for e in opened if e.slug.startswith(("smoke ", "adopted "))]


def _closed(world: World) -> list[str]:
    return [e.slug for e in world.intended if isinstance(e, CloseIssue)]


def _push(world: World, branch: str, name: str) -> None:
    if branch == "main":
        world.push_code(name)
    else:
        world.push_to(branch, sha(f"code {name}"), "src/by_hand.py")
    world.settle()


def _set_policy(world: World, branch: str, text: str) -> None:
    """The policy on the branch is another."""
    if branch == "main":
        world.policy_text = text
    else:
        world.policies_of[branch] = text
    world.settle()


def _judge_what_was_pushed(world: World) -> None:
    for order in world.open_orders(GateOrder):
        facts = world.state.orders[order]
        if facts.pull is None and not facts.is_smoke:
            world.judge(order)
    world.settle()


@pytest.mark.parametrize("branch", BRANCHES)
class TestSmoke:
    def test_a_red_smoke_gate_freezes_only_the_branch_of_the_landing(self, branch: str) -> None:
        world = served(SMOKE)
        number = _land(world, "mend", branch)
        (order,) = _smoke_orders(world)
        assert world.gate_order(order).candidate_ref == f"refs/heads/{branch}"
        _smoke(world, Ending.FAILED)
        assert set(_there(world, branch).freezes) == {FreezeCause.SMOKE}
        other = RELEASE if branch == "main" else "main"
        assert not _there(world, other).freezes
        (issue,) = _issues(world)
        assert f"the landing of pull request #{number}" in issue.title
        tip = str(_there(world, branch).main)
        told = f"smoke:{tip}" if branch == "main" else f"smoke:{branch}:{tip}"
        assert world.check_runs[told].conclusion == "failure"
        assert state_of(snapshot_of(world.state)) == world.state == fold(world.journal)

    def test_a_red_smoke_gate_is_repeated_with_growing_delays(self, branch: str) -> None:
        world = served(SMOKE)
        _land(world, "mend", branch)
        _smoke(world, Ending.FAILED)
        for minutes in (5, 10, 20):
            world.pass_time(60 * minutes - 1)
            world.settle()
            assert not _smoke_orders(world)
            world.pass_time(1)
            world.settle()
            _smoke(world, Ending.FAILED)
        assert len(_issues(world)) == len(world.wrote("QueueFrozen")) == 1
        world.pass_time(60 * 40)
        world.settle()
        _smoke(world, Ending.PASSED)
        assert not _there(world, branch).freezes
        assert _closed(world) == [_issues(world)[0].slug]
        assert "The smoke gates pass at" in world.replies()
        assert not world.state.incidents
        world.pass_time(100_000)
        world.settle()
        assert not _smoke_orders(world)

    def test_lost_smoke_gates_are_ordered_again(self, branch: str) -> None:
        world = served(SMOKE)
        _land(world, "mend", branch)
        for _ in range(3):
            _lose(world)
        assert not _smoke_orders(world)
        world.pass_time(300)
        world.settle()
        _lose(world)
        assert not _smoke_orders(world)
        world.pass_time(600)
        world.settle()
        _smoke(world, Ending.PASSED)
        assert not _there(world, branch).freezes

    def test_a_freeze_continues_if_smoke_gates_cannot_run_on_a_later_commit(
        self, branch: str
    ) -> None:
        world = served(SMOKE)
        _land(world, "mend", branch)
        _smoke(world, Ending.FAILED)
        _push(world, branch, "by hand")
        _judge_what_was_pushed(world)
        for _ in range(3):
            _lose(world)
        assert set(_there(world, branch).freezes) == {FreezeCause.SMOKE}
        world.pass_time(300)
        world.settle()
        _smoke(world, Ending.PASSED)
        assert not _there(world, branch).freezes

    def test_a_freeze_ends_when_the_policy_has_no_smoke_gate(self, branch: str) -> None:
        world = served(SMOKE)
        _land(world, "mend", branch)
        _smoke(world, Ending.FAILED)
        _set_policy(world, branch, "gates: [")
        assert set(_there(world, branch).freezes) == {FreezeCause.SMOKE}
        _set_policy(world, branch, SERVED)
        assert not _there(world, branch).freezes
        assert len(_closed(world)) == 1

    def test_unfreezing_at_the_incident_issue_closes_it(self, branch: str) -> None:
        world = served(SMOKE)
        _land(world, "mend", branch)
        _smoke(world, Ending.FAILED)
        (number,) = world.state.incidents.values()
        world.say(number, "/headgate unfreeze")
        world.settle()
        assert not _there(world, branch).freezes
        assert len(_closed(world)) == 1
        world.pass_time(100_000)
        world.settle()
        assert not _smoke_orders(world)

    def test_re_run_at_the_smoke_check_orders_the_gates_at_once(self, branch: str) -> None:
        world = served(SMOKE)
        _land(world, "mend", branch)
        _smoke(world, Ending.FAILED)
        tip = str(_there(world, branch).main)
        told = f"smoke:{tip}" if branch == "main" else f"smoke:{branch}:{tip}"
        press = Press(button=Button.AGAIN, sha=tip, external_id=told, person="ann")
        world.tick((*EVERYTHING, Hint(kind=HintKind.BUTTON, press=press)))
        world.settle()
        _smoke(world, Ending.PASSED)
        assert not _there(world, branch).freezes


def test_the_server_wakes_when_smoke_gates_are_asked_again() -> None:
    world = served(SMOKE)
    _land(world, "mend", RELEASE)
    _smoke(world, Ending.FAILED)
    world.pass_time(120)
    world.settle()
    at = wake_at(world.state, read_good(SMOKE), (), world.now)
    assert at == world.now + timedelta(minutes=3)


def test_smoke_gates_of_both_branches_run_side_by_side() -> None:
    world = served(SMOKE)
    _land(world, "mend", "main")
    _land(world, "fix", RELEASE)
    orders = _smoke_orders(world)
    assert [world.state.orders[o].branch_of_queue for o in orders] == ["", RELEASE]
    for order in orders:
        world.judge(order)
    world.settle()
    shown = [text.conclusion for id_, text in world.check_runs.items() if id_.startswith("smoke:")]
    assert shown == ["success", "success"]


@pytest.mark.parametrize("branch", BRANCHES)
@pytest.mark.parametrize("rule", ["tell", "freeze"])
class TestAdopted:
    def test_the_incident_issue_is_closed_when_the_commit_is_accounted_for(
        self, rule: str, branch: str
    ) -> None:
        world = served(f"{SERVED}adopted: {rule}\n")
        _push(world, branch, "by hand")
        (issue,) = _issues(world)
        assert not _closed(world)
        _judge_what_was_pushed(world)
        if rule == "freeze":
            assert not _closed(world)
            (number,) = world.state.incidents.values()
            world.say(number, "/headgate unfreeze")
            world.settle()
        assert not _there(world, branch).freezes
        assert _closed(world) == [issue.slug]
        assert f"`{branch}` has since passed its gates" in world.replies()
        assert not world.state.incidents
        assert not [subject for subject in world.state.published if "over adopted" in subject]


def test_a_smoke_run_on_one_branch_keeps_the_result_of_the_other() -> None:
    world = served(SMOKE)
    _land(world, "mend", "main")
    _smoke(world, Ending.PASSED)
    before = world.state.smoke
    _land(world, "fix", RELEASE)
    assert before is not None
    assert world.state.smoke == before
    assert before.order in world.state.orders
    assert f"check:smoke:{before.sha}" in world.state.published


UNNAMED = SMOKE.replace(f"branches: [{RELEASE}]\n", "")


def test_smoke_gates_of_a_branch_without_a_queue_by_now_freeze_no_other() -> None:
    world = served(SMOKE)
    _land(world, "mend", "main")
    _smoke(world, Ending.PASSED)
    _land(world, "fix", RELEASE)
    (order,) = _smoke_orders(world)
    world.policy_text = UNNAMED
    world.judge(order, serves=Ending.FAILED)
    world.settle()
    assert not world.state.freezes
    assert not _issues(world)
    assert not world.open_orders(GateOrder)


def test_the_issue_of_a_branch_without_a_queue_by_now_is_closed() -> None:
    world = served(SMOKE)
    _land(world, "mend", RELEASE)
    _smoke(world, Ending.FAILED)
    world.policy_text = "gates: ["
    world.settle()
    assert not _closed(world)
    world.policy_text = UNNAMED
    world.settle()
    assert len(_closed(world)) == 1
    assert "The policy no longer names `release/1`" in world.replies()
