"""A change's size from a label on its issue, which overrides the estimate.

A label counts for all later orders if the person who set it now has the role write. Of two labels
the newer one counts; without a label the estimate counts again. `bot.core.spec.agent_budget` says
what a size means.
"""

from bot.core.decide.decision import Decision
from bot.core.journal.events import SizeSaid
from bot.core.journal.state import ChangeFacts
from bot.core.state.observed import SizeSnapshot
from bot.core.talk.plans import size_label_needs_role
from bot.core.values.plan_model import ChangeSize
from bot.core.values.repository import Role

_PREFIX = "headgate:size-"
SIZE_LABELS = {f"{_PREFIX}{size}": size for size in ChangeSize}


def size_of_label(label: str) -> ChangeSize | None:
    """The size that a label names, in upper or lower case; None for other labels."""
    lowered = label.lower()
    return next((s for name, s in SIZE_LABELS.items() if name.lower() == lowered), None)


def next_steps(decision: Decision) -> None:
    for number, snapshot in decision.observed.sizes.items():
        for change in tuple(decision.state.changes.values()):
            if change.issue == number and change.landed is None:
                _take(decision, change, snapshot)


def _take(decision: Decision, change: ChangeFacts, snapshot: SizeSnapshot | None) -> None:
    size, by = None, ""
    if snapshot is not None and snapshot.role.covers(Role.WRITE):
        size, by = snapshot.size, snapshot.labelled_by
    elif snapshot is not None and snapshot.size is not None and change.issue is not None:
        subject = f"size {change.id} by {snapshot.labelled_by}"
        text = size_label_needs_role(snapshot.labelled_by, snapshot.role)
        decision.comment_once(change.issue, subject, text)
    if (size, by) != (change.said_size, change.said_size_by):
        decision.emit(SizeSaid(change=change.id, size=size, said_by=by))
