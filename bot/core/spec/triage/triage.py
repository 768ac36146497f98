"""What a person should look at before a spec is planned: findings in the text itself.

Deterministic: signals in words, never a model's judgement. A finding has a place, a quote and a
question. A block always stops the plan, a question if the policy is strict.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from enum import StrEnum

from bot.core.spec.line_owners import first_owners
from bot.core.spec.outline import headings
from bot.core.spec.reading import Source
from bot.core.spec.references import Known
from bot.core.spec.triage.contradictions import contradictions
from bot.core.spec.triage.gathered import gathered
from bot.core.spec.triage.mostly_unread import mostly_unread
from bot.core.spec.triage.nothing_read import why_nothing
from bot.core.spec.triage.open_text import answered_lines, markers
from bot.core.spec.triage.owners import Owners
from bot.core.spec.triage.signals import (
    Signal,
    signals,
    vague_criterion,
)
from bot.core.spec.triage.silenced import not_silenced
from bot.core.spec.triage.terms import missing_numbers, undefined_actors
from bot.core.spec.triage.unread_lists import unread_lists
from bot.core.spec.triage.words import OUT_OF_SCOPE_WORDS, HeadingKind, heading_kind
from bot.core.values.spec_model import (
    Finding,
    Operation,
    Requirement,
    Severity,
    Spec,
    SpecDocument,
    SpecFormat,
)

# What OpenSpec writes as the purpose of a new capability; a third of all specs still have it.
_GENERATED_PURPOSE = "TBD - created by archiving change "
_ORDER = {Severity.BLOCK: 0, Severity.ASK: 1, Severity.WARN: 2, Severity.INFO: 3}
_FAMILY_MIN = 3
_EPIC_STORY = re.compile(r"\d+\.\d+")
_CHAPTER_LEVEL = 2
_ACCEPTANCE = re.compile(
    r"\b(?:acceptance|acceptation|abnahme|aceptación|aceitação|приёмк|приемк)|受け?入れ?|验收|検収|인수",
    re.IGNORECASE,
)
_NO_CRITERIA = {SpecFormat.RFC2119, SpecFormat.MISSION}
_ID = re.compile(r"(?<![\w-])([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-)(\d{1,5})(?:\.\d+)*[a-z]?(?![\w-])")


# The words of a requirement stand near its start. A thousand requirements may share one paragraph,
# so that each may not search all of it.
_SEARCHED_LETTERS = 4_000


_SHOWN_MAX = 4
# `When a user leaves, they're removed from all rooms`
_OUTCOME = re.compile(
    r"^\W*(?:when|if|once|after)\b[^,\n]{1,200},\s+(?:(?:it|they|he|she|we|you|this|that)\b|"
    r"[^,\n]{1,60}?\b(?:is|are|gets?|will|can|cannot|must|shall|should)\b)",
    re.IGNORECASE,
)


class Strictness(StrEnum):
    """Whether a question that nobody answered stops the plan."""

    LENIENT = "lenient"
    STRICT = "strict"


def stops(spec: Spec, strictness: Strictness) -> tuple[Finding, ...]:
    """The findings that stop the plan, most serious first."""
    stopping = {Severity.BLOCK}
    if strictness is Strictness.STRICT:
        stopping.add(Severity.ASK)
    return tuple(f for f in ranked(spec) if f.severity in stopping)


def ranked(spec: Spec) -> tuple[Finding, ...]:
    """By severity, then by how many requirements depend on the one they are in."""
    owners = Owners(spec)
    waiting: dict[str, int] = {}
    for requirement in spec.requirements:
        for reference in requirement.references:
            waiting[reference.target] = waiting.get(reference.target, 0) + 1

    def rank(finding: Finding) -> tuple[int, str, int, str, int]:
        owner = owners.of(finding)
        priority = (owner.priority or "P9") if owner else "P9"
        names = (owner.source_id, owner.title) if owner else ()
        dependants = sum(waiting.get(name, 0) for name in names if name)
        return (_ORDER[finding.severity], priority, -dependants, finding.path, finding.line)

    return tuple(sorted(spec.findings, key=rank))


def judged(document: SpecDocument, source: Source, known: Known) -> SpecDocument:
    """The document with all findings, in line order, without repetitions."""
    findings = list(document.findings)
    if source.is_text and not document.requirements:
        findings += why_nothing(document, source)
    # What is all built is asked nothing.
    is_built = bool(document.requirements) and all(r.is_done for r in document.requirements)
    is_read = document.format is not SpecFormat.UNKNOWN and not document.tasks
    if source.is_text and is_read and not is_built:
        findings += _left_open(document, source)
        for requirement in (r for r in document.requirements if not r.is_done):
            findings += _of_requirement(document, source, requirement)
        findings += _without_outcome(document, source)
        findings += _criteria(document, source)
        findings += _dangling(document, source, known)
        findings += _of_terms(document, source)
        findings += contradictions(document)
        findings += _taken_out(document, source, known)
        findings += _binding_all(document, source)
        findings += tuple(mostly_unread(document, source)) or unread_lists(document, source)
    unique: dict[tuple[str, int, str], Finding] = {}
    for finding in not_silenced(findings, source):
        unique.setdefault((finding.code, finding.line, finding.question), finding)
    ordered = sorted(unique.values(), key=lambda f: (f.line, _ORDER[f.severity], f.code))
    return document.replace(findings=gathered(ordered))


def _left_open(document: SpecDocument, source: Source) -> Iterable[Finding]:
    """Markers and template text; outside requirements they are questions, not blocks."""
    owned = _required_lines(document)
    answered = answered_lines(source)
    for line, text in enumerate(source.visible, 1):
        if not text.strip() or line in answered:
            continue
        if _GENERATED_PURPOSE in text:
            question = "This is the archive's own placeholder. What is this capability for?"
            yield source.finding("marker", Severity.WARN, line, question)
            continue
        for signal in markers(text):
            severity = signal.severity if line in owned else Severity.ASK
            yield source.finding(signal.code, severity, line, signal.question)


def _of_requirement(
    document: SpecDocument, source: Source, requirement: Requirement
) -> Iterable[Finding]:
    for signal in signals(requirement, document.language):
        line = _line_of(source, requirement, signal)
        yield source.finding(signal.code, signal.severity, line, signal.question)
    for scenario in requirement.scenarios:
        for signal in vague_criterion(scenario, document.language):
            line = scenario.line_start
            yield source.finding(signal.code, signal.severity, line, signal.question)


def _without_outcome(document: SpecDocument, source: Source) -> Iterable[Finding]:
    for scenario in document.scenarios:
        # What follows a colon is told in the list below it.
        told_below = scenario.text.rstrip().endswith((":", "："))
        is_told = told_below or _OUTCOME.search(scenario.text)
        if scenario.when and not scenario.then and not is_told:
            question = f"'{scenario.name[:80]}' says when and not what happens then. What does?"
            yield source.finding("no_then", Severity.ASK, scenario.line_start, question)


def _binding_all(document: SpecDocument, source: Source) -> Iterable[Finding]:
    """What is kept for every change, so that nobody misses it in the plan."""
    if not document.constraints or not document.requirements:
        return
    first = document.constraints[0]
    named = [one.source_id for one in document.constraints if one.source_id][:_SHOWN_MAX]
    names = ", ".join(named) + (", …" if len(named) < len(document.constraints) else "")
    count = len(document.constraints)
    lines = f"{count} lines ({names})" if named else f"{count} lines"
    if count == 1:
        lines = f"This line ({names})" if named else "This line"
    hold = "holds" if count == 1 else "hold"
    question = f"{lines} {hold} for every change of this spec, and no change is made of {'it' if count == 1 else 'them'} alone."
    yield source.finding("binds_all", Severity.INFO, first.line, question)


def _has_acceptance_chapter(source: Source) -> bool:
    """Whether a chapter of the page says how all of it is accepted."""
    return any(
        level == _CHAPTER_LEVEL
        and (heading_kind(title) is HeadingKind.CRITERIA or _ACCEPTANCE.search(title))
        for level, title in headings(source)
    )


def _criteria(document: SpecDocument, source: Source) -> Iterable[Finding]:
    """Requirements without an acceptance criterion: one finding each, or one if none has any."""
    if document.format in _NO_CRITERIA or document.stories:
        return
    live = [
        r
        for r in document.requirements
        if r.operation not in (Operation.REMOVED, Operation.RENAMED) and not r.is_done
    ]
    bare = [r for r in live if not r.scenarios]
    if sum(bool(r.scenarios and _EPIC_STORY.fullmatch(r.source_id or "")) for r in live) > 1:
        # The criteria of what is listed above the stories of epics stand with these.
        bare = [r for r in bare if _EPIC_STORY.fullmatch(r.source_id or "")]
    if bare and _has_acceptance_chapter(source):
        return
    if bare and len(bare) == len(live) and len(live) > 1:
        yield source.finding(
            "no_scenario",
            Severity.WARN,
            bare[0].line_start,
            f"None of the {len(bare)} requirements has an acceptance criterion. How is each seen to hold?",
        )
        return
    for requirement in bare:
        yield source.finding(
            "no_scenario",
            Severity.ASK,
            requirement.line_start,
            f"'{requirement.title[:80]}' has no acceptance criterion. How is it seen to hold?",
        )


def _dangling(document: SpecDocument, source: Source, known: Known) -> Iterable[Finding]:
    """References to ids of this spec's own kinds that are not defined."""
    counts = Counter(m.group(1) for i in known.ids if (m := _ID.fullmatch(i)))
    # Letters that only one or two ids have are mostly those of another document.
    families = {letters for letters, count in counts.items() if count >= _FAMILY_MIN}
    defined = known.ids | {c.source_id for c in document.constraints if c.source_id}
    defined |= {i for f in document.findings for i in _ids_in(f.quote)}
    for line in sorted(_required_lines(document)):
        for found in _ID.finditer(source.visible[line - 1]):
            if found.group(1) in families and found.group() not in defined:
                yield source.finding(
                    "dangling_ref",
                    Severity.ASK,
                    line,
                    f"'{found.group()}' is named and defined nowhere in this spec. What is meant?",
                )


