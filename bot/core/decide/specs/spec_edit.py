"""A spec that is edited while its run is under way.

Changes with the same text continue. Changes whose requirements were changed or removed are stopped,
their work is kept, and a revision of the plan waits for approval. A model plans only that part. If
the edit cannot be planned, the run continues with the approved text. Each version is handled once.
"""

from bot.core.decide.changes.end_without_landing import stop_change
from bot.core.decide.decision import Decision
from bot.core.decide.specs import next_plan_prompt, plan_by_model
from bot.core.decide.specs.next_plan_prompt import PlanResult, Task
from bot.core.decide.specs.register_ids import known_spec, register_spec
from bot.core.journal.effects import PostComment
from bot.core.journal.events import (
    AmendmentWithdrawn,
    ChangeReopened,
    ReplanningBegan,
    SpecAmended,
    SpecsNoted,
)
from bot.core.journal.replanning import Replanning, SpecEdit
from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.plan.deterministic import plan
from bot.core.plan.edited_plan import Standing, plan_after_edit, rest_of, without_landed
from bot.core.plan.readiness import blocking, is_draft, plan_findings, uncovered
from bot.core.plan.vocabulary import only
from bot.core.prompts.estimate import planning_estimate
from bot.core.state.candidates import is_landing
from bot.core.state.observed import SpecReading
from bot.core.talk import replanned, spec_edit_text
from bot.core.values.ids import ChangeId, Frozen
from bot.core.values.lifecycle import ChangeState
from bot.core.values.plan_model import Plan
from bot.core.values.spec_model import Finding, Spec

BY_EDIT = "an edit of the spec"


class _RequirementDiff(Frozen):
    """What an edit does to the requirements that a run was approved with."""

    added: tuple[str, ...] = ()
    altered: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether the edit asks for exactly what was approved."""
        return not (self.added or self.altered or self.removed)


def handle_edit(
    decision: Decision, run: SpecRun, reading: SpecReading, gone: tuple[str, ...]
) -> bool:
    """Handle an edit; False if that must wait until the run has ended.

    `gone` are keys of specs that were removed in the same push.
    """
    known = known_spec(decision, reading, gone)
    touched_by = _requirement_diff(decision, run, known.spec)
    noted = SpecsNoted(versions={run.path: reading.version})
    if reading.version == run.version or touched_by.is_empty:
        _withdraw(decision, run)
        decision.emit(noted)
        return True
    touched = _touched(decision, run, touched_by)
    if any(is_landing(decision.state, c) for c in touched):
        # The landing ends soon, and then main is read again.
        return True
    # Also for planning by a model: what rules cannot plan, no model can.
    proposal = _proposal(decision, run, known.spec, touched)
    findings = _findings(decision, run, known.spec, proposal)
    if findings or is_draft(reading.spec):
        _refuse(decision, run, reading, findings)
        return False
    before = _paused(run)
    paused = _pause(decision, touched, before)
    _resume(decision, tuple(id_ for id_ in before if id_ not in paused))
    register_spec(decision, reading, gone)
    edit = SpecEdit(
        ids=known.ids,
        bases=reading.bases,
        paused=paused,
        added=touched_by.added,
        altered=touched_by.altered,
        removed=touched_by.removed,
    )
    decision.emit(noted)
    rest = rest_of(
        _standing(decision, run, touched),
        uncovered(decision.state.covered, known.spec, run.requirements),
    )
    replanning = Replanning(
        version=reading.version,
        commit=reading.commit,
        requirements={r.id: r.text_hash for r in rest.requirements},
        known=_known(decision, run, touched),
        began_at=decision.now,
        estimate=planning_estimate(rest, decision.policy, decision.observed.models),
        edit=edit,
    )
    if rest.requirements and plan_by_model.is_for_model(decision):
        decision.emit(ReplanningBegan(spec_run=run.id, replanning=replanning))
    else:
        _propose(decision, run, replanning, edit, Proposed(plan=proposal, spec=known.spec))
    return True


def next_steps(decision: Decision) -> None:
    """Send the next prompts about edits, and propose the revision of each planned edit."""
    for run in tuple(decision.state.spec_runs.values()):
        again, spec = run.replanning, decision.observed.edits.get(run.id)
        if again is None or again.edit is None or spec is None:
            continue
        rest = only(spec, again.requirements)
        # An observation from before the edit was handled has the older text.
        if {r.id: r.text_hash for r in rest.requirements} != again.requirements:
            continue
        task = Task(
            spec=rest,
            commit=again.commit,
            revision=1,
            failure=again.failure,
            known=again.known,
        )
        made = next_plan_prompt.plan_or_ask(decision, run, task)
        if made is not None:
            _propose_planned(decision, run, again, again.edit, (spec, made))


def _propose_planned(
    decision: Decision,
    run: SpecRun,
    again: Replanning,
    edit: SpecEdit,
    planned: tuple[Spec, PlanResult],
) -> None:
    """Propose the planned revision; by rules if a model's plan conflicts with the other changes."""
    spec, made = planned
    diff = _RequirementDiff(added=edit.added, altered=edit.altered, removed=edit.removed)
    touched = _touched(decision, run, diff)
    proposal = _proposal(decision, run, spec, touched, made.plan)
    reasons = made.fallback_reasons
    if findings := _findings(decision, run, spec, proposal):
        reasons = tuple(f.question for f in findings)
        proposal = _proposal(decision, run, spec, touched)
    if _findings(decision, run, spec, proposal):
        # Other changes have moved on: the edit is handled again when main is read next.
        _withdraw(decision, run)
        decision.emit(SpecsNoted(versions={run.path: ""}))
        return
    _propose(
        decision, run, again, edit, Proposed(plan=proposal, spec=spec, fallback_reasons=reasons)
    )


