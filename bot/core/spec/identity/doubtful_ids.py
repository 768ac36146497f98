"""A number that was kept, although little of the text is the same: is it still that requirement?

The question is a finding like any other, so it is asked in the pull with both texts, has a number,
and its answer goes with the text to main. Until it is answered, coverage does not vouch.
"""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum

from bot.core.spec.identity.register import Entry, Register, of_spec
from bot.core.spec.triage.spec_questions import topic_of
from bot.core.values.ids import RequirementId
from bot.core.values.question import Answer
from bot.core.values.spec_model import Finding, Requirement, Severity, Spec

SAME_REQUIREMENT = "same_requirement"
_SHOWN_LETTERS = 300
_YES = re.compile(r"^\W*(?:yes|same|ja|oui|sí|si|sim|tak|да|是|同じ|はい|예|네)\b", re.IGNORECASE)
_NO = re.compile(
    r"^\W*(?:no|not|new|another|nein|non|não|nao|nie|нет|否|不|いいえ|아니)", re.IGNORECASE
)


class Sameness(StrEnum):
    """What people said of a number in doubt."""

    OPEN = "open"
    SAME = "same"
    ANOTHER = "another"


def in_doubt(register: Register, spec: Spec) -> tuple[tuple[Requirement, Entry], ...]:
    """The requirements of a registered spec whose number is in doubt, with their entries."""
    entries = {e.rid: e for e in of_spec(register, spec.key) if e.was}
    return tuple((r, entries[r.id]) for r in spec.requirements if r.id in entries)


def with_doubts(spec: Spec, doubts: Iterable[tuple[Requirement, Entry]]) -> Spec:
    """The spec with a question for each number in doubt."""
    found: dict[str, list[Finding]] = {}
    for requirement, entry in doubts:
        found.setdefault(requirement.path, []).append(question_of(requirement, entry))
    return spec.with_documents(
        d.replace(findings=(*d.findings, *found[d.path])) if d.path in found else d
        for d in spec.documents
    )


def question_of(requirement: Requirement, entry: Entry) -> Finding:
    name = requirement.source_id or requirement.title
    return Finding(
        code=SAME_REQUIREMENT,
        severity=Severity.ASK,
        line=requirement.line_start,
        quote=requirement.title[:200],
        question=(
            f"Is {name} still the same requirement? It was “{_short(entry.was)}”; it is now "
            f"“{_short(f'{requirement.title}: {requirement.statement}')}”. Answer yes, or no if it is "
            "another one: then it gets a new id."
        ),
        path=requirement.path,
    )


def sameness(decisions: Mapping[str, Answer], requirement: Requirement, entry: Entry) -> Sameness:
    """What was answered; an answer about another text has expired."""
    decision = decisions.get(topic_of(requirement, question_of(requirement, entry)))
    if decision is None or decision.text_hash != requirement.text_hash:
        return Sameness.OPEN
    if _YES.match(decision.text):
        return Sameness.SAME
    return Sameness.ANOTHER if _NO.match(decision.text) else Sameness.OPEN


def unsettled(
    decisions: Mapping[str, Answer], register: Register, spec: Spec
) -> frozenset[RequirementId]:
    """The ids for which nothing vouches: nobody has said that they are the same."""
    return frozenset(
        requirement.id
        for requirement, entry in in_doubt(register, spec)
        if sameness(decisions, requirement, entry) is not Sameness.SAME
    )


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _SHOWN_LETTERS else flat[:_SHOWN_LETTERS].rsplit(" ", 1)[0] + " …"
