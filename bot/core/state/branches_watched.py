"""Whether branches of changes are looked at, for what people push there."""

from bot.core.journal.state import RepositoryState, SpecRunState
from bot.core.values.lifecycle import ChangeState


def has_branches(state: RepositoryState) -> bool:
    """Whether somebody may work on the branch of a change: it is under way, or has failed."""
    return any(
        run.state is SpecRunState.RUNNING
        or (run.state is SpecRunState.ENDED and change.state is ChangeState.FAILED)
        for run in state.spec_runs.values()
        for change in state.changes_of(run.id)
    )
