"""Decisions about questions, guardrails and the checks of spec pulls."""

from datetime import timedelta

import pytest

from action.order import RequirementText
from bot.core.journal import effects as ef
from bot.core.journal.state import SpecRunState, pull_place
from bot.core.spec.policy import Policy
from bot.core.spec.proposal import ProposedSpec, PullSnapshot
from bot.core.spec.triage.guardrails import Guard, losses
from bot.core.spec.triage.spec_questions import asked_of, decision_on, unanswered
from bot.core.spec.triage.triage import Strictness
from bot.core.talk.commands import read_answers, read_commands
from bot.core.talk.decisions_text import with_decisions
from bot.core.values.command import Verb
from bot.core.values.ids import PullNumber
from bot.core.values.question import Answer, AskedQuestions, Question
from bot.core.values.repository import Role
from bot.core.values.spec_model import (
    Finding,
    Modality,
    Operation,
    Scenario,
    Severity,
    Spec,
    SpecFormat,
)
from tests.core.kit import World
from tests.core.values import GATES, PATH, START, chain, requirement, sha, spec

NUMBER = PullNumber(31)


def _finding(line: int, quote: str = "TBD", code: str = "marker") -> Finding:
    severity = Severity.BLOCK if code == "marker" else Severity.ASK
    return Finding(
        code=code, severity=severity, line=line, quote=quote, question="Which one?", path=PATH
    )


def _asking(*findings: Finding, of: Spec | None = None) -> Spec:
    told = of or chain()
    documents = tuple(d.model_copy(update={"findings": findings}) for d in told.documents)
    return told.model_copy(update={"documents": documents})


def _line(told: Spec, name: str) -> int:
    return next(r.line_start for r in told.requirements if r.source_id == name)


def _decided(question: Question) -> Answer:
    return Answer(text="This one.", author="ann", given_at=START, text_hash=question.text_hash)


class TestQuestions:
    """A number is given once, and an answer is about one text."""

    def test_a_question_keeps_its_number_when_another_comes_before_it(self) -> None:
        told = chain()
        old = asked_of((_asking(_finding(_line(told, "C")), of=told),), AskedQuestions())
        more = (_finding(_line(told, "A")), _finding(_line(told, "C")))
        new = asked_of((_asking(*more, of=told),), old)
        assert [(q.number, q.line) for q in new.questions] == [
            (2, _line(told, "A")),
            (1, _line(told, "C")),
        ]

    def test_a_number_is_not_given_twice(self) -> None:
        told = chain()
        first = asked_of((_asking(_finding(_line(told, "A")), of=told),), AskedQuestions())
        gone = asked_of((_asking(of=told),), first)
        second = asked_of((_asking(_finding(_line(told, "C")), of=told),), gone)
        assert [q.number for q in second.questions] == [2]

    def test_an_answer_expires_with_the_text(self) -> None:
        told = _asking(_finding(_line(chain(), "A")))
        question = asked_of((told,), AskedQuestions()).questions[0]
        decisions = {question.topic: _decided(question)}
        assert decision_on(decisions, question) is not None
        edited = question.model_copy(update={"text_hash": "other"})
        assert decision_on(decisions, edited) is None
        assert unanswered(AskedQuestions(rounds={0: (edited,)}), decisions, Strictness.LENIENT) == (
            edited,
        )

    def test_an_answer_about_several_places_expires_with_each_of_their_texts(self) -> None:
        told = chain()
        lines = tuple(_line(told, name) for name in "ABC")
        several = _finding(lines[0], code="no_then").replace(lines=lines)
        (before,) = asked_of((_asking(several, of=told),), AskedQuestions()).questions
        assert (before.lines, before.also) == (lines, ("shop#B", "shop#C"))
        edited = told.with_documents(
            d.with_requirements(
                r.replace(text_hash="0" * 64) if r.source_id == "C" else r for r in d.requirements
            )
            for d in told.documents
        )
        (after,) = asked_of((_asking(several, of=edited),), AskedQuestions()).questions
        assert decision_on({before.topic: _decided(before)}, after) is None

    def test_an_answer_about_several_places_is_added_to_each(self) -> None:
        told = chain()
        lines = tuple(_line(told, name) for name in "AB")
        asking = _asking(_finding(lines[0], code="no_then").replace(lines=lines), of=told)
        asked = asked_of((asking,), AskedQuestions())
        (question,) = asked.questions
        texts = tuple(
            RequirementText(
                id=r.id, title=r.title, statement="It.", scenarios=(), spec_path=PATH, line=1
            )
            for r in asking.requirements
        )
        said = with_decisions(texts, asking, asked, {question.topic: _decided(question)})
        assert [t.id for t in said if "Decided by ann" in t.statement] == ["shop#A", "shop#B"]

    @pytest.mark.parametrize(
        ("code", "strictness", "holds"),
        [
            ("marker", Strictness.LENIENT, True),
            ("marker", Strictness.STRICT, True),
            ("no_scenario", Strictness.LENIENT, False),
            ("no_scenario", Strictness.STRICT, True),
        ],
    )
    def test_unanswered_questions_block_a_plan_as_the_policy_says(
        self, code: str, strictness: Strictness, holds: bool
    ) -> None:
        asked = asked_of((_asking(_finding(_line(chain(), "A"), code=code)),), AskedQuestions())
        assert bool(unanswered(asked, {}, strictness)) is holds

    def test_only_writers_can_answer_and_approval_needs_the_answer(self) -> None:
        world = World()
        world.push_spec(_asking(_finding(_line(chain(), "A"))))
        world.settle()
        issue = world.run.issue or 0
        world.pass_time(2)
        world.say(issue, "/headgate answer 1 Mine.", author="eve", role=Role.READ)
        world.say(issue, "/headgate approve")
        world.settle()
        assert "its plan waits for the answers" in world.replies()
        assert world.run.state is SpecRunState.PROPOSED
        world.say(issue, "/headgate answer 1 Ours.")
        world.say(issue, "/headgate approve")
        world.settle()
        assert [d.text for d in world.state.decisions.values()] == ["Ours."]
        assert world.run.approved_by == "ann"
        order = next(
            o for o in map(world.agent_order, world.orders) if o.requirements[0].id == "shop#A"
        )
        assert "Decided by ann: Ours." in order.requirements[0].statement


