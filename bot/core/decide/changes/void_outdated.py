"""Asks the one rule that voids, for changes and for people's pulls, and writes down what it says."""

from collections.abc import Set

from bot.core.decide.changes.revoke import revoke
from bot.core.decide.decision import Decision
from bot.core.journal.events import CandidateVoided, PullVoided
from bot.core.journal.state import Candidate, ChangeFacts, OrderFacts, OrderState, QueuedPull
from bot.core.state.queue_void import Kind, Lack, Phase, is_void, moved_since

# No runner has begun.
_BEFORE_RUNNERS = frozenset({Phase.PLACED, Phase.REPEATED})


def is_outdated(
    decision: Decision,
    queued: ChangeFacts | QueuedPull,
    phase: Phase,
    lacks: Set[Lack] = frozenset(),
) -> bool:
    """Whether the newest candidate of an entry is void; `lacks` are its faults apart from a base that moved."""
    candidate = decision.state.candidate_of(queued)
    if candidate is None:
        return False
    kind = Kind.CHANGE if isinstance(queued, ChangeFacts) else Kind.PULL
    moved = moved_since(decision.state, candidate.base)
    return is_void(kind, phase, lacks | moved)


def void_if_outdated(
    decision: Decision,
    queued: ChangeFacts | QueuedPull,
    phase: Phase,
    lacks: Set[Lack] = frozenset(),
) -> bool:
    """Record that the newest candidate is void, if it is, and revoke its gate order if no runner has it."""
    candidate = decision.state.candidate_of(queued)
    if candidate is None or not is_outdated(decision, queued, phase, lacks):
        return False
    placed = decision.state.orders.get(candidate.order) if candidate.order else None
    order = placed if placed is not None and placed.is_open else None
    if isinstance(queued, QueuedPull):
        waits = order.id if order else None
        decision.emit(PullVoided(number=queued.number, candidate=candidate.sha, order=waits))
    else:
        decision.emit(
            CandidateVoided(change=queued.id, order=candidate.order, candidate=candidate.sha)
        )
    if order is not None and order.state is OrderState.PLACED and phase in _BEFORE_RUNNERS:
        revoke(decision, order)
    return True


def phase_of(candidate: Candidate, order: OrderFacts | None) -> Phase:
    """How far the judgement of a candidate is that has no verdict yet; others may judge it, too."""
    if candidate.awaited is not None:
        return Phase.RUNNING
    if order is not None and order.state is OrderState.LEASED:
        return Phase.RUNNING
    if candidate.doubts:
        return Phase.REPEATED
    return Phase.PLACED if order is not None and order.is_open else Phase.BUILT
