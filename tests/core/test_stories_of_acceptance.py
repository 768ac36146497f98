"""A person accepts or rejects a candidate where the policy asks for it, and deviations stay listed."""

from dataclasses import replace

import pytest

from action.order import AgentOrder, GateOrder
from bot.core.journal.effects import PostComment
from bot.core.state.candidates import waits_for_people
from bot.core.state.deviations import deviations
from bot.core.state.observed import Hint, HintKind
from bot.core.state.queue_order import entries
from bot.core.state.reason import Cause, reason_of
from bot.core.talk.replies import why_reply
from bot.core.talk.report import report
from bot.core.values.check_button import Button, Press
from bot.core.values.check_run import CheckRunText, Conclusion
from bot.core.values.lifecycle import ChangeState, EntryState, OfferStage
from bot.core.values.repository import Role
from gates.declared import NOT_DECLARED
from gates.proof import ProofLevel, ProvingTest, RequirementProof
from gates.result import Annotation, AnnotationLevel, Ending, GateResult, Judges
from tests.core.kit import EVERYTHING, World, approved
from tests.core.test_stories_of_buttons import press
from tests.core.values import GATES, beside, policy, policy_refusal

S = ChangeState
ASKED = GATES + "  accept: {acceptance: maintain}\n"


def waiting(policy_text: str = ASKED, lint: Ending = Ending.PASSED) -> World:
    """A candidate that all other gates have passed."""
    world = approved(beside(1), policy_text)
    world.roles["ann"] = Role.MAINTAIN
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    world.judge(world.open_orders(GateOrder)[0], lint=lint)
    world.settle()
    return world


def asked(world: World) -> CheckRunText:
    change = world.change("R0")
    return world.check_runs[f"{change.id}:{change.candidates}:accept"]


class TestOpenAcceptance:
    def test_a_candidate_does_not_land_before_a_person_accepts_it(self) -> None:
        world = waiting()
        world.pass_time(100_000)
        world.settle()
        assert world.stage("R0") is OfferStage.JUDGING
        text = asked(world)
        assert (text.name, text.conclusion) == (
            "headgate/gate/accept",
            Conclusion.ACTION_REQUIRED,
        )
        assert [one.identifier for one in text.actions] == ["accept", "reject"]

    def test_an_acceptance_gate_is_not_sent_to_the_runner(self) -> None:
        world = approved(beside(1), ASKED)
        assert "accept" not in [gate.name for gate in world.agent_order().gates]
        assert policy(ASKED).of_pulls().acceptance_gates == ()

    def test_the_reason_and_why_name_the_awaited_acceptance(self) -> None:
        world = waiting()
        change = world.change("R0")
        read = policy(ASKED)
        assert reason_of(world.state, change, read).cause is Cause.ACCEPTANCE_AWAITED
        assert "Accept or Reject in the check run of accept" in why_reply(world.state, read, change)

    def test_the_acceptance_check_lists_deviations(self) -> None:
        text = asked(waiting(lint=Ending.FAILED))
        assert "**Deviations**" in text.summary
        assert "- Gate lint did not pass" in text.summary
        assert "Deviations" not in asked(waiting()).summary

    def test_acceptance_is_required_for_change_types_in_the_policy(self) -> None:
        world = waiting(ASKED.replace("maintain}", "maintain, modes: {feature: 'off'}}"))
        assert world.change("R0").state is S.LANDED

    def test_a_warning_does_not_wait_for_an_answer(self) -> None:
        world = waiting(ASKED.replace("maintain}", "maintain, required: false}"))
        assert world.change("R0").state is S.LANDED

    def test_a_gate_has_only_one_kind(self) -> None:
        (finding,) = policy_refusal(GATES + "  a: {acceptance: write, run: x}\n").findings
        assert "`acceptance`" in finding.question


