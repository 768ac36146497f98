"""How a change ends without our landing it: stopped or merged by a person, refused by the world.

The rule: what the world refused for good is not intended again without a person, so a change that
cannot go on without it fails with the world's own words. Deliberately absent: attempts (steps).
"""

from datetime import datetime

from bot.core.change.lifecycle import ChangeState
from bot.core.change.orders import revoke
from bot.core.draft import Draft
from bot.core.ids import ChangeId, PullNumber, Sha
from bot.core.journal.effects import Effect, LandCandidate
from bot.core.journal.events import (
    ChangeFailed,
    ChangeStopped,
    FailureReason,
    MergedByHand,
    PullClosed,
)
from bot.core.journal.state import Candidate, ChangeFacts, SpecRun
from bot.core.repository import Pull, PullState, RepositoryFacts


def merged_by_hand(
    facts: RepositoryFacts, change: ChangeId, candidate: Sha, pull: Pull, now: datetime
) -> MergedByHand | None:
    """That a person brought exactly this candidate to main; None where the pull says otherwise."""
    is_ours = pull.head_sha == candidate and facts.main_ref == f"refs/heads/{pull.base_branch}"
    if pull.merged_as is None or not is_ours:
        return None
    return MergedByHand(
        change=change,
        number=pull.number,
        sha=pull.merged_as,
        merged_by=pull.merged_by,
        seen_at=now,
    )


def stop_change(draft: Draft, change: ChangeFacts, by: str) -> None:
    """Stop a change and whatever is being done for it; its work is kept."""
    draft.emit(ChangeStopped(change=change.id, stopped_by=by))
    _revoke_order(draft, change)


def heed_closed_pulls(draft: Draft) -> None:
    """A pull that a person closed stops its change; merged as it was offered, the change landed."""
    for change in tuple(draft.state.changes.values()):
        pull = draft.observed.pulls.get(change.pull) if change.pull is not None else None
        # A change that is landing closes its pull itself; where it does not land, it comes back.
        if pull is None or change.is_ended or change.state is ChangeState.LANDING:
            continue
        if pull.state is PullState.OPEN or change.pull_closed:
            continue
        merged = _merged(draft, change, pull)
        draft.emit(merged or PullClosed(change=change.id, number=pull.number))
        if merged is None:
            stop_change(draft, change, "whoever closed or merged its pull")
        else:
            _revoke_order(draft, change)


def _merged(draft: Draft, change: ChangeFacts, pull: Pull) -> MergedByHand | None:
    facts = draft.state.facts
    if facts is None or change.candidate is None:
        return None
    return merged_by_hand(facts, change.id, change.candidate.sha, pull, draft.now)


def _revoke_order(draft: Draft, change: ChangeFacts) -> None:
    order = draft.state.orders.get(change.order) if change.order else None
    if order is not None and order.is_open:
        revoke(draft, order)


def stop_what_is_left(draft: Draft, run: SpecRun) -> None:
    """A change that was landing when its run was stopped, and did not land after all."""
    for change in draft.state.changes_of(run.id):
        if not change.is_ended and change.state is not ChangeState.LANDING:
            stop_change(draft, change, "whoever stopped its spec run")


def intend_for(draft: Draft, change: ChangeFacts, effect: Effect) -> None:
    """Intend what a change cannot go on without; where the world refused it, the change failed."""
    refusal = draft.state.refused.get(effect.key)
    if refusal is None:
        draft.intend(effect)
    else:
        draft.emit(ChangeFailed(change=change.id, reason=FailureReason.REFUSED, sentence=refusal))


def landing_of(change: ChangeFacts, candidate: Candidate, pull: PullNumber) -> LandCandidate:
    """The move of main from exactly the candidate's base to the candidate."""
    return LandCandidate(
        change=change.id,
        base=candidate.base,
        candidate=candidate.sha,
        tree=candidate.tree,
        pull=pull,
    )
