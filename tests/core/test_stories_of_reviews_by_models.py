"""A model reviews a candidate's diff if the policy says so; an incomplete review does not pass."""

import json
from collections.abc import Callable

import pytest

from action.order import AgentOrder, GateOrder
from bot.core.decide.decide import wake_at
from bot.core.journal.effects import AskModel, BuildCandidate
from bot.core.journal.events import (
    CandidateBuilt,
    CandidateVoided,
    ChangeFailed,
    EffectIntended,
    FailureReason,
)
from bot.core.prompts.review_prompt import ReviewPromptInput
from bot.core.state.candidates import awaited_now, reviews_awaited
from bot.core.state.reason import Cause, reason_of
from bot.core.values.ids import OrderId
from bot.core.values.lifecycle import ChangeState, OfferStage
from bot.core.values.plan_model import ChangeType
from bot.core.values.repository import Role
from gates.graded.chunks import ChangedFile
from gates.graded.rounds import Round
from gates.result import Ending
from tests.core.kit import World, approved
from tests.core.test_stories_of_acceptance import accept
from tests.core.values import GATES, beside, policy

S = ChangeState
WARNS = GATES + "  review: {review: {block: major}}\n"
ASKED = GATES + "  review: {review: {block: major}, required: true}\n"
PATH = "src/shop.py"
BAD = ChangedFile(path=PATH, before=b"a = 1\n", after=b"total = a / 0\n")
GOOD = ChangedFile(path=PATH, before=b"a = 1\n", after=b"total = a / 1\n")


def finding(quote: str = "total = a / 0", severity: str = "major", undoes: str = "") -> str:
    one = {
        "path": PATH,
        "line": 1,
        "quote": quote,
        "severity": severity,
        "message": "It divides by zero.",
        "undoes": undoes,
    }
    return json.dumps({"files": [PATH], "findings": [one]})


NOTHING = json.dumps({"files": [PATH], "findings": []})
CLOSED = json.dumps({"earlier": [{"id": "F1", "closed": True, "line": 0, "quote": ""}]})


def says(answer: str | None, earlier: str = CLOSED) -> Callable[[AskModel], str | None]:
    """A model that says this of each chunk, and of earlier findings that they are closed."""

    def model(effect: AskModel) -> str | None:
        about = effect.about
        is_earlier = isinstance(about, ReviewPromptInput) and about.round is Round.EARLIER
        return earlier if is_earlier else answer

    return model


def judged(answer: str | None, text: str = ASKED) -> World:
    """A candidate that all other gates have passed, and that a model was asked about."""
    world = approved(beside(1), text)
    world.model = says(answer)
    world.diff = (BAD,)
    hand_in(world)
    return world


def hand_in(world: World) -> None:
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    world.judge(world.open_orders(GateOrder)[0])
    world.settle()


def asked(world: World) -> list[AskModel]:
    return [e for e in world.intended if isinstance(e, AskModel)]


def test_without_the_policy_no_model_is_asked() -> None:
    world = judged(finding(), GATES)
    assert world.change("R0").state is S.LANDED
    assert asked(world) == []


def test_a_red_review_is_sent_to_an_agent_and_lands_once_closed() -> None:
    world = judged(finding())
    (order,) = world.open_orders(AgentOrder)
    told = world.agent_order(order).retry
    assert told is not None
    (red,) = told.failed_gates
    assert (red.gate, red.ending) == ("review", Ending.FAILED)
    assert [(a.path, a.line_start, a.message) for a in red.annotations] == [
        (PATH, 1, "It divides by zero.")
    ]
    world.model = says(NOTHING)
    world.diff = (GOOD,)
    hand_in(world)
    assert world.change("R0").state is S.LANDED
    assert "review" in world.state.ledger[-1].gates
    assert not any(place.startswith("review:") for place in world.state.model_advice)


def test_a_review_warning_is_reported_and_the_change_lands() -> None:
    world = judged(finding(), WARNS)
    landed = world.change("R0")
    assert landed.state is S.LANDED
    (told,) = [r for r in world.candidate(landed).results if r.gate == "review"]
    assert told.ending is Ending.FAILED


@pytest.mark.parametrize(
    ("block", "severity", "state"),
    [
        ("minor", "minor", S.ORDERED),
        ("major", "minor", S.LANDED),
        ("critical", "major", S.LANDED),
        ("critical", "critical", S.ORDERED),
    ],
)
def test_the_policy_says_which_severity_is_red(
    block: str, severity: str, state: ChangeState
) -> None:
    world = judged(finding(severity=severity), ASKED.replace("major", block))
    assert world.change("R0").state is state


def test_a_candidate_waits_while_the_model_reviews() -> None:
    for text in (WARNS, ASKED):
        world = approved(beside(1), text)
        world.model = says(NOTHING)
        world.model_thinks = True
        world.diff = (GOOD,)
        hand_in(world)
        change = world.change("R0")
        assert world.stage(change) is OfferStage.JUDGING
        assert reason_of(world.state, change, policy(text)).cause is Cause.CHECKS_AWAITED
        assert "review" in reason_of(world.state, change, policy(text)).sentence
        world.model_thinks = False
        world.settle()
        assert world.change("R0").state is S.LANDED


