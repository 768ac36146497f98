"""What follows from a change's newest candidate: how far an offered change is, whether it steers its
judgement, and what it waits for.
"""

from bot.core.journal.state import Awaited, ChangeFacts, RepositoryState
from bot.core.values.lifecycle import CandidateState, ChangeState, EntryState, OfferStage
from bot.core.values.steering import Steering

_STAGES = {
    CandidateState.BUILT: OfferStage.JUDGING,
    CandidateState.JUDGING: OfferStage.JUDGING,
    CandidateState.JUDGED: OfferStage.QUEUED,
}


def stage_of(state: RepositoryState, change: ChangeFacts) -> OfferStage | None:
    """How far an offered change is; None where it is not offered. What is red is offered no more, so what
    is judged has passed."""
    if change.state is not ChangeState.OFFERED:
        return None
    if state.entry_of(change).state is EntryState.LANDING:
        return OfferStage.LANDING
    candidate = state.candidate_of(change)
    return _STAGES.get(candidate.state, OfferStage.BUILDING) if candidate else OfferStage.BUILDING


def is_landing(state: RepositoryState, change: ChangeFacts) -> bool:
    """Whether main is being moved to its candidate."""
    return stage_of(state, change) is OfferStage.LANDING


def is_being_judged(state: RepositoryState, change: ChangeFacts) -> bool:
    """Whether the verdict on its newest candidate is not given yet."""
    return stage_of(state, change) is OfferStage.JUDGING


def state_shown(state: RepositoryState, change: ChangeFacts) -> str:
    """Its state in one word, of an offered change how far it is."""
    return (stage_of(state, change) or change.state).value


def is_steered(state: RepositoryState, change: ChangeFacts) -> bool:
    """Whether its newest candidate changes how it is judged without a person's permission."""
    candidate = state.candidate_of(change)
    steering = candidate.steering if candidate else Steering()
    return bool(steering.shadows or (steering.files and steering.digest not in change.allowed))


def awaited_now(state: RepositoryState, change: ChangeFacts) -> Awaited | None:
    """What its newest candidate waits for, while it is being judged."""
    candidate = state.candidate_of(change)
    if candidate is None or not is_being_judged(state, change):
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
    """Whether it waits for a person, which may take days: then others need not wait for it."""
    awaited = awaited_now(state, change)
    return awaited is not None and awaited.asks_people
