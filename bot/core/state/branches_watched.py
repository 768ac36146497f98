"""Whether branches of changes are looked at, for what people push there."""

from bot.core.journal.state import RepositoryState, SpecRunState
from bot.core.values.lifecycle import ChangeState

# Somebody may work on it, also where its run is over.
_UNFINISHED = frozenset({ChangeState.FAILED, ChangeState.STOPPED})


def has_branches(state: RepositoryState) -> bool:
    """Whether somebody may work on the branch of a change: it is under way, failed or was stopped."""
    return any(
        run.state is SpecRunState.RUNNING or change.state in _UNFINISHED
        for run in state.spec_runs.values()
        for change in state.changes_of(run.id)
    )
