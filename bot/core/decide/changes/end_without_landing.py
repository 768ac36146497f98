"""How a change ends without a landing: a person stops or merges it, or an effect is refused.

A refused effect is not tried again without a person, so a change that needs it fails with the
refusal's own sentence.
"""

from datetime import datetime, timedelta

from bot.core.decide.changes.revoke import revoke
from bot.core.decide.decision import Decision
from bot.core.journal.effects import Effect, LandCandidate
from bot.core.journal.events import (
    ChangeFailed,
    ChangeStopped,
    FailureReason,
    MergedByHand,
    PullClosed,
)
from bot.core.journal.state import Candidate, ChangeFacts, SpecRun
from bot.core.state.candidates import is_landing
from bot.core.values.ids import PullNumber
from bot.core.values.repository import Pull, PullState
from bot.core.values.rules import MergeMethod

# A merge into another branch never appears on main; after this time the change is stopped.
_MERGE_IS_SEEN_WITHIN = timedelta(minutes=10)


def stop_change(decision: Decision, change: ChangeFacts, by: str) -> None:
    """Stop a change and its open order; its work is kept."""
    decision.emit(ChangeStopped(change=change.id, stopped_by=by))
    _revoke_order(decision, change)


def handle_closed_pulls(decision: Decision) -> None:
    """Stop the change of a closed pull; if a person merged the candidate itself, it has landed."""
    for change in tuple(decision.state.changes.values()):
        pull = decision.observed.pulls.get(change.pull) if change.pull is not None else None
        # A landing closes its pull itself; if the landing fails, the change is seen here again.
        if pull is None or change.is_ended or is_landing(decision.state, change):
            continue
        if pull.state is PullState.OPEN or change.pull_closed or _is_on_its_way(decision, pull):
            continue
        merged = _merged(decision, change, pull)
        decision.emit(merged or PullClosed(change=change.id, number=pull.number))
        if merged is None:
            stop_change(decision, change, "the person who closed or merged its pull request")
        else:
            _revoke_order(decision, change)


def _is_on_main(decision: Decision, pull: Pull) -> bool:
    return any(line.sha == pull.merged_as for line in decision.state.ledger)


def _is_on_its_way(decision: Decision, pull: Pull) -> bool:
    """Whether a merge may still appear on main: GitHub reports pulls and branches separately."""
    if pull.merged_at is None or _is_on_main(decision, pull):
        return False
    return decision.now < pull.merged_at + _MERGE_IS_SEEN_WITHIN


def _merged(decision: Decision, change: ChangeFacts, pull: Pull) -> MergedByHand | None:
    """The event if a person merged exactly the candidate; None if main has something else."""
    candidate = decision.state.candidate_of(change)
    is_ours = candidate is not None and pull.head_sha == candidate.sha
    if pull.merged_as is None or not is_ours or not _is_on_main(decision, pull):
        return None
    return MergedByHand(
        change=change.id,
        number=pull.number,
        sha=pull.merged_as,
        merged_by=pull.merged_by,
        seen_at=decision.now,
    )


def _revoke_order(decision: Decision, change: ChangeFacts) -> None:
    order = decision.state.orders.get(change.order) if change.order else None
    if order is not None and order.is_open:
        revoke(decision, order)


def stop_remaining(decision: Decision, run: SpecRun) -> None:
    """Stop changes that were landing when their run was stopped, and did not land."""
    for change in decision.state.changes_of(run.id):
        if not change.is_ended and not is_landing(decision.state, change):
            stop_change(decision, change, "the person who stopped its spec run")


def intend_for(decision: Decision, change: ChangeFacts, effect: Effect) -> None:
    """Intend an effect that a change needs; if it was refused, the change fails."""
    refusal = decision.state.refused.get(effect.key)
    if refusal is None:
        decision.intend(effect)
    else:
        decision.emit(
            ChangeFailed(change=change.id, reason=FailureReason.REFUSED, sentence=refusal)
        )


def landing_of(
    change: ChangeFacts,
    candidate: Candidate,
    pull: PullNumber,
    merges: tuple[MergeMethod, ...] = (),
    queued_at: datetime | None = None,
) -> LandCandidate:
    """The effect that moves main from exactly the candidate's base to the candidate, or has GitHub merge it;
    `queued_at`: by its queue.
    """
    return LandCandidate(
        change=change.id,
        base=candidate.base,
        candidate=candidate.sha,
        tree=candidate.tree,
        pull=pull,
        approvals_needed=change.approvals_needed,
        merges=merges,
        message=candidate.recipe.steps[0].message if merges else "",
        queues=queued_at is not None,
        at=queued_at,
    )