@pytest.mark.parametrize(
    ("body", "answers"),
    [
        ("/headgate answer 1 yes", [(1, "yes")]),
        ("/headgate answer #1: yes", [(1, "yes")]),
        ("/headgate answer 1 use `a` and\nno more", [(1, "use `a` and no more")]),
        ("/headgate answer\n1. yes\n2) no", [(1, "yes"), (2, "no")]),
        ("/headgate answer\n\n3. yes\n4. `no`\n   never", [(3, "yes"), (4, "`no` never")]),
        ("/headgate answer 1 a\n/headgate answer 2 b\nc", [(1, "a"), (2, "b c")]),
        ("/headgate answer yes", []),
        ("/headgate answer 1", []),
        ("/headgate answer", []),
        ("/headgate answer 1 yes\n\n> 2. quoted", [(1, "yes")]),
        ("/headgate answer 99999999999 x", []),
    ],
)
def test_answers_are_read_by_their_numbers(body: str, answers: list[tuple[int, str]]) -> None:
    commands = read_commands(body)
    assert {c.verb for c in commands} == {Verb.ANSWER}
    found = [a for c in commands for a in read_answers(c.argument, frozenset())]
    assert [(a.number, a.text) for a in found] == answers


class TestLosses:
    """What a pull takes away from a spec."""

    def _codes(self, before: Spec, after: Spec | None, *archived: Spec) -> list[str]:
        return [f.code for f in losses(before, after, archived, Guard.WARN)]

    def _with(self, **update: object) -> Spec:
        first = requirement("A", "cart", scenario="It holds two things.")
        changed = first.model_copy(update={"modality": Modality.MUST, **update})
        return spec(changed, requirement("B", "till", statement="The till MUST count money."))

    def test_an_unchanged_requirement_is_not_a_loss(self) -> None:
        assert self._codes(self._with(), self._with()) == []

    def test_a_deleted_requirement_is_a_loss(self) -> None:
        left = spec(requirement("B", "till", statement="The till MUST count money."))
        assert self._codes(self._with(), left) == ["requirement_removed"]
        assert self._codes(self._with(), None) == ["requirement_removed"] * 2

    def test_a_renamed_requirement_is_not_deleted(self) -> None:
        assert self._codes(self._with(), self._with(title="Another name")) == []

    def test_a_similar_requirement_does_not_replace_a_deleted_one(self) -> None:
        twin = requirement("Z", "cart", title="Title of A", scenario="It holds two things!")
        after = spec(twin, requirement("B", "till", statement="The till MUST count money."))
        assert self._codes(self._with(), after) == ["requirement_removed"]

    @pytest.mark.parametrize("modality", [Modality.SHOULD, Modality.MAY, Modality.UNSTATED])
    def test_a_weakened_requirement_is_a_loss(self, modality: Modality) -> None:
        assert self._codes(self._with(), self._with(modality=modality)) == ["modality_weakened"]
        assert self._codes(self._with(modality=modality), self._with()) == []

    def test_a_dropped_scenario_is_a_loss_and_a_renamed_one_is_not(self) -> None:
        assert self._codes(self._with(), self._with(scenarios=())) == ["scenario_dropped"]
        named = Scenario(name="else", text="It holds two things.", line_start=1, line_end=1)
        assert self._codes(self._with(), self._with(scenarios=(named,))) == []

    def test_removals_in_a_delta_are_not_losses(self) -> None:
        said = spec(requirement("A", title="Title of A", operation=Operation.REMOVED))
        assert self._codes(self._with(), self._with(scenarios=()), said) == []
        delta = said.documents[0].model_copy(update={"format": SpecFormat.OPENSPEC_DELTA})
        folder = said.model_copy(update={"documents": (delta,)})
        assert self._codes(folder, None) == []

    def test_the_policy_sets_the_severity_of_a_loss(self) -> None:
        left = spec(requirement("B", "till", statement="The till MUST count money."))
        severities = {
            guard: [f.severity for f in losses(self._with(), left, (), guard)] for guard in Guard
        }
        assert severities == {
            Guard.OFF: [],
            Guard.WARN: [Severity.WARN],
            Guard.FAIL: [Severity.BLOCK],
        }


