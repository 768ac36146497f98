"""Which people's pulls are looked at because of the queue."""

from collections.abc import Set

from bot.core.journal.state import RepositoryState
from bot.core.values.ids import PullNumber


def queued_pulls(state: RepositoryState, hinted: Set[int] | None) -> tuple[PullNumber, ...]:
    """Those in the queue; only those that a hint names, unless all are asked for (None)."""
    return tuple(
        number
        for number, pull in state.queued_pulls.items()
        if not pull.has_left and (hinted is None or number in hinted)
    )
