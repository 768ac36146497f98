"""Stories of smoke gates: they run on main after a landing, and a red one freezes the queue."""

import pytest

from action.order import GateOrder
from bot.core.journal import events as ev
from bot.core.journal.effects import OpenIssue
from bot.core.journal.evolve import fold
from bot.core.state.observed import Hint, HintKind
from bot.core.state.queue_view import Wait, queue_view
from bot.core.state.reason import Cause, reason_of
from bot.core.talk.queue_issue import queue_text
from bot.core.talk.replies import why_reply
from bot.core.values.check_button import Button, Press
from bot.core.values.freeze import FreezeCause
from bot.core.values.ids import OrderId, PullNumber
from bot.core.values.lifecycle import ChangeState as S, OfferStage, QueuedPullState as P
from bot.core.values.smoke import SmokeOutcome
from gates.result import Ending
from tests.core.kit import EVERYTHING, World, judging
from tests.core.queued_pulls import judge_pull, pull_of, queue_pulls
from tests.core.values import GATES, policy, policy_refusal, sha

ONCE = f"{GATES}smoke:\n  serves: {{run: make smoke, repeat: 0}}\n"
TWICE = f"{GATES}smoke:\n  serves: {{run: make smoke}}\n"


def _smoke_orders(world: World) -> list[OrderId]:
    return [id_ for id_ in world.open_orders(GateOrder) if world.state.orders[id_].is_smoke]


def _issues(world: World) -> list[OpenIssue]:
    return [e for e in world.intended if isinstance(e, OpenIssue) and e.slug.startswith("smoke ")]


def _landed(world: World, name: str) -> PullNumber:
    (number,) = queue_pulls(world, name)
    judge_pull(world, number)
    assert pull_of(world, number).state is P.LANDED
    return PullNumber(number)


def _smoke(world: World, ending: Ending) -> None:
    """The one smoke order that is out ends so."""
    (order,) = _smoke_orders(world)
    world.judge(order, serves=ending)
    world.settle()


def _check(world: World) -> tuple[str, str | None]:
    text = world.check_runs[f"smoke:{world.main[-1].sha}"]
    return text.name, text.conclusion


class TestAfterALanding:
    def test_smoke_gates_run_on_the_current_main(self) -> None:
        world = World(ONCE)
        world.settle()
        assert not _smoke_orders(world)
        _landed(world, "mend")
        (order,) = _smoke_orders(world)
        asked = world.gate_order(order)
        assert [gate.name for gate in asked.gates] == ["serves"]
        assert asked.candidate_sha == world.main[-1].sha
        assert asked.candidate_ref == "refs/heads/main"
        _smoke(world, Ending.PASSED)
        assert _check(world) == ("headgate/smoke", "success")
        assert not world.state.freezes
        assert not _smoke_orders(world)

    def test_smoke_gates_judge_no_candidate(self) -> None:
        world = World(ONCE)
        queue_pulls(world, "mend")
        (order,) = world.open_orders(GateOrder)
        assert "serves" not in [gate.name for gate in world.gate_order(order).gates]
        assert not world.state.orders[order].is_smoke

    def test_pushes_by_people_run_no_smoke_gates(self) -> None:
        world = World(ONCE)
        world.push_code("by hand")
        world.settle()
        assert not _smoke_orders(world)

    def test_landings_do_not_wait_for_smoke_gates_and_the_newest_main_is_next(self) -> None:
        world = World(ONCE)
        _landed(world, "one")
        (first,) = _smoke_orders(world)
        _landed(world, "two")
        _landed(world, "three")
        assert _smoke_orders(world) == [first]
        world.judge(first)
        world.settle()
        (second,) = _smoke_orders(world)
        assert world.gate_order(second).candidate_sha == world.main[-1].sha

    def test_the_state_keeps_only_the_newest_smoke_run(self) -> None:
        world = World(ONCE)
        for name in ("one", "two", "three"):
            _landed(world, name)
            _smoke(world, Ending.PASSED)
        assert sum(order.is_smoke for order in world.state.orders.values()) == 1
        assert sum(subject.startswith("check:smoke:") for subject in world.state.published) == 1

    def test_an_unfinished_order_is_removed_with_a_later_one(self) -> None:
        world = World(ONCE)
        _landed(world, "one")
        (first,) = _smoke_orders(world)
        others = [
            ev.SmokeOrdered(
                sha=sha(f"main {n}"),
                order=OrderId(f"o90{n}"),
                definition_hash="",
                asked_hash="",
                placed_at=world.now,
            )
            for n in range(2)
        ]
        beside = fold(others[:1], world.state)
        assert first in beside.orders
        judged = ev.SmokeJudged(
            sha=world.main[-1].sha,
            order=first,
            outcome=SmokeOutcome.GREEN,
            results=(),
            sentence="",
        )
        after = fold([judged, *others[1:]], beside)
        assert [o for o, one in after.orders.items() if one.is_smoke] == ["o900", "o901"]