class TestAnswers:
    def test_an_accepted_candidate_lands(self) -> None:
        world = waiting(lint=Ending.FAILED)
        press(world, Button.ACCEPT, gate="accept")
        landed = world.change("R0")
        assert landed.state is S.LANDED
        assert asked(world).conclusion is Conclusion.SUCCESS
        assert asked(world).title == "ann accepted it, with 1 deviation."
        assert "accept" in world.state.ledger[-1].gates

    def test_its_deviations_stay_listed_in_the_report(self) -> None:
        world = waiting(lint=Ending.FAILED)
        press(world, Button.ACCEPT, gate="accept")
        text = report(world.state, policy(ASKED), world.run)
        assert "ann accepted it, with 1 deviation. Gate lint did not pass" in text
        clean = waiting()
        press(clean, Button.ACCEPT, gate="accept")
        assert "accepted it" not in report(clean.state, policy(ASKED), clean.run)

    def test_a_rejected_candidate_is_returned_to_an_agent(self) -> None:
        world = waiting()
        press(world, Button.REJECT, gate="accept")
        assert asked(world).conclusion is Conclusion.FAILURE
        (order,) = world.open_orders(AgentOrder)
        told = world.agent_order(order).retry
        assert told is not None
        assert [(r.gate, r.sentence) for r in told.failed_gates] == [("accept", "ann rejected it.")]

    def test_a_rejected_candidate_is_returned_before_other_answers_arrive(self) -> None:
        world = waiting(ASKED + "  second: {acceptance: write}\n")
        press(world, Button.REJECT, gate="accept")
        assert len(world.open_orders(AgentOrder)) == 1

    def test_an_answer_is_shown_while_another_is_awaited(self) -> None:
        world = waiting(ASKED + "  second: {acceptance: write}\n")
        press(world, Button.ACCEPT, gate="accept")
        assert world.stage("R0") is OfferStage.JUDGING
        assert asked(world).conclusion is Conclusion.SUCCESS

    def test_a_queue_entry_that_waits_for_acceptance_does_not_block_others(self) -> None:
        world = waiting()
        change = world.change("R0")
        entry = replace(world.state.entry_of(change), entered=1, state=EntryState.QUEUED)
        state = replace(world.state, changes={change.id: change}, entries={entry.id: entry})
        assert entries(state) == ()

    def test_the_first_answer_counts(self) -> None:
        world = waiting(ASKED + "  second: {acceptance: write}\n")
        press(world, Button.ACCEPT, gate="accept")
        assert world.stage("R0") is OfferStage.JUDGING
        press(world, Button.REJECT, gate="accept")
        press(world, Button.ACCEPT, gate="second")
        assert world.change("R0").state is S.LANDED
        assert len(world.wrote("CandidateAnswered")) == 2

    def test_an_answer_with_a_weaker_role_is_refused_once(self) -> None:
        world = waiting()
        world.roles["ann"] = Role.WRITE
        for button in (Button.ACCEPT, Button.REJECT):
            press(world, button, gate="accept")
        assert world.wrote("CandidateAnswered") == []
        said = [one.text for one in world.intended if isinstance(one, PostComment)]
        (told,) = [text for text in said if "requires the role" in text]
        assert "the role maintain. @ann has the role write here" in told

    @pytest.mark.parametrize("button", [Button.ACCEPT, Button.REJECT])
    def test_an_answer_for_another_commit_or_gate_is_ignored(self, button: Button) -> None:
        world = waiting()
        press(world, button, gate="accept", sha="0" * 40)
        press(world, button, gate="test")
        assert world.wrote("CandidateAnswered") == []

    def test_a_change_that_waits_for_a_person_does_not_hold_up_others(self) -> None:
        world = waiting_of_two()
        assert waits_for_people(world.state, world.change("R0"))
        accept(world, "R1")
        assert world.change("R1").state is S.LANDED
        assert world.change("R0").landed is None

    def test_an_acceptance_stays_valid_for_the_same_diff_on_a_newer_main(self) -> None:
        world = waiting_of_two()
        accept(world, "R0")
        assert world.change("R0").state is S.LANDED
        before = world.change("R1").candidates
        accept(world, "R1")
        world.work()
        landed = world.change("R1")
        assert (landed.state, landed.candidates) == (S.LANDED, before + 1)
        assert len(world.wrote("CandidateAnswered")) == 2


def waiting_of_two() -> World:
    """Two candidates on one main that all other gates have passed."""
    world = approved(beside(2), ASKED)
    world.roles["ann"] = Role.MAINTAIN
    for order in world.open_orders(AgentOrder):
        world.hand_in(order)
    world.settle()
    for _ in range(2):
        world.judge(world.open_orders(GateOrder)[0])
        world.settle()
    return world


def accept(world: World, requirement: str) -> None:
    change = world.change(requirement)
    candidate = world.candidate(change)
    pressed = Press(
        button=Button.ACCEPT,
        sha=candidate.sha,
        external_id=f"{change.id}:{candidate.number}:accept",
        person="ann",
    )
    world.tick((*EVERYTHING, Hint(kind=HintKind.BUTTON, press=pressed)))
    world.settle()


def test_every_deviation_is_listed_on_a_line() -> None:
    undeclared = Annotation(
        path="src/x.py",
        line_start=1,
        line_end=1,
        level=AnnotationLevel.WARNING,
        title=NOT_DECLARED,
        message="…",
    )
    test = ProvingTest(path="t.py", name="test_a", scenarios=("one", "three"))
    proof = RequirementProof(
        requirement="shop#R1",
        scenarios=("one", "two", "three"),
        tests=(test,),
        level=ProofLevel.L2,
        why="no test runs it",
        planned=2,
        thin=("two", "three"),
    )
    results = (
        GateResult(
            gate="scope",
            judges=Judges.DIFF,
            ending=Ending.PASSED,
            sentence="",
            annotations=(undeclared,),
        ),
        GateResult(
            gate="spec", judges=Judges.CHANGE, ending=Ending.PASSED, sentence="", proof=(proof,)
        ),
        GateResult(
            gate="test",
            judges=Judges.TREE,
            ending=Ending.FAILED,
            sentence="Red.",
            waived_tests=("a::b",),
        ),
    )
    assert deviations(results) == (
        "src/x.py is not in the plan",
        "R1 is proven to L2: no test runs it",
        "R1: no test names the scenario “two”",
        "R1: the scenario “three” has fewer than 2 tests",
        "Gate test did not pass: Red.",
        "Failed and accepted in test: a::b",
    )
