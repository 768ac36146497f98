"""Whether something is under way in a repository, so that a lost webhook would be waited for."""

from bot.core.journal.state import RepositoryState
from bot.core.state.observed import is_untold


def is_under_way(state: RepositoryState) -> bool:
    """Work, talk, or a judgement of main that has not ended; what is refused for good has."""
    return (
        bool(state.open_effects or state.heard)
        or state.frozen is not None
        or any(run.is_open or is_untold(run) for run in state.spec_runs.values())
        or any(order.is_open for order in state.orders.values())
        or any(dialogue.is_open for dialogue in state.dialogues.values())
        or any(adoption.green is None for adoption in state.adoptions.values())
    )