def _required_lines(document: SpecDocument) -> Set[int]:
    return first_owners((r.line_start, r.line_end) for r in document.requirements).keys()


def _of_terms(document: SpecDocument, source: Source) -> Iterable[Finding]:
    """Names and numbers that the document does not define."""
    for line, question in undefined_actors(source):
        yield source.finding("undefined_term", Severity.INFO, line, question)
    for line, question in missing_numbers(document, source):
        yield source.finding("dangling_ref", Severity.ASK, line, question)


def _taken_out(document: SpecDocument, source: Source, known: Known) -> Iterable[Finding]:
    """Sentences that put an id out of scope, anywhere in the document."""
    told = {f.line for f in document.findings if f.code == "out_of_scope"}
    first_lines = {(r.line_start, r.source_id) for r in document.requirements}
    for line, text in enumerate(source.visible, 1):
        if line in told or not OUT_OF_SCOPE_WORDS.search(text):
            continue
        # A requirement may say of something else that it is out of scope.
        ids = [i for i in _ids_in(text) if (line, i) not in first_lines]
        planned = [i for i in ids if i in known.ids]
        if planned:
            question = (
                f"{', '.join(planned)} is said to be out of scope and is also a requirement. Is it?"
            )
            yield source.finding("out_of_scope_conflict", Severity.ASK, line, question)
        elif ids:
            question = "This is out of scope and is not planned. Right?"
            yield source.finding("out_of_scope", Severity.INFO, line, question)


def _ids_in(text: str) -> Sequence[str]:
    return [m.group() for m in _ID.finditer(text)]


def _line_of(source: Source, requirement: Requirement, signal: Signal) -> int:
    line_of_statement = requirement.statement[: signal.at].count("\n")
    words = requirement.statement.split("\n")[line_of_statement].strip("- ")[:40]
    if words and requirement.line_end > requirement.line_start:
        letters = 0
        for line in range(requirement.line_start, requirement.line_end + 1):
            if words in source.shown[line - 1]:
                return line
            letters += len(source.shown[line - 1]) + 1
            if letters > _SEARCHED_LETTERS:
                break
    return requirement.line_start