class TestRed:
    def test_a_red_smoke_gate_freezes_the_queue_and_opens_an_issue(self) -> None:
        world = World(ONCE)
        number = _landed(world, "mend")
        _smoke(world, Ending.FAILED)
        assert _check(world) == ("headgate/smoke", "failure")
        assert set(world.state.freezes) == {FreezeCause.SMOKE}
        (issue,) = _issues(world)
        assert issue.title == f"Smoke gates are red after the landing of pull request #{number}"
        assert world.main[-1].sha[:10] in issue.body
        assert f"the landing of pull request #{number}, queued by @ann" in issue.body
        (other,) = queue_pulls(world, "other")
        judge_pull(world, other)
        assert pull_of(world, other).state is P.QUEUED
        assert [one.waits_for for one in queue_view(world.state, world.now)] == [Wait.SMOKE]
        assert "after the landing of pull" in queue_text(world.state, policy(), world.now)

    def test_the_incident_names_the_landed_change_and_its_approver(self) -> None:
        world, order = judging()
        world.policy_text = ONCE
        world.settle()
        world.judge(order)
        world.settle()
        while not _smoke_orders(world):
            for gates in world.open_orders(GateOrder):
                world.judge(gates)
            world.settle()
        landed = next(c for c in world.state.changes.values() if c.state is S.LANDED)
        _smoke(world, Ending.FAILED)
        (issue,) = _issues(world)
        assert f"the landing of change {landed.slug} (#{landed.pull})" in issue.body
        assert f"approved by @{world.run.approved_by}" in issue.body

    def test_a_queued_change_says_why_it_does_not_land(self) -> None:
        world, _ = judging()
        world.policy_text = ONCE
        _landed(world, "mend")
        _smoke(world, Ending.FAILED)
        for gates in world.open_orders(GateOrder):
            world.judge(gates)
            world.settle()
        change = world.change("R0")
        assert world.stage("R0") is OfferStage.QUEUED
        assert reason_of(world.state, change).cause is Cause.SMOKE
        said = why_reply(world.state, policy(), change)
        assert "after the landing of pull" in said

    def test_all_landings_since_the_last_green_smoke_run_are_named(self) -> None:
        world = World(ONCE)
        before = _landed(world, "before")
        _smoke(world, Ending.PASSED)
        one = _landed(world, "one")
        (first,) = _smoke_orders(world)
        two = _landed(world, "two")
        world.ended_runs[first] = "cancelled"
        world.lease(first)
        world.settle()
        _smoke(world, Ending.FAILED)
        (issue,) = _issues(world)
        assert f"pull request #{one}" in issue.body
        assert f"pull request #{two}" in issue.body
        assert f"pull request #{before}," not in issue.body

    def test_red_smoke_gates_count_after_a_second_run(self) -> None:
        world = World(TWICE)
        _landed(world, "mend")
        _smoke(world, Ending.FAILED)
        assert not world.state.freezes
        _smoke(world, Ending.FAILED)
        assert FreezeCause.SMOKE in world.state.freezes
        assert not _smoke_orders(world)

    def test_a_flaky_smoke_gate_does_not_freeze_the_queue(self) -> None:
        world = World(TWICE)
        _landed(world, "mend")
        _smoke(world, Ending.FAILED)
        _smoke(world, Ending.PASSED)
        assert not world.state.freezes
        assert _check(world) == ("headgate/smoke", "success")


