"""How people's pulls move through the queue; read as the tables in `transitions`, which shows this one."""

from bot.core.journal import events as ev
from bot.core.journal.machine import Machine, begin, in_place, on
from bot.core.journal.queued_pull import QueuedPull
from bot.core.values.lifecycle import IN_QUEUE, LEFT, EntryState

_OfPullsOrder = ev.PullGatesDoubted | ev.PullPassed
_OfPullsCandidate = (
    ev.PullGatesOrdered | ev.PullGatesDoubted | ev.PullPassed | ev.PullVoided | ev.PullLandIntended
)


def another_order_of_pull(pull: QueuedPull, event: _OfPullsOrder) -> bool:
    """It is about another order than the pull's newest."""
    return event.order != pull.order


def another_candidate_of_pull(pull: QueuedPull, event: _OfPullsCandidate) -> bool:
    """It is about another candidate than the pull's newest."""
    return pull.candidate is None or event.candidate != pull.candidate.sha


def another_head_of_pull(pull: QueuedPull, event: ev.PullCandidateBuilt) -> bool:
    """It was built from another head than the one that was queued."""
    return event.head != pull.head


def used_number_of_pull(pull: QueuedPull, event: ev.PullCandidateBuilt) -> bool:
    """The pull has had a candidate with this number."""
    return event.nth <= pull.candidates


def not_on_hold(pull: QueuedPull, _event: ev.PullReleased) -> bool:
    """Nobody holds it."""
    return pull.hold is None


_P = EntryState
_ON_THE_WAY = (_P.WAITING, _P.JUDGING, _P.QUEUED)

PULLS: Machine[QueuedPull, EntryState] = Machine(
    lambda pull: pull.state,
    (
        begin(ev.PullQueued, _P.WAITING),
        on(ev.PullQueued, dict.fromkeys((s for s in _P if s in LEFT), _P.WAITING)),
        on(ev.PullMoved, in_place(*(s for s in _P if s in IN_QUEUE))),
        on(ev.PullHeld, in_place(*_ON_THE_WAY)),
        on(ev.PullReleased, in_place(*_ON_THE_WAY), not_on_hold),
        on(ev.PullReviewed, in_place(*_ON_THE_WAY)),
        on(
            ev.PullCandidateBuilt,
            {_P.WAITING: _P.JUDGING},
            used_number_of_pull,
            another_head_of_pull,
        ),
        on(ev.PullGatesOrdered, in_place(_P.JUDGING), another_candidate_of_pull),
        on(
            ev.PullGatesDoubted,
            in_place(_P.JUDGING),
            another_order_of_pull,
            another_candidate_of_pull,
        ),
        on(
            ev.PullPassed,
            {_P.JUDGING: _P.QUEUED},
            another_order_of_pull,
            another_candidate_of_pull,
        ),
        on(
            ev.PullVoided,
            {_P.JUDGING: _P.WAITING, _P.QUEUED: _P.WAITING},
            another_candidate_of_pull,
        ),
        on(ev.PullLandIntended, {_P.QUEUED: _P.LANDING}, another_candidate_of_pull),
        on(ev.PullLandAborted, {_P.LANDING: _P.QUEUED}),
        on(ev.PullLanded, {_P.LANDING: _P.LANDED}),
        on(ev.PullEvicted, dict.fromkeys(_ON_THE_WAY, _P.EVICTED)),
        on(ev.PullWithdrawn, dict.fromkeys(_ON_THE_WAY, _P.WITHDRAWN)),
    ),
)
