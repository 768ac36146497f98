"""The queue's order: which change is before which, and what nobody may land on.

The order is derived from when each change first passed and is never stored.
"""

from bot.core.journal.state import ChangeFacts, RepositoryState
from bot.core.values.ids import Sha
from bot.core.values.lifecycle import ChangeState

# States in which a change keeps its place in the queue.
_ENTERED = {ChangeState.QUEUED, ChangeState.LANDING, ChangeState.JUDGING, ChangeState.BUILDING}


def entries(state: RepositoryState) -> tuple[ChangeFacts, ...]:
    """The queue: changes that passed once and have not ended, by their first pass."""
    entered = [c for c in state.changes.values() if c.queued_at is not None and c.state in _ENTERED]
    return tuple(sorted(entered, key=lambda c: c.queued_at or 0))


def ahead_of(state: RepositoryState, change: ChangeFacts) -> ChangeFacts | None:
    """The entry that is about to move main before this change can land; None if none is.

    What is judged on the main of now would be judged again.
    """
    if blocked_by(state) is not None:
        return None
    for entry in entries(state):
        if entry.id == change.id:
            return None
        if entry.land_after is None and not entry.pull_closed:
            return entry
    return None


def conflict_ahead_of(state: RepositoryState, change: ChangeFacts) -> ChangeFacts | None:
    """An older conflict about the same files that is not on main yet; None if there is none."""
    files = set(change.conflict_files)
    older = (
        c
        for c in state.changes.values()
        if c.id != change.id
        and not c.is_ended
        and c.conflicted_at is not None
        and c.conflicted_at < (change.conflicted_at or 0)
        and files.intersection(c.conflict_files)
    )
    return next(older, None)


def is_doubtful(state: RepositoryState, sha: Sha) -> bool:
    """Whether main at `sha` contains an adopted commit that is not judged yet, or red."""
    adoption = state.adoption_under(sha)
    return adoption is not None and adoption.green is not True


def blocked_by(state: RepositoryState) -> str | None:
    """Why nothing may land now, as a sentence; None if landing is allowed."""
    if state.frozen is not None:
        return f"The queue is frozen: {state.frozen}"
    if state.main is not None and is_doubtful(state, state.main):
        return (
            f"main moved to {state.main[:12]}, which Headgate did not land. "
            "The gates are still running on it."
        )
    return None
