"""How a change ends without landing, its attempts aside: stopped by a person, refused by the world.

The rule: what the world refused for good is not intended again without a person, so a change that
cannot go on without it fails with the world's own words. Deliberately absent: attempts (steps).
"""

from bot.core.change.lifecycle import ChangeState
from bot.core.change.orders import revoke
from bot.core.draft import Draft
from bot.core.ids import PullNumber
from bot.core.journal.effects import Effect, LandCandidate
from bot.core.journal.events import ChangeFailed, ChangeStopped, FailureReason, PullClosed
from bot.core.journal.state import Candidate, ChangeFacts, SpecRun
from bot.core.repository import PullState


def stop_change(draft: Draft, change: ChangeFacts, by: str) -> None:
    """Stop a change and whatever is being done for it; its work is kept."""
    order = draft.state.orders.get(change.order) if change.order else None
    draft.emit(ChangeStopped(change=change.id, stopped_by=by))
    if order is not None and order.is_open:
        revoke(draft, order)


def heed_closed_pulls(draft: Draft) -> None:
    """A pull that a person closed, or merged by hand, stops its change."""
    for change in tuple(draft.state.changes.values()):
        pull = draft.observed.pulls.get(change.pull) if change.pull is not None else None
        # A change that is landing closes its pull itself; where it does not land, it comes back.
        if pull is None or change.is_ended or change.state is ChangeState.LANDING:
            continue
        if pull.state is not PullState.OPEN and not change.pull_closed:
            draft.emit(PullClosed(change=change.id, number=pull.number))
            stop_change(draft, change, "whoever closed or merged its pull")


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