def _sight(told: Spec, head: str = "head") -> PullSnapshot:
    one = ProposedSpec(path=PATH, is_work=True, before=None, head=told, merged=told)
    return PullSnapshot(number=NUMBER, head=sha(head), specs=(one,))


def _checks(world: World) -> list[ef.PublishCheckRun]:
    return [
        e
        for e in world.intended
        if isinstance(e, ef.PublishCheckRun) and e.external_id.startswith("spec-pull:")
    ]


class TestPulls:
    """The check of a pull shows the effect on its specs and is renewed when that changes."""

    def test_a_pull_gets_one_check_for_one_head_and_text(self) -> None:
        world = World()
        world.snapshots[NUMBER] = _sight(chain())
        world.settle()
        world.settle()
        assert [(c.sha, c.external_id) for c in _checks(world)] == [
            (sha("head"), "spec-pull:31:r1")
        ]

    def test_a_new_head_or_text_gets_its_own_check_run(self) -> None:
        world = World()
        for head, told in (("head", chain()), ("head", _asking(_finding(1))), ("2", chain())):
            world.snapshots[NUMBER] = _sight(told, head)
            world.settle()
        assert [c.external_id[-2:] for c in _checks(world)] == ["r1", "r2", "r3"]
        assert not any(c.updates for c in _checks(world))

    def test_no_older_digest_overtakes_a_newer_one(self) -> None:
        world = World()
        world.snapshots[NUMBER] = _sight(chain())
        world.decide()
        world.snapshots[NUMBER] = _sight(_asking(_finding(1)))
        world.decide()
        assert len(_checks(world)) == 1
        world.perform()
        world.settle()
        assert len(_checks(world)) == 2

    def test_an_answer_updates_the_check_and_is_dropped_with_the_pull(self) -> None:
        world = World()
        world.snapshots[NUMBER] = _sight(_asking(_finding(_line(chain(), "A"))))
        world.settle()
        assert _checks(world)[-1].text.conclusion == "failure"
        world.say(NUMBER, "/headgate answer 1 This.")
        world.tick()
        while world.tick(hints=()):
            pass
        assert _checks(world)[-1].text.conclusion == "success"
        world.snapshots[NUMBER] = None
        world.settle()
        assert pull_place(NUMBER) not in world.state.asked
        assert world.state.pull_digests == {}
        world.pass_time(timedelta(seconds=2).total_seconds())
        world.say(NUMBER, "/headgate answer 1 That.")
        world.settle()
        assert "Write it on" in world.replies()

    def test_a_loss_fails_the_check_if_the_policy_says_so(self) -> None:
        for guard, conclusion in (("warn", "success"), ("fail", "failure")):
            world = World(f"{GATES}losses: {guard}\n")
            assert isinstance(world.policy, Policy)
            snapshot = _sight(chain())
            lost = snapshot.specs[0].model_copy(
                update={"before": spec(*chain().requirements, requirement("D", "door"))}
            )
            world.snapshots[NUMBER] = snapshot.model_copy(update={"specs": (lost,)})
            world.settle()
            assert _checks(world)[-1].text.conclusion == conclusion
