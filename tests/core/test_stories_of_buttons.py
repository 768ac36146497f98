"""Check runs that people can use: Re-run judges again; Retry and Explain are the commands."""

import json

import pytest

from action.order import AgentOrder, GateOrder
from bot.core.journal import events as ev
from bot.core.state.observed import Hint, HintKind
from bot.core.state.webhook import read_delivery
from bot.core.values.check_button import Button, Press
from bot.core.values.lifecycle import ChangeState, OfferStage
from bot.core.values.repository import Role
from gates.result import Ending
from tests.core.kit import EVERYTHING, World, approved, judging
from tests.core.values import FACTS, GATES, beside

S = ChangeState


def press(
    world: World,
    button: Button,
    person: str = "ann",
    *,
    is_suite: bool = False,
    sha: str = "",
    gate: str = "",
) -> None:
    """Somebody presses a button on the verdict of the change's newest candidate."""
    change = world.change("R0")
    candidate = world.candidate(change)
    id_ = "" if is_suite else f"{change.id}:{candidate.number}"
    id_ += f":{gate}" if gate else ""
    pressed = Press(button=button, sha=sha or candidate.sha, external_id=id_, person=person)
    world.pass_time(5)
    world.tick((*EVERYTHING, Hint(kind=HintKind.BUTTON, press=pressed)))
    world.settle()


def failed() -> World:
    """A world whose only change has failed: a gate was red."""
    world = approved(beside(1), GATES + "attempts_max: 1\nreplan_cycles_max: 0\n")
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    for _ in range(3):
        for order in world.open_orders(GateOrder):
            world.judge(order, test=Ending.FAILED)
        world.settle()
    assert world.change("R0").state is S.FAILED
    return world


def green() -> World:
    """A world whose change has passed and waits: its landing is refused for now."""
    world, order = judging()
    world.refusals["LandCandidate"] = "GitHub refused to move main."
    world.judge(order)
    world.settle()
    assert world.stage("R0") is OfferStage.QUEUED
    return world


class TestReRun:
    @pytest.mark.parametrize("is_suite", [False, True])
    def test_re_run_judges_a_passed_candidate_again_with_every_gate(self, is_suite: bool) -> None:
        world = green()
        assert world.open_orders(GateOrder) == []
        press(world, Button.AGAIN, is_suite=is_suite)
        (order,) = world.open_orders(GateOrder)
        change = world.change("R0")
        assert world.gate_order(order).candidate_sha == world.candidate(change).sha
        assert len(world.gate_order(order).gates) == len(world.policy.gates)  # type: ignore[union-attr]

    def test_pressing_re_run_twice_orders_the_gates_once(self) -> None:
        world = green()
        press(world, Button.AGAIN)
        press(world, Button.AGAIN)
        assert len(world.open_orders(GateOrder)) == 1
        assert sum(isinstance(event, ev.GatesAskedAgain) for event in world.journal) == 1

    def test_re_run_of_a_failed_change_judges_its_existing_work(self) -> None:
        world = failed()
        press(world, Button.AGAIN)
        assert world.open_orders(AgentOrder) == []
        (order,) = world.open_orders(GateOrder)
        world.judge(order)
        world.work()
        assert world.change("R0").state is S.LANDED

    def test_re_run_of_a_red_main_judges_it_again(self) -> None:
        world = approved(beside(1))
        main = world.push_code("broken")
        world.settle()
        for _ in range(2):
            for order in world.open_orders(GateOrder):
                world.judge(order, test=Ending.FAILED)
            world.settle()
        assert world.state.frozen is not None
        pressed = Press(button=Button.AGAIN, sha=main, external_id=f"main:{main}", person="ann")
        world.tick((*EVERYTHING, Hint(kind=HintKind.BUTTON, press=pressed)))
        world.settle()
        (order,) = world.open_orders(GateOrder)
        assert world.gate_order(order).candidate_sha == main
        world.judge(order)
        world.settle()
        assert world.state.frozen is None

    def test_re_run_while_an_agent_works_is_refused(self) -> None:
        world, order = judging()
        world.judge(order, test=Ending.FAILED)
        world.settle()
        for again in world.open_orders(GateOrder):
            world.judge(again, test=Ending.FAILED)
        world.settle()
        agents = world.open_orders(AgentOrder)
        press(world, Button.AGAIN)
        assert world.open_orders(AgentOrder) == agents
        assert "waiting" in world.posted[-1][1] or "work" in world.posted[-1][1]


