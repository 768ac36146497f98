"""Triage's questions with permanent numbers, and the decisions by which people answer them.

A question gets its number once per place (a spec, a pull) and keeps it through edits of other
lines. A decision is valid for one text only: it names the hash of the requirement's text and
expires with it.
"""

from collections.abc import Iterable, Mapping

from bot.core.spec.drafts import digest, normal
from bot.core.spec.triage.owners import Owners
from bot.core.spec.triage.triage import Strictness, ranked
from bot.core.values.question import Answer, AskedQuestions, Question
from bot.core.values.spec_model import Finding, Requirement, Severity, Spec

# Findings of these codes block because the text leaves something open, which an answer can fill;
# every other blocking finding is about the file itself, and needs an edit.
_ANSWERABLE_BLOCKS = frozenset({"marker", "template"})
_TOPIC_LETTERS = 16


def is_question(finding: Finding) -> bool:
    """Whether an answer can resolve the finding, not only an edit."""
    is_open_text = finding.severity is Severity.BLOCK and finding.code in _ANSWERABLE_BLOCKS
    return finding.severity is Severity.ASK or is_open_text


def asked_of(specs: Iterable[Spec], before: AskedQuestions) -> AskedQuestions:
    """Most serious first; a question that was asked before keeps its number."""
    numbers = {q.topic: q.number for q in before.questions}
    last = before.last
    found: dict[str, Question] = {}
    for spec in specs:
        owners = Owners(spec)
        for finding in ranked(spec):
            owner, places = owners.of(finding), owners.all_of(finding)
            topic = topic_of(owner, finding)
            if not is_question(finding) or topic in found:
                continue
            if topic not in numbers:
                last += 1
                numbers[topic] = last
            found[topic] = Question(
                number=numbers[topic],
                topic=topic,
                text_hash=hash_of(p.text_hash for p in places)
                if places
                else digest(normal(finding.quote), _TOPIC_LETTERS),
                severity=finding.severity,
                path=finding.path or spec.path,
                line=finding.line,
                quote=finding.quote,
                sentence=finding.question,
                requirement=owner.id if owner else "",
                also=tuple(p.id for p in places if p is not owner),
                lines=finding.lines,
            )
    return AskedQuestions().put(0, tuple(found.values()), last)


def decision_on(decisions: Mapping[str, Answer], question: Question) -> Answer | None:
    """The valid decision on a question; one about another text has expired."""
    decision = decisions.get(question.topic)
    if decision is None or decision.text_hash != question.text_hash:
        return None
    return decision


def unanswered(
    asked: AskedQuestions, decisions: Mapping[str, Answer], strictness: Strictness
) -> tuple[Question, ...]:
    """The questions that block the plan: open text always, others if the policy is strict."""
    is_strict = strictness is Strictness.STRICT
    return tuple(
        question
        for question in asked.questions
        if (question.severity is Severity.BLOCK or is_strict)
        and decision_on(decisions, question) is None
    )


def topic_of(owner: Requirement | None, finding: Finding) -> str:
    """What identifies a question; its sentence is included, so a new wording makes answers expire."""
    name = (owner.source_id or owner.title) if owner else ""
    said = f"{finding.path}\n{finding.code}\n{name}\n{normal(finding.quote)}\n{finding.question}"
    return digest(said, _TOPIC_LETTERS)


def hash_of(hashes: Iterable[str]) -> str:
    """The hash of one text, or of several together."""
    known = list(dict.fromkeys(hashes))
    return known[0] if len(known) == 1 else digest("\n".join(known), _TOPIC_LETTERS)
