"""Which people's pulls are looked at because of the queue."""

from collections.abc import Iterable, Iterator, Set

from bot.core.journal.state import QueuedPull, RepositoryState
from bot.core.values.ids import PullNumber


def queued_pulls(state: RepositoryState, hinted: Set[int] | None) -> tuple[PullNumber, ...]:
    """Those in the queue; only those that a hint names, unless all are asked for (None)."""
    return tuple(
        number
        for number, pull in _of_all_branches(state)
        if not pull.has_left and (hinted is None or number in hinted)
    )


def queued_by_label(state: RepositoryState) -> frozenset[PullNumber]:
    """Those that leave again when the label is taken off."""
    return frozenset(number for number, pull in _of_all_branches(state) if pull.is_by_label)


def _of_all_branches(state: RepositoryState) -> Iterator[tuple[PullNumber, QueuedPull]]:
    for queue in (state.queued_pulls, *(b.queued_pulls for b in state.branches.values())):
        yield from queue.items()


def labelled_pulls(state: RepositoryState, hinted: Iterable[int]) -> tuple[PullNumber, ...]:
    """Those whose label for the queue was put on or taken off, as far as they are people's."""
    return tuple(PullNumber(n) for n in hinted if state.change_with(n) is None)


def unqueued_pulls(state: RepositoryState, hinted: Iterable[int]) -> tuple[PullNumber, ...]:
    """Those of people that are not in the queue, and may enter it by themselves now."""
    in_queue = set(queued_pulls(state, None))
    asked = {PullNumber(n) for n in hinted if state.change_with(n) is None}
    return tuple(sorted(asked - in_queue))