class TestEndOfTheFreeze:
    def test_a_green_smoke_run_on_a_later_main_ends_the_freeze(self) -> None:
        world = World(ONCE)
        _landed(world, "mend")
        _smoke(world, Ending.FAILED)
        world.push_code("by hand")
        world.settle()
        for order in world.open_orders(GateOrder):
            if not world.state.orders[order].is_smoke:
                world.judge(order)
        world.settle()
        assert set(world.state.freezes) == {FreezeCause.SMOKE}
        _smoke(world, Ending.PASSED)
        assert not world.state.freezes

    def test_smoke_gates_run_again_after_a_person_unfreezes_the_queue(self) -> None:
        world = World(ONCE)
        number = _landed(world, "mend")
        _smoke(world, Ending.FAILED)
        world.say(number, "/headgate unfreeze")
        world.settle()
        assert not world.state.freezes
        _landed(world, "repair")
        _smoke(world, Ending.FAILED)
        assert FreezeCause.SMOKE in world.state.freezes
        assert len(_issues(world)) == 2

    def test_repeated_red_smoke_runs_share_one_issue(self) -> None:
        world = World(ONCE)
        _landed(world, "mend")
        _smoke(world, Ending.FAILED)
        world.push_code("by hand")
        world.settle()
        _smoke(world, Ending.FAILED)
        assert set(world.state.freezes) == {FreezeCause.SMOKE}
        assert len(_issues(world)) == 1

    def test_a_smoke_freeze_and_a_persons_freeze_end_independently(self) -> None:
        world = World(ONCE)
        number = _landed(world, "mend")
        _smoke(world, Ending.FAILED)
        world.say(number, "/headgate freeze")
        world.push_code("by hand")
        world.settle()
        _smoke(world, Ending.PASSED)
        assert set(world.state.freezes) == {FreezeCause.PERSON}


class TestNotRun:
    def test_smoke_gates_that_did_not_run_are_reported_without_a_freeze(self) -> None:
        world = World(ONCE)
        _landed(world, "mend")
        _smoke(world, Ending.COULD_NOT_RUN)
        assert not world.state.freezes
        assert not _issues(world)
        assert _check(world) == ("headgate/smoke", "action_required")
        assert "**The smoke gates did not run**" in queue_text(world.state, policy(), world.now)
        tip = world.main[-1].sha
        press = Press(button=Button.AGAIN, sha=tip, external_id=f"smoke:{tip}", person="ann")
        world.tick((*EVERYTHING, Hint(kind=HintKind.BUTTON, press=press)))
        world.settle()
        _smoke(world, Ending.PASSED)
        assert _check(world) == ("headgate/smoke", "success")

    def test_a_smoke_order_lost_three_times_counts_as_not_run(self) -> None:
        world = World(ONCE)
        _landed(world, "mend")
        for _ in range(3):
            (order,) = _smoke_orders(world)
            world.lease(order)
            world.settle()
            world.ended_runs[order] = "cancelled"
            world.settle()
        assert not _smoke_orders(world)
        assert not world.state.freezes
        assert _check(world) == ("headgate/smoke", "action_required")


class TestThePolicy:
    def test_files_started_by_a_smoke_gate_are_steering_files(self) -> None:
        assert "make smoke" in policy(ONCE).all_lines
        assert policy(ONCE).of_pulls().all_lines == ("make test", "make lint", "make smoke")

    @pytest.mark.parametrize("cwd", ["/srv", "../up"])
    def test_a_smoke_gate_folder_outside_the_repository_is_refused(self, cwd: str) -> None:
        text = f"{GATES}smoke:\n  serves: {{run: make smoke, cwd: {cwd}}}\n"
        (finding,) = policy_refusal(text).findings
        assert "In which folder" in finding.question
