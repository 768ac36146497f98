"""What reviews say of changes' pulls: who asks for changes keeps a change from landing, and where the
policy asks for approvals, they are waited for.

What somebody asks to be changed goes to an agent once: to the one that works, or to another. The
change is held until that person says something else: whether it is fixed is theirs to say.
"""

from bot.core.decide.changes.end_without_landing import stop_change
from bot.core.decide.changes.revoke import revoke
from bot.core.decide.changes.tell_agents import TOLD_MAX
from bot.core.decide.decision import Decision
from bot.core.journal.events import (
    CandidateVoided,
    ChangeReopened,
    ChangeReviewed,
    RequestHeard,
    WordsTold,
)
from bot.core.journal.state import ChangeFacts
from bot.core.state.approvals import approvals_of_changes, needs_resolution
from bot.core.state.candidates import is_landing, stage_of
from bot.core.talk import told_text
from bot.core.values.lifecycle import ChangeState, OfferStage
from bot.core.values.pull_review import ChangeRequest

# Its work is handed in, and no agent hears what is said.
_HANDED_IN = frozenset({OfferStage.JUDGING, OfferStage.QUEUED})
_WITH_AGENT = frozenset({ChangeState.RETRYING, ChangeState.ORDERED, ChangeState.WORKING})


def next_steps(decision: Decision) -> None:
    for change in tuple(decision.state.changes.values()):
        if change.pull is not None and not change.is_ended:
            _note(decision, change)


def _note(decision: Decision, change: ChangeFacts) -> None:
    needed = approvals_of_changes(decision.policy, decision.state.rules)
    if change.pull is None or is_landing(decision.state, change):
        return
    seen = decision.observed.approvals.get(change.pull, change.approvals)
    if seen.unresolved and not needs_resolution(decision.policy, decision.state.rules):
        seen = seen.replace(unresolved=())
    if (needed, seen) != (change.approvals_needed, change.approvals):
        decision.emit(ChangeReviewed(change=change.id, approvals=seen, needed=needed))
    asked = [one for one in seen.requests if one not in change.requests_heard]
    if not asked or needed is None or change.held_by:
        return
    is_handed_in = stage_of(decision.state, change) in _HANDED_IN
    if is_handed_in or change.state in _WITH_AGENT:
        _tell(decision, change, asked)
    if is_handed_in:
        _send_back(decision, change, [one.by for one in asked])


def _tell(decision: Decision, change: ChangeFacts, asked: list[ChangeRequest]) -> None:
    for one in asked:
        decision.emit(RequestHeard(change=change.id, request=one))
        if one.said.strip() and len(decision.state.changes[change.id].told) < TOLD_MAX:
            decision.emit(
                WordsTold(change=change.id, author=one.by, text=one.said, told_at=decision.now)
            )


def _send_back(decision: Decision, change: ChangeFacts, people: list[str]) -> None:
    _withdraw_gates(decision, change)
    stop_change(decision, change, f"@{people[-1]}")
    because = told_text.asked_for_changes(people)
    decision.emit(
        ChangeReopened(change=change.id, reopened_by=people[-1], because=because, with_agent=True)
    )


def _withdraw_gates(decision: Decision, change: ChangeFacts) -> None:
    """Stop judging work that somebody wants changed."""
    candidate = decision.state.candidate_of(change)
    order = decision.state.orders.get(candidate.order) if candidate and candidate.order else None
    if order is not None and order.is_open:
        decision.emit(CandidateVoided(change=change.id, order=order.id, candidate=order.commit))
        revoke(decision, order)
