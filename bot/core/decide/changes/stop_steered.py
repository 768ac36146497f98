"""A change that steers how it is judged is not judged before a person has allowed that."""

from bot.core.decide.decision import Decision
from bot.core.journal.events import ChangeFailed, FailureReason
from bot.core.journal.state import ChangeFacts, RepositoryState
from bot.core.state.candidates import is_being_judged, is_steered
from bot.core.talk.steering_text import shadows_text, steered_text


def stop_steered(decision: Decision, change: ChangeFacts) -> bool:
    """End a change of which the newest candidate steers its judgement; whether it did."""
    candidate = decision.state.candidate_of(change)
    is_judged = candidate is not None and is_being_judged(decision.state, change)
    if candidate is None or not is_judged or not is_steered(decision.state, change):
        return False
    steering = candidate.steering
    said = shadows_text(steering) if steering.shadows else steered_text(steering, candidate.sha)
    decision.emit(ChangeFailed(change=change.id, reason=FailureReason.STEERED, sentence=said))
    return True


def steers_setup(state: RepositoryState, change: ChangeFacts) -> bool:
    """Whether setup runs on the work's own tree: somebody allowed what it changes there."""
    candidate = state.candidate_of(change)
    return (
        candidate is not None and bool(candidate.steering.setup) and not is_steered(state, change)
    )
