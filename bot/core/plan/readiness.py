"""Whether a spec can be planned, and which part of it is still to be built.

Used for a spec on main, for one in a pull, and for one that is edited while its run is under way.
"""

from collections.abc import Collection, Mapping

from bot.core.plan.check import check
from bot.core.plan.put_off import TICKED, put_off
from bot.core.spec.roots import key_of
from bot.core.spec.triage.spec_questions import is_question
from bot.core.values.ids import RequirementId
from bot.core.values.plan_model import Plan
from bot.core.values.spec_model import Finding, Severity, Spec, SpecFormat


def is_draft(spec: Spec) -> bool:
    """Whether the spec states that work must not start yet."""
    # spec-kit's template says "Status: Draft" for good, so there it means nothing.
    return any(
        (d.status or "").strip().lower() == "draft" and d.format is not SpecFormat.SPEC_KIT
        for d in spec.documents
    )


def uncovered(covered: Mapping[str, str], spec: Spec, included: Collection[str] = ()) -> Spec:
    """The spec without the requirements that have landed with exactly this text.

    Neither with those that are put off, but for what people have `included`. What has landed once and reads
    otherwise now is planned in spite of ticks: they are older.
    """
    asked = set(included)
    later = {
        id_
        for id_, why in put_off(spec).items()
        if id_ not in asked and not (why == TICKED and id_ in covered)
    }
    return spec.with_documents(
        d.with_requirements(
            r for r in d.requirements if covered.get(r.id) != r.text_hash and r.id not in later
        )
        for d in spec.documents
    )


def blocking(spec: Spec) -> tuple[Finding, ...]:
    """What keeps a spec from being planned and only an edit can repair, no answer."""
    found = tuple(f for f in spec.findings if f.severity is Severity.BLOCK and not is_question(f))
    if not spec.requirements and not found:
        return (_nothing_recognised(spec.path),)
    return found


def same_key(path: str, named: Mapping[str, str], others: Collection[str]) -> tuple[Finding, ...]:
    """Why a spec cannot be planned beside `others`, if one of them has its key.

    `named` are the keys of specs that were planned, the oldest first: it keeps its key. Another key for
    the younger one would depend on what else there is, and so would the ids that tests name.
    """
    key = named.get(path, key_of(path))
    there = {path, *others}
    older = next((one for one, taken in named.items() if taken == key and one in there), path)
    if older == path:
        return ()
    finding = Finding(
        code="same_key",
        severity=Severity.BLOCK,
        line=1,
        quote="",
        question=(
            f"This spec would get the name `{key}`, which `{older}` already has. Requirements "
            "and branches use that name. Rename this spec, or write both into one spec."
        ),
        path=path,
    )
    return (finding,)


def plan_findings(path: str, spec: Spec, proposal: Plan) -> tuple[Finding, ...]:
    """Why a plan is not valid for the spec, each at the line of the requirement that it is about."""
    lines = {r.id: (r.path, r.line_start) for r in spec.requirements}
    planned = {str(c.slug): c.requirements[0] for c in proposal.changes if c.requirements}
    found = []
    for finding in check(proposal, spec):
        id_ = planned.get(finding.subject) or RequirementId(finding.subject)
        where, line = lines.get(id_, (path, 1))
        found.append(
            Finding(
                code=finding.code,
                severity=Severity.BLOCK,
                line=line,
                quote="",
                question=finding.sentence,
                path=where,
            )
        )
    return tuple(found)


def _nothing_recognised(path: str) -> Finding:
    return Finding(
        code="no_requirement",
        severity=Severity.BLOCK,
        line=1,
        quote="",
        question="No requirement was recognised. Which lines say what is required?",
        path=path,
    )
