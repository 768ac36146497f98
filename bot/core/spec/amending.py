"""A spec that is edited while its run is under way: only what the edit touches is touched.

What kept its text goes on without a word; what was altered or removed is stopped with its work
kept, and a revision of the plan waits for approval. An edit that cannot be planned leaves the run
with the text that was approved. The rule: every version is dealt with once. Deliberately absent:
the approval (talk) and the plan itself.
"""

from bot.core.change.ending import stop_change
from bot.core.change.lifecycle import ChangeState
from bot.core.draft import Draft
from bot.core.ids import ChangeId, Frozen, RequirementId
from bot.core.journal.effects import PostComment
from bot.core.journal.events import (
    AmendmentWithdrawn,
    ChangeReopened,
    SpecAmended,
    SpecsNoted,
)
from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.observed import SpecReading
from bot.core.plan.amend import Standing, amended, without_landed
from bot.core.plan.model import Plan
from bot.core.spec.model import Finding, Spec
from bot.core.spec.readiness import blocking, is_draft, plan_findings, uncovered
from bot.core.talk import amendments

BY_EDIT = "an edit of the spec"


class RequirementDiff(Frozen):
    """What an edit does to the requirements that a run was approved with."""

    added: tuple[str, ...] = ()
    altered: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether the edit asks for nothing else than was approved."""
        return not (self.added or self.altered or self.removed)


def amend(
    draft: Draft,
    run: SpecRun,
    reading: SpecReading,
    ids: dict[RequirementId, RequirementId],
) -> bool:
    """Deal with an edit; False where it cannot be dealt with before the run has ended."""
    touched_by = requirement_diff(draft, run, reading.spec)
    noted = SpecsNoted(versions={run.path: reading.version})
    if reading.version == run.version or touched_by.is_empty:
        _withdraw(draft, run)
        draft.emit(noted)
        return True
    touched = _touched(draft, run, touched_by)
    if any(c.state is ChangeState.LANDING for c in touched):
        # Whether it has landed is known in a moment, and main is looked at again then.
        return True
    live = uncovered(draft.state.covered, reading.spec)
    proposal = _proposal(draft, run, live, touched)
    findings = _findings(draft, run, reading.spec, proposal)
    if findings or is_draft(reading.spec):
        _refuse(draft, run, reading, findings)
        return False
    before = run.amendment.paused if run.amendment else ()
    paused = _pause(draft, touched, before)
    _resume(draft, tuple(id_ for id_ in before if id_ not in paused))
    draft.emit(
        SpecAmended(
            spec_run=run.id,
            version=reading.version,
            commit=reading.commit,
            plan=proposal,
            requirements={r.id: r.text_hash for r in live.requirements},
            paused=paused,
            added=touched_by.added,
            altered=touched_by.altered,
            removed=touched_by.removed,
            ids=ids,
            bases=reading.bases,
        )
    )
    draft.emit(noted)
    _tell(draft, draft.state.spec_runs[run.id], touched)
    return True


def requirement_diff(draft: Draft, run: SpecRun, spec: Spec) -> RequirementDiff:
    """Against what was approved; what has landed with exactly the new text counts for nothing."""
    live = {r.id: r.text_hash for r in uncovered(draft.state.covered, spec).requirements}
    there = {r.id for r in spec.requirements}
    to_do = {
        r
        for change in draft.state.changes_of(run.id)
        if change.landed is None
        for r in change.planned.requirements
    }
    return RequirementDiff(
        added=tuple(r for r in live if r not in run.requirements),
        altered=tuple(r for r in live if r in run.requirements and run.requirements[r] != live[r]),
        removed=tuple(r for r in run.requirements if r in to_do and r not in there),
    )


def _touched(draft: Draft, run: SpecRun, diff: RequirementDiff) -> tuple[ChangeFacts, ...]:
    moved = {*diff.altered, *diff.removed}
    return tuple(
        change
        for change in draft.state.changes_of(run.id)
        if change.landed is None and moved & set(change.planned.requirements)
    )


def _proposal(draft: Draft, run: SpecRun, live: Spec, touched: tuple[ChangeFacts, ...]) -> Plan:
    changes = draft.state.changes_of(run.id)
    ids = {c.id for c in touched}
    standing = Standing(
        landed=tuple(c.planned for c in changes if c.landed is not None),
        untouched=tuple(c.planned for c in changes if c.landed is None and c.id not in ids),
        touched=tuple(c.planned for c in touched),
    )
    shown = max(run.revisions_shown, default=0)
    revisions = [p.revision for p in (run.plan, run.amendment and run.amendment.plan) if p]
    taken = {
        c.slug for c in draft.state.changes.values() if c.spec_run == run.id and c.id not in ids
    }
    return amended(standing, live, max(shown, *revisions) + 1, taken)


def _findings(draft: Draft, run: SpecRun, spec: Spec, proposal: Plan) -> tuple[Finding, ...]:
    landed = {c.slug for c in draft.state.changes_of(run.id) if c.landed is not None}
    live = uncovered(draft.state.covered, spec)
    to_do = without_landed(proposal, landed)
    return blocking(spec) or plan_findings(run.path, live, to_do)


def _refuse(
    draft: Draft, run: SpecRun, reading: SpecReading, findings: tuple[Finding, ...]
) -> None:
    subject = f"spec changed {run.id} {reading.version}"
    if run.issue is not None and f"comment:{subject}" not in draft.state.published:
        text = amendments.edit_waits(run.path, findings)
        draft.intend(PostComment(issue=run.issue, subject=subject, text=text))


def _pause(
    draft: Draft, touched: tuple[ChangeFacts, ...], before: tuple[ChangeId, ...]
) -> tuple[ChangeId, ...]:
    """Stop what the edit touches; what a person had stopped stays theirs to retry."""
    paused = []
    for change in touched:
        if not change.is_ended:
            stop_change(draft, change, BY_EDIT)
        is_theirs = change.state is ChangeState.STOPPED and change.id not in before
        if not is_theirs:
            paused.append(change.id)
    return tuple(paused)


def _withdraw(draft: Draft, run: SpecRun) -> None:
    if run.amendment is not None:
        draft.emit(AmendmentWithdrawn(spec_run=run.id))
        _resume(draft, run.amendment.paused)


def _resume(draft: Draft, paused: tuple[ChangeId, ...]) -> None:
    """What an edit had stopped goes on with the work that was kept, under the old text."""
    for id_ in paused:
        if draft.state.changes[id_].state is ChangeState.STOPPED:
            draft.emit(
                ChangeReopened(change=id_, reopened_by="", because=amendments.resumed_after_edit())
            )


def _tell(draft: Draft, run: SpecRun, touched: tuple[ChangeFacts, ...]) -> None:
    amendment = run.amendment
    if amendment is None or run.issue is None:
        return
    told = [(run.issue, f"amended {run.id}", amendments.spec_amended(run, amendment))]
    told += [
        (c.issue, f"amended {c.id}", amendments.change_touched(run, amendment, c))
        for c in touched
        if c.issue is not None
    ]
    for issue, subject, text in told:
        draft.intend(
            PostComment(issue=issue, subject=f"{subject} r{amendment.plan.revision}", text=text)
        )