class TestButtons:
    def test_retry_opens_a_failed_change_again(self) -> None:
        world = failed()
        press(world, Button.RETRY)
        assert world.stage("R0") is OfferStage.JUDGING

    def test_explain_says_why_in_the_changes_issue(self) -> None:
        world = green()
        press(world, Button.EXPLAIN)
        issue, text = world.posted[-1]
        assert issue == world.change("R0").issue
        assert "GitHub refused to move main" in text

    @pytest.mark.parametrize("button", list(Button))
    def test_a_button_has_no_effect_without_write_access(self, button: Button) -> None:
        world = failed()
        world.roles["eve"] = Role.TRIAGE
        said = len(world.posted)
        press(world, button, "eve")
        assert world.change("R0").state is S.FAILED
        assert len(world.posted) == said

    def test_every_verdict_has_buttons_and_links_to_the_issue(self) -> None:
        world = failed()
        change = world.change("R0")
        verdict = world.check_runs[f"{change.id}:1"]
        assert [a.label for a in verdict.actions] == ["Retry", "Explain"]
        assert all(len(a.description) <= 40 for a in verdict.actions)
        assert all(len(a.identifier) <= 20 for a in verdict.actions)
        assert verdict.details_url == f"{FACTS.html_url}/issues/{change.issue}"


def delivered(event: str, **payload: object) -> tuple[Hint, ...]:
    body = {"repository": {"id": 7}, "sender": {"type": "User", "login": "ada"}, **payload}
    read = read_delivery(event, json.dumps(body).encode())
    assert read is not None
    return read.hints


RUN = {"head_sha": "ab" * 20, "external_id": "shop@1/till:2"}


class TestDeliveries:
    @pytest.mark.parametrize(
        ("event", "payload", "button"),
        [
            ("check_run", {"action": "rerequested", "check_run": RUN}, Button.AGAIN),
            ("check_suite", {"action": "rerequested", "check_suite": RUN}, Button.AGAIN),
            (
                "check_run",
                {
                    "action": "requested_action",
                    "check_run": RUN,
                    "requested_action": {"identifier": "retry"},
                },
                Button.RETRY,
            ),
        ],
    )
    def test_a_press_is_a_hint_with_all_that_was_pressed(
        self, event: str, payload: dict[str, object], button: Button
    ) -> None:
        (hint,) = delivered(event, **payload)
        assert hint.press == Press(
            button=button, sha=RUN["head_sha"], external_id=RUN["external_id"], person="ada"
        )

    @pytest.mark.parametrize(
        ("event", "payload"),
        [
            ("check_run", {"action": "created", "check_run": RUN}),
            ("check_run", {"action": "rerequested", "check_run": {}}),
            (
                "check_run",
                {
                    "action": "rerequested",
                    "check_run": RUN,
                    "sender": {"type": "Bot", "login": "renovate[bot]"},
                },
            ),
            ("check_suite", {"action": "requested", "check_suite": RUN}),
            (
                "check_run",
                {
                    "action": "requested_action",
                    "check_run": RUN,
                    "requested_action": {"identifier": "format the disk"},
                },
            ),
        ],
    )
    def test_other_check_run_deliveries_give_no_hint(
        self, event: str, payload: dict[str, object]
    ) -> None:
        assert delivered(event, **payload) == ()