def test_an_unavailable_model_costs_no_attempt_and_retry_repeats_the_review() -> None:
    world = judged(None)
    failed = world.change("R0")
    (ended,) = (e for e in world.journal if isinstance(e, ChangeFailed))
    assert (failed.state, ended.reason) == (S.FAILED, FailureReason.CHECK_MISSING)
    assert failed.tries == 1
    assert "did not run: no key" in failed.sentence
    world.model = says(NOTHING)
    assert failed.issue is not None
    world.say(failed.issue, "/headgate retry")
    world.settle()
    for order in world.open_orders(GateOrder):
        world.judge(order)
    world.settle()
    assert world.change("R0").state is S.LANDED
    assert len(world.wrote("AgentOrdered")) == 1


def test_an_unavailable_model_does_not_block_with_a_warning_gate() -> None:
    world = judged(None, WARNS)
    landed = world.change("R0")
    assert landed.state is S.LANDED
    (told,) = [r for r in world.candidate(landed).results if r.gate == "review"]
    assert told.ending is Ending.COULD_NOT_RUN


def test_a_required_review_fails_on_a_server_without_a_model() -> None:
    world = approved(beside(1), ASKED)
    hand_in(world)
    assert world.change("R0").state is S.FAILED
    assert "no key for a model" in world.change("R0").sentence


def test_a_review_above_the_cost_limit_is_not_started() -> None:
    costs = ASKED.replace("block: major", "block: major, dollars_max: 0.05")
    world = judged(NOTHING, costs)
    assert world.change("R0").state is S.FAILED
    assert "to read it may cost $0." in world.change("R0").sentence
    assert "`dollars_max` of this gate's `review` allows $0.05" in world.change("R0").sentence
    assert asked(world) == []


def test_a_model_that_never_answers_is_given_up_in_time() -> None:
    world = approved(
        beside(1), ASKED.replace("required: true}", "timeout_seconds: 300, required: true}")
    )
    world.model = says(NOTHING)
    world.model_thinks = True
    world.diff = (GOOD,)
    hand_in(world)
    assert world.stage("R0") is OfferStage.JUDGING
    wake = wake_at(world.state, policy(world.policy_text or ""), (), world.now)
    assert wake is not None
    assert (wake - world.now).total_seconds() <= 300
    world.pass_time(301)
    world.settle()
    assert world.change("R0").state is S.FAILED
    assert "within 300 seconds" in world.change("R0").sentence


def test_a_finding_whose_quote_is_not_in_the_file_is_dropped() -> None:
    assert judged(finding("os.remove(everything)")).change("R0").state is S.LANDED


def test_a_review_that_omits_a_file_fails() -> None:
    world = judged(json.dumps({"files": [], "findings": []}))
    assert world.change("R0").state is S.FAILED
    assert f"does not account for {PATH}" in world.change("R0").sentence


def test_contradictory_reviews_are_left_to_a_person() -> None:
    world = judged(finding())
    world.model = says(finding("total = a / 1", undoes="F1"))
    world.diff = (GOOD,)
    hand_in(world)
    stopped = world.change("R0")
    (ended,) = (e for e in world.journal if isinstance(e, ChangeFailed))
    assert (stopped.state, ended.reason) == (S.FAILED, FailureReason.REVIEW_CIRCLES)
    assert "requires the opposite of an earlier finding" in stopped.sentence
    assert "/headgate tell" in stopped.sentence
    assert world.open_orders(AgentOrder) == []


def test_a_passed_review_is_reused_for_the_same_diff_on_a_newer_main() -> None:
    world = approved(beside(2), ASKED + "  accept: {acceptance: maintain}\n")
    world.roles["ann"] = Role.MAINTAIN
    world.model = says(NOTHING)
    world.diff = (GOOD,)
    for order in world.open_orders(AgentOrder):
        world.hand_in(order)
    world.settle()
    for _ in range(2):
        world.judge(world.open_orders(GateOrder)[0])
        world.settle()
    accept(world, "R0")
    before = world.change("R1").candidates
    assert reviews_awaited(world.state, world.change("R1")) == ()
    accept(world, "R1")
    world.work()
    landed = world.change("R1")
    assert (landed.state, landed.candidates) == (S.LANDED, before + 1)
    assert len(asked(world)) == 2


def test_pulls_of_people_run_no_review_gate_and_a_warning_is_optional() -> None:
    assert policy(ASKED).of_pulls().review_gates == ()
    assert not policy(WARNS).review_gates[0].required
    assert policy(ASKED).review_gates[0].required


def test_a_mode_of_another_gate_does_not_make_it_required() -> None:
    read = policy(WARNS + "  slow: {run: make slow, modes: {feature: 'off'}}\n")
    assert not read.of_type(ChangeType.FEATURE).review_gates[0].required
    said = policy(WARNS.replace("block: major}", "block: major}, modes: {feature: required}"))
    assert said.of_type(ChangeType.FEATURE).review_gates[0].required


def test_a_rebuilt_commit_waits_for_its_review_again() -> None:
    world = approved(beside(1), ASKED)
    world.model = says(NOTHING)
    world.model_thinks = True
    world.diff = (GOOD,)
    hand_in(world)
    first = world.candidate("R0")
    assert awaited_now(world.state, world.change("R0")) is not None
    (asked_for,) = (e for e in world.intended if isinstance(e, BuildCandidate))
    (built,) = (e for e in world.journal if isinstance(e, CandidateBuilt))
    change, order = world.change("R0").id, OrderId(first.order or "")
    voided = CandidateVoided(change=change, order=order, candidate=first.sha)
    again = EffectIntended(effect=asked_for.replace(number=2))
    world.write((voided, again, built.replace(number=2)))
    assert world.candidate("R0").sha == first.sha
    assert world.stage("R0") is OfferStage.JUDGING
    assert awaited_now(world.state, world.change("R0")) is None