class Proposed(Frozen):
    """A revision for the edited spec; `fallback_reasons` say why it is not a model's."""

    plan: Plan
    spec: Spec
    fallback_reasons: tuple[str, ...] = ()


def _propose(
    decision: Decision, run: SpecRun, again: Replanning, edit: SpecEdit, proposed: Proposed
) -> None:
    live = uncovered(decision.state.covered, proposed.spec, run.requirements)
    diff = _RequirementDiff(added=edit.added, altered=edit.altered, removed=edit.removed)
    decision.emit(
        SpecAmended(
            spec_run=run.id,
            version=again.version,
            commit=again.commit,
            plan=proposed.plan,
            requirements={r.id: r.text_hash for r in live.requirements},
            ids=edit.ids,
            bases=edit.bases,
            paused=edit.paused,
            added=edit.added,
            altered=edit.altered,
            removed=edit.removed,
            beside=proposed.fallback_reasons,
        )
    )
    _publish_edit(decision, decision.state.spec_runs[run.id], _touched(decision, run, diff))


def _requirement_diff(decision: Decision, run: SpecRun, spec: Spec) -> _RequirementDiff:
    """The difference to the approved text, without what has landed with exactly the new text."""
    live = {
        r.id: r.text_hash
        for r in uncovered(decision.state.covered, spec, run.requirements).requirements
    }
    there = {r.id for r in spec.requirements}
    to_do = {
        r
        for change in decision.state.changes_of(run.id)
        if change.landed is None
        for r in change.planned.requirements
    }
    return _RequirementDiff(
        added=tuple(r for r in live if r not in run.requirements),
        altered=tuple(r for r in live if r in run.requirements and run.requirements[r] != live[r]),
        removed=tuple(r for r in run.requirements if r in to_do and r not in there),
    )


def _touched(decision: Decision, run: SpecRun, diff: _RequirementDiff) -> tuple[ChangeFacts, ...]:
    moved = {*diff.altered, *diff.removed}
    return tuple(
        change
        for change in decision.state.changes_of(run.id)
        if change.landed is None and moved & set(change.planned.requirements)
    )


def _standing(decision: Decision, run: SpecRun, touched: tuple[ChangeFacts, ...]) -> Standing:
    changes = decision.state.changes_of(run.id)
    ids = {c.id for c in touched}
    return Standing(
        landed=tuple(c.planned for c in changes if c.landed is not None),
        untouched=tuple(c.planned for c in changes if c.landed is None and c.id not in ids),
        touched=tuple(c.planned for c in touched),
    )


