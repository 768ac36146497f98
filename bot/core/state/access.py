"""What may still be done where Headgate is away, and when what is under way is closed."""

from datetime import datetime, timedelta

from bot.core.journal.effects import Effect, PostComment
from bot.core.journal.state import Away, RepositoryState
from bot.core.values.repository import AwayReason

# A repository that is on its way to another owner, or out by mistake, is back within this time.
REMOVAL_GRACE = timedelta(hours=1)

# Without these GitHub takes no comment, or does not let us look for it first.
_TO_COMMENT = frozenset(
    {"issues: write", "pull_requests: write", "contents: write", "metadata: read"}
)


def can_comment(away: Away) -> bool:
    return away.reason is AwayReason.PERMISSIONS and _TO_COMMENT.isdisjoint(away.lacks)


def may_be_done(away: Away | None, effect: Effect) -> bool:
    """Whether an effect need not wait until we are back."""
    return away is None or (isinstance(effect, PostComment) and can_comment(away))


def closes_at(state: RepositoryState) -> datetime | None:
    """When work under way is closed after our removal; None if none is to be closed."""
    if state.away is None or state.away.reason is not AwayReason.REMOVED:
        return None
    is_open = any(run.is_open for run in state.spec_runs.values())
    is_open = is_open or any(dialogue.is_open for dialogue in state.dialogues.values())
    return state.away.since + REMOVAL_GRACE if is_open else None


def is_removal_due(state: RepositoryState, now: datetime) -> bool:
    """Whether it is to be closed, if we are still removed."""
    at = closes_at(state)
    return at is not None and now >= at
