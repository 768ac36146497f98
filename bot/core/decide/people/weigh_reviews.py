"""What reviews say of changes' pulls: who asks for changes keeps a change from landing, and where the
policy asks for approvals, they are waited for.
"""

from bot.core.decide.decision import Decision
from bot.core.journal.events import ChangeReviewed
from bot.core.journal.state import ChangeFacts
from bot.core.state.approvals import approvals_of_changes
from bot.core.values.lifecycle import ChangeState


def next_steps(decision: Decision) -> None:
    for change in tuple(decision.state.changes.values()):
        if change.pull is not None and not change.is_ended:
            _note(decision, change)


def _note(decision: Decision, change: ChangeFacts) -> None:
    needed = approvals_of_changes(decision.policy)
    if change.pull is None or change.state is ChangeState.LANDING:
        return
    seen = decision.observed.approvals.get(change.pull, change.approvals)
    if (needed, seen) == (change.approvals_needed, change.approvals):
        return
    decision.emit(ChangeReviewed(change=change.id, approvals=seen, needed=needed))