def _known(decision: Decision, run: SpecRun, touched: tuple[ChangeFacts, ...]) -> tuple[str, ...]:
    changes = decision.state.changes_of(run.id)
    others = [c for c in changes if c.id not in {t.id for t in touched}]
    return (
        *replanned.kept_work(touched),
        *replanned.under_way(others),
        *replanned.on_main(changes),
    )


def _proposal(
    decision: Decision,
    run: SpecRun,
    spec: Spec,
    touched: tuple[ChangeFacts, ...],
    rest: Plan | None = None,
) -> Plan:
    """The revision; `rest` is the plan of the part that the edit affects, None: by rules."""
    live = uncovered(decision.state.covered, spec, run.requirements)
    standing = _standing(decision, run, touched)
    shown = max(run.revisions_shown, default=0)
    revisions = [p.revision for p in (run.plan, run.proposed_edit and run.proposed_edit.plan) if p]
    ids = {c.id for c in touched}
    taken = {
        c.slug for c in decision.state.changes.values() if c.spec_run == run.id and c.id not in ids
    }
    if rest is None:
        rest = plan(rest_of(standing, live))
    return plan_after_edit(standing, live, rest, max(shown, *revisions) + 1, taken)


def _findings(decision: Decision, run: SpecRun, spec: Spec, proposal: Plan) -> tuple[Finding, ...]:
    landed = {c.slug for c in decision.state.changes_of(run.id) if c.landed is not None}
    live = uncovered(decision.state.covered, spec, run.requirements)
    to_do = without_landed(proposal, landed)
    return blocking(spec) or plan_findings(run.path, live, to_do)


def _refuse(
    decision: Decision, run: SpecRun, reading: SpecReading, findings: tuple[Finding, ...]
) -> None:
    subject = f"spec changed {run.id} {reading.version}"
    if run.issue is not None:
        decision.comment_once(run.issue, subject, spec_edit_text.edit_waits(run.path, findings))


def _pause(
    decision: Decision, touched: tuple[ChangeFacts, ...], before: tuple[ChangeId, ...]
) -> tuple[ChangeId, ...]:
    """Stop the affected changes; returns those to resume later, without ones a person stopped."""
    paused = []
    for change in touched:
        if not change.is_ended:
            stop_change(decision, change, BY_EDIT)
        is_theirs = change.state is ChangeState.STOPPED and change.id not in before
        if not is_theirs:
            paused.append(change.id)
    return tuple(paused)


def _withdraw(decision: Decision, run: SpecRun) -> None:
    is_edited = run.replanning is not None and run.replanning.edit is not None
    if run.proposed_edit is not None or is_edited:
        decision.emit(AmendmentWithdrawn(spec_run=run.id))
        _resume(decision, _paused(run))


def _paused(run: SpecRun) -> tuple[ChangeId, ...]:
    """The changes that an earlier edit stopped and that wait for its approval."""
    if run.proposed_edit is not None:
        return run.proposed_edit.paused
    edit = run.replanning.edit if run.replanning else None
    return edit.paused if edit else ()


def _resume(decision: Decision, paused: tuple[ChangeId, ...]) -> None:
    """Reopen changes that an edit stopped, with their kept work and the old text."""
    for id_ in paused:
        if decision.state.changes[id_].state is ChangeState.STOPPED:
            decision.emit(
                ChangeReopened(
                    change=id_, reopened_by="", because=spec_edit_text.resumed_after_edit()
                )
            )


def _publish_edit(decision: Decision, run: SpecRun, touched: tuple[ChangeFacts, ...]) -> None:
    proposed_edit = run.proposed_edit
    if proposed_edit is None or run.issue is None:
        return
    comments = [
        (run.issue, f"plan_after_edit {run.id}", spec_edit_text.spec_edited(run, proposed_edit))
    ]
    comments += [
        (c.issue, f"plan_after_edit {c.id}", spec_edit_text.change_touched(run, proposed_edit, c))
        for c in touched
        if c.issue is not None
    ]
    for issue, subject, text in comments:
        decision.intend(
            PostComment(issue=issue, subject=f"{subject} r{proposed_edit.plan.revision}", text=text)
        )
