"""What a person should look at before a spec is planned: findings in the text itself.

Deterministic: signals in words, never a model's judgement. A finding has a place, a quote and a
question. A block always stops the plan, a question if the policy is strict.
"""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum

from bot.core.spec.reading import Source
from bot.core.spec.references import Known
from bot.core.spec.triage.contradictions import contradictions
from bot.core.spec.triage.owners import Owners
from bot.core.spec.triage.signals import (
    Signal,
    is_unmeasured,
    markers,
    signals,
    vague_criterion,
)
from bot.core.spec.triage.terms import missing_numbers, undefined_actors
from bot.core.spec.triage.words import OUT_OF_SCOPE_WORDS
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
_NO_CRITERIA = {SpecFormat.RFC2119, SpecFormat.MISSION}
_ID = re.compile(r"(?<![\w-])([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-)(\d{1,5})(?:\.\d+)*[a-z]?(?![\w-])")


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
    if source.is_text and not (document.requirements or document.constraints or document.tasks):
        findings.append(_empty(document, source))
    if source.is_text and document.format is not SpecFormat.UNKNOWN and not document.tasks:
        findings += _left_open(document, source)
        for requirement in document.requirements:
            findings += _of_requirement(document, source, requirement)
        findings += _criteria(document, source)
        findings += _unmeasured(document, source)
        findings += _dangling(document, source, known)
        findings += _of_terms(document, source)
        findings += contradictions(document)
        findings += _taken_out(document, source, known)
    unique: dict[tuple[str, int, str], Finding] = {}
    for finding in findings:
        unique.setdefault((finding.code, finding.line, finding.question), finding)
    ordered = sorted(unique.values(), key=lambda f: (f.line, _ORDER[f.severity], f.code))
    return document.replace(findings=tuple(ordered))


def _left_open(document: SpecDocument, source: Source) -> Iterable[Finding]:
    """Markers and template text; outside requirements they are questions, not blocks."""
    owned = {n for r in document.requirements for n in range(r.line_start, r.line_end + 1)}
    for line, text in enumerate(source.visible, 1):
        if not text.strip():
            continue
        if _GENERATED_PURPOSE in text:
            question = "This is the archive's own placeholder. What is this capability for?"
            yield _finding(source, "marker", Severity.WARN, line, question)
            continue
        for signal in markers(text, document.language):
            severity = signal.severity if line in owned else Severity.ASK
            yield _finding(source, signal.code, severity, line, signal.question)


def _of_requirement(
    document: SpecDocument, source: Source, requirement: Requirement
) -> Iterable[Finding]:
    for signal in signals(requirement, document.language):
        line = _line_of(source, requirement, signal)
        yield _finding(source, signal.code, signal.severity, line, signal.question)
    for scenario in requirement.scenarios:
        for signal in vague_criterion(scenario, document.language):
            line = scenario.line_start
            yield _finding(source, signal.code, signal.severity, line, signal.question)
        if scenario.when and not scenario.then:
            yield _finding(
                source,
                "no_then",
                Severity.ASK,
                scenario.line_start,
                f"'{scenario.name[:80]}' says when and not what happens then. What does?",
            )


def _criteria(document: SpecDocument, source: Source) -> Iterable[Finding]:
    """Requirements without an acceptance criterion: one finding each, or one if none has any."""
    if document.format in _NO_CRITERIA or document.stories:
        return
    live = [
        r
        for r in document.requirements
        if r.operation not in (Operation.REMOVED, Operation.RENAMED)
    ]
    bare = [r for r in live if not r.scenarios]
    if bare and len(bare) == len(live) and len(live) > 1:
        yield _finding(
            source,
            "no_scenario",
            Severity.ASK,
            bare[0].line_start,
            f"None of the {len(bare)} requirements has an acceptance criterion. How is each seen to hold?",
        )
        return
    for requirement in bare:
        yield _finding(
            source,
            "no_scenario",
            Severity.ASK,
            requirement.line_start,
            f"'{requirement.title[:80]}' has no acceptance criterion. How is it seen to hold?",
        )


def _unmeasured(document: SpecDocument, source: Source) -> Iterable[Finding]:
    for constraint in document.constraints:
        if is_unmeasured(constraint.text):
            yield _finding(
                source,
                "unmeasured_nfr",
                Severity.ASK,
                constraint.line,
                "By which number is this measured?",
            )


def _dangling(document: SpecDocument, source: Source, known: Known) -> Iterable[Finding]:
    """References to ids of this spec's own kinds that are not defined."""
    families = {m.group(1) for i in known.ids if (m := _ID.fullmatch(i))}
    defined = known.ids | {c.source_id for c in document.constraints if c.source_id}
    defined |= {i for f in document.findings for i in _ids_in(f.quote)}
    for requirement in document.requirements:
        for line in range(requirement.line_start, requirement.line_end + 1):
            for found in _ID.finditer(source.visible[line - 1]):
                if found.group(1) in families and found.group() not in defined:
                    yield _finding(
                        source,
                        "dangling_ref",
                        Severity.ASK,
                        line,
                        f"'{found.group()}' is named and defined nowhere in this spec. What is meant?",
                    )


def _of_terms(document: SpecDocument, source: Source) -> Iterable[Finding]:
    """Names and numbers that the document does not define."""
    for line, question in undefined_actors(source):
        yield _finding(source, "undefined_term", Severity.INFO, line, question)
    for line, question in missing_numbers(document, source):
        yield _finding(source, "dangling_ref", Severity.ASK, line, question)


def _taken_out(document: SpecDocument, source: Source, known: Known) -> Iterable[Finding]:
    """Sentences that put an id out of scope, anywhere in the document."""
    told = {f.line for f in document.findings if f.code == "out_of_scope"}
    for line, text in enumerate(source.visible, 1):
        if line in told or not OUT_OF_SCOPE_WORDS.search(text):
            continue
        ids = _ids_in(text)
        planned = [i for i in ids if i in known.ids]
        if planned:
            question = (
                f"{', '.join(planned)} is said to be out of scope and is also a requirement. Is it?"
            )
            yield _finding(source, "out_of_scope_conflict", Severity.ASK, line, question)
        elif ids:
            question = "This is out of scope and is not planned. Right?"
            yield _finding(source, "out_of_scope", Severity.INFO, line, question)


def _ids_in(text: str) -> Sequence[str]:
    return [m.group() for m in _ID.finditer(text)]


def _line_of(source: Source, requirement: Requirement, signal: Signal) -> int:
    line_of_statement = requirement.statement[: signal.at].count("\n")
    words = requirement.statement.split("\n")[line_of_statement].strip("- ")[:40]
    for line in range(requirement.line_start, requirement.line_end + 1):
        if words and words in source.shown[line - 1]:
            return line
    return requirement.line_start


def _empty(document: SpecDocument, source: Source) -> Finding:
    is_blank = not any(line.strip() for line in source.shown)
    if is_blank:
        code, question = "empty", "The file is empty. What should be built?"
    elif document.format is SpecFormat.UNKNOWN:
        code, question = "not_a_spec", "This is data rather than a text. Where is the spec?"
    else:
        code, question = "no_requirements", "No requirement was recognised. Which lines are they?"
    line = next((n for n, text in enumerate(source.lines, 1) if text.strip()), 1)
    return _finding(source, code, Severity.ASK, line, question)


def _finding(source: Source, code: str, severity: Severity, line: int, question: str) -> Finding:
    quote = source.lines[line - 1].strip()[:200] if line <= len(source.lines) else ""
    return Finding(
        code=code, severity=severity, line=line, quote=quote, question=question, path=source.path
    )
