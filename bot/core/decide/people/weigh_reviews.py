"""What reviews say of changes' pulls: who asks for changes keeps a change from landing, and where the
policy asks for approvals, they are waited for.

Whoever asks for changes of what a pull shows now gives it to an agent again, with what was said. The
change is held until that person says something else: whether it is mended is theirs to say.
"""

from bot.core.decide.changes.end_without_landing import stop_change
from bot.core.decide.changes.revoke import revoke
from bot.core.decide.changes.tell_agents import TOLD_MAX
from bot.core.decide.decision import Decision
from bot.core.journal.events import CandidateVoided, ChangeReopened, ChangeReviewed, WordsTold
from bot.core.journal.state import ChangeFacts
from bot.core.state.approvals import approvals_of_changes
from bot.core.talk import told_text
from bot.core.values.lifecycle import ChangeState
from bot.core.values.pull_review import ChangeRequest

# Its work is handed in, and no agent hears what is said.
_HANDED_IN = frozenset({ChangeState.JUDGING, ChangeState.QUEUED})


def next_steps(decision: Decision) -> None:
    for change in tuple(decision.state.changes.values()):
        if change.pull is not None and not change.is_ended:
            _note(decision, change)


def _note(decision: Decision, change: ChangeFacts) -> None:
    needed = approvals_of_changes(decision.policy)
    if change.pull is None or change.state is ChangeState.LANDING:
        return
    seen = decision.observed.approvals.get(change.pull, change.approvals)
    asked = [one for one in seen.requests if _is_of_this_work(decision, change, one)]
    if (needed, seen) != (change.approvals_needed, change.approvals):
        decision.emit(ChangeReviewed(change=change.id, approvals=seen, needed=needed))
    if asked and needed is not None:
        _send_back(decision, change, asked)


def _is_of_this_work(decision: Decision, change: ChangeFacts, request: ChangeRequest) -> bool:
    """Whether it is about the work that is there, and no agent mends that."""
    candidate = decision.state.candidate_of(change)
    shown = {change.shown, candidate.sha if candidate is not None else None}
    is_at_rest = change.state in _HANDED_IN and not change.held_by
    return is_at_rest and request.commit in shown


def _send_back(decision: Decision, change: ChangeFacts, asked: list[ChangeRequest]) -> None:
    for one in asked:
        if one.said.strip() and len(decision.state.changes[change.id].told) < TOLD_MAX:
            decision.emit(
                WordsTold(change=change.id, author=one.by, text=one.said, told_at=decision.now)
            )
    by = asked[-1].by
    _withdraw_gates(decision, change)
    stop_change(decision, change, f"@{by}")
    because = told_text.asked_for_changes([one.by for one in asked])
    decision.emit(
        ChangeReopened(change=change.id, reopened_by=by, because=because, with_agent=True)
    )


def _withdraw_gates(decision: Decision, change: ChangeFacts) -> None:
    """What is not wanted as it is need not be judged."""
    candidate = decision.state.candidate_of(change)
    order = decision.state.orders.get(candidate.order) if candidate and candidate.order else None
    if order is not None and order.is_open:
        decision.emit(CandidateVoided(change=change.id, order=order.id, candidate=order.commit))
        revoke(decision, order)
