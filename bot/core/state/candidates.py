"""What follows from a change's newest candidate: whether it steers its judgement, and what it waits for."""

from bot.core.journal.state import Awaited, ChangeFacts, RepositoryState
from bot.core.values.lifecycle import ChangeState
from bot.core.values.steering import Steering


def is_steered(state: RepositoryState, change: ChangeFacts) -> bool:
    """Whether its newest candidate changes how it is judged, and nobody allowed that."""
    candidate = state.candidate_of(change)
    steering = candidate.steering if candidate else Steering()
    return bool(steering.shadows or (steering.files and steering.digest not in change.allowed))


def awaited_now(state: RepositoryState, change: ChangeFacts) -> Awaited | None:
    """What its newest candidate waits for, while it is being judged."""
    candidate = state.candidate_of(change)
    if candidate is None or change.state is not ChangeState.JUDGING:
        return None
    return candidate.awaited


def reviews_awaited(state: RepositoryState, change: ChangeFacts) -> tuple[str, ...]:
    """The gates at which a model still reads its newest candidate."""
    awaited = awaited_now(state, change)
    if awaited is None:
        return ()
    ended = {gate for gate, last in change.reviews.items() if last.order == awaited.order}
    return tuple(gate for gate in awaited.reviews if gate not in ended)


def waits_for_people(state: RepositoryState, change: ChangeFacts) -> bool:
    """Whether it may stand still for days, and so holds nobody up."""
    awaited = awaited_now(state, change)
    return awaited is not None and awaited.asks_people
