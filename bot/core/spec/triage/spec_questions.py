"""Triage's questions with numbers that stay, and the decisions by which people answer them.

A question is numbered once per place (a spec, a pull) and keeps its number through edits of other
lines. A decision holds for the text that it was made about and for no other: it names the hash of
the requirement's text, and expires with it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.core.spec.drafts import digest, normal
from bot.core.spec.triage.owners import Owners
from bot.core.spec.triage.triage import Strictness, ranked
from bot.core.values.ids import Frozen
from bot.core.values.spec_model import Finding, Requirement, Severity, Spec

# Findings of these codes block because the text leaves something open, which an answer can fill;
# every other blocking finding is about the file itself, and only an edit mends that.
_ANSWERABLE_BLOCKS = frozenset({"marker", "template"})
_TOPIC_LETTERS = 16


class Question(Frozen):
    """A finding that a person can answer; `topic` names it, `text_hash` is the text that raised it."""

    number: int
    topic: str
    text_hash: str
    severity: Severity
    path: str
    line: int
    quote: str
    sentence: str
    requirement: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """The questions of one place; `last` is the highest number that was ever given there."""

    questions: tuple[Question, ...] = ()
    last: int = 0


class SpecDecision(Frozen):
    """What a person answered, about exactly the text with this hash."""

    topic: str
    text_hash: str
    question: str
    answer: str
    author: str
    decided_at: datetime


def is_question(finding: Finding) -> bool:
    """Whether an answer, and not only an edit, can deal with the finding."""
    is_open_text = finding.severity is Severity.BLOCK and finding.code in _ANSWERABLE_BLOCKS
    return finding.severity is Severity.ASK or is_open_text


def asked_of(specs: Iterable[Spec], before: Asked) -> Asked:
    """The questions of specs, most serious first; one that was asked before keeps its number."""
    numbers = {q.topic: q.number for q in before.questions}
    last = before.last
    found: dict[str, Question] = {}
    for spec in specs:
        owners = Owners(spec)
        for finding in ranked(spec):
            owner = owners.of(finding)
            topic = _topic(owner, finding)
            if not is_question(finding) or topic in found:
                continue
            if topic not in numbers:
                last += 1
                numbers[topic] = last
            found[topic] = Question(
                number=numbers[topic],
                topic=topic,
                text_hash=_text_hash(owner, finding),
                severity=finding.severity,
                path=finding.path or spec.path,
                line=finding.line,
                quote=finding.quote,
                sentence=finding.question,
                requirement=owner.id if owner else "",
            )
    return Asked(questions=tuple(found.values()), last=last)


def decision_on(decisions: Mapping[str, SpecDecision], question: Question) -> SpecDecision | None:
    """The decision that holds for a question: one about another text has expired."""
    decision = decisions.get(question.topic)
    if decision is None or decision.text_hash != question.text_hash:
        return None
    return decision


def unanswered(
    asked: Asked, decisions: Mapping[str, SpecDecision], strictness: Strictness
) -> tuple[Question, ...]:
    """The questions that hold the plan back: open text always, any other where policy is strict."""
    is_strict = strictness is Strictness.STRICT
    return tuple(
        question
        for question in asked.questions
        if (question.severity is Severity.BLOCK or is_strict)
        and decision_on(decisions, question) is None
    )


def _topic(owner: Requirement | None, finding: Finding) -> str:
    """What makes a question the same one; its sentence is part of it, so rewording expires answers."""
    name = (owner.source_id or owner.title) if owner else ""
    said = f"{finding.path}\n{finding.code}\n{name}\n{normal(finding.quote)}\n{finding.question}"
    return digest(said, _TOPIC_LETTERS)


def _text_hash(owner: Requirement | None, finding: Finding) -> str:
    return owner.text_hash if owner else digest(normal(finding.quote), _TOPIC_LETTERS)
