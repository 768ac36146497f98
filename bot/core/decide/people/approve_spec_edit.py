"""Approval of a spec that was edited while its run is under way.

Nobody approves what they have not seen: the revision that the issue showed is the one that counts.
"""

from bot.core.decide.decision import Decision
from bot.core.journal.events import AmendmentApproved, ChangeReopened
from bot.core.journal.state import ProposedEdit, SpecRun, change_id
from bot.core.values.lifecycle import ChangeState


def approve_edit(decision: Decision, run: SpecRun, proposed_edit: ProposedEdit, by: str) -> None:
    """Continue with the revision; changes that the edit stopped are tried again with the new text."""
    decision.emit(
        AmendmentApproved(
            spec_run=run.id,
            revision=proposed_edit.plan.revision,
            plan_hash=proposed_edit.plan.hash,
            approved_by=by,
        )
    )
    planned = {change_id(run.id, c.slug) for c in proposed_edit.plan.changes}
    for id_ in proposed_edit.paused:
        ended = decision.state.changes[id_].state in {ChangeState.STOPPED, ChangeState.FAILED}
        if id_ in planned and ended:
            decision.emit(
                ChangeReopened(
                    change=id_,
                    reopened_by=by,
                    because="The spec was edited since then. Read the current requirements.",
                    is_new_text=True,
                )
            )
