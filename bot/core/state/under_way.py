"""Whether something is under way in a repository, so that a lost webhook would delay it."""

from bot.core.journal.state import RepositoryState
from bot.core.state.looked_at import is_untold
from bot.core.state.queue_order import is_doubtful
from bot.core.state.queued_pulls import queued_pulls


def is_under_way(state: RepositoryState) -> bool:
    """Open work or dialogues, or an unfinished judgement of main; not what was refused for good,
    nor anything where we may do nothing.
    """
    return state.away is None and (
        bool(state.open_effects or state.heard)
        or state.frozen is not None
        or any(run.is_open or is_untold(run) for run in state.spec_runs.values())
        or any(order.is_open for order in state.orders.values())
        or bool(queued_pulls(state, None))
        or any(dialogue.is_open for dialogue in state.dialogues.values())
        or _is_main_doubted(state)
    )


def _is_main_doubted(state: RepositoryState) -> bool:
    return state.main is not None and is_doubtful(state, state.main)
