"""What a pull removes from a spec: a requirement, its modal force, or a scenario.

Requirements are matched as the register matches them, so a rename or a move is no loss. What a
delta removes openly is no loss either; when the delta is archived, this also holds for the main
specs. The policy decides whether a loss fails the check.
"""

from collections.abc import Iterable
from enum import StrEnum

from bot.core.spec.drafts import normal
from bot.core.spec.identity.register import Register, registered
from bot.core.values.spec_model import (
    Finding,
    Modality,
    Operation,
    Requirement,
    Severity,
    Spec,
    SpecFormat,
)


class Guard(StrEnum):
    """What the policy makes of a loss."""

    OFF = "off"
    WARN = "warn"
    FAIL = "fail"


_FORCE = {
    Modality.MUST: 3,
    Modality.MUST_NOT: 3,
    Modality.SHOULD: 2,
    Modality.MAY: 1,
    Modality.UNSTATED: 0,
}
_BINDING = 3
_SAID_OPENLY = (Operation.REMOVED, Operation.MODIFIED, Operation.RENAMED)


def losses(
    before: Spec | None, after: Spec | None, archived: Iterable[Spec], guard: Guard
) -> tuple[Finding, ...]:
    """What `after` lost against `before`, in the old order; nothing if the guard is off."""
    if before is None or guard is Guard.OFF:
        return ()
    excused = {
        normal(name)
        for spec in archived
        for r in spec.requirements
        if r.operation in _SAID_OPENLY
        for name in (r.title, r.renamed_from or "")
    }
    severity = Severity.BLOCK if guard is Guard.FAIL else Severity.WARN
    known = registered(Register(), _outside_deltas(before), "before")
    edited = _outside_deltas(after) if after else before.with_documents(())
    result = registered(known.register, edited, "after")
    kept = {r.id: r for r in result.spec.requirements}
    found: list[Finding] = []
    line = 1
    for old in known.spec.requirements:
        new = _same(old, kept.get(old.id))
        if new is not None:
            line = new.line_end
        if normal(old.title) in excused:
            continue
        if new is None:
            found.append(_removed(old, line, severity))
        else:
            found += _weakened(old, new, severity)
    return tuple(found)


def _same(old: Requirement, new: Requirement | None) -> Requirement | None:
    """The current requirement; None if it has another author's id and other words.

    The register may match such a pair because the texts are similar; a guard may not.
    """
    if new is None or old.text_hash == new.text_hash:
        return new
    return new if old.source_id == new.source_id else None


def _outside_deltas(spec: Spec) -> Spec:
    return spec.with_documents(
        d for d in spec.documents if d.format is not SpecFormat.OPENSPEC_DELTA
    )


def _name(requirement: Requirement) -> str:
    title = requirement.title[:80]
    return f"{requirement.source_id} ({title})" if requirement.source_id else title


def _removed(old: Requirement, line: int, severity: Severity) -> Finding:
    return Finding(
        code="requirement_removed",
        severity=severity,
        line=line,
        quote="",
        question=f"'{_name(old)}' is deleted here, outside a delta. Is it no longer wanted?",
        path=old.path,
    )


def _weakened(old: Requirement, new: Requirement, severity: Severity) -> list[Finding]:
    found = []
    if _FORCE[old.modality] == _BINDING and _FORCE[new.modality] < _BINDING:
        was = old.modality.value.replace("_", " ")
        becomes = "nothing binding" if new.modality is Modality.UNSTATED else new.modality.value
        sentence = f"'{_name(old)}' said {was} and says {becomes} now. Is it meant to bind less?"
        found.append(_at(new, "modality_weakened", severity, sentence))
    names = {normal(s.name) for s in new.scenarios}
    texts = {normal(s.text) for s in new.scenarios}
    for scenario in old.scenarios:
        if normal(scenario.name) not in names and normal(scenario.text) not in texts:
            sentence = (
                f"'{_name(old)}' loses its scenario '{scenario.name[:80]}', outside a delta. "
                "Need it hold no longer?"
            )
            found.append(_at(new, "scenario_dropped", severity, sentence))
    return found


def _at(new: Requirement, code: str, severity: Severity, sentence: str) -> Finding:
    return Finding(
        code=code,
        severity=severity,
        line=new.line_start,
        quote="",
        question=sentence,
        path=new.path,
    )
