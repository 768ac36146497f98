"""A landing that waits in GitHub's merge queue is to be taken out there."""

from bot.core.decide.decision import Decision
from bot.core.journal.branches import landing_in_githubs_queue
from bot.core.journal.events import LandingRecalled
from bot.core.values.ids import EntryId
from bot.core.values.lifecycle import AfterRecall


def recall_landing(
    decision: Decision, entry: EntryId, by: str, why: str, then: AfterRecall
) -> bool:
    """False where it does not wait there."""
    if landing_in_githubs_queue(decision.state, entry) is None:
        return False
    now = decision.now
    decision.emit(LandingRecalled(entry=entry, by=by, why=why, then=then, recalled_at=now))
    return True
