"""How people's pulls move through the queue; read as the tables in `transitions`, which shows this one."""

from bot.core.journal import events as ev
from bot.core.journal.machine import Machine, begin, in_place, on
from bot.core.journal.queued_pull import QueuedPull
from bot.core.values.lifecycle import IN_QUEUE, LEFT, QueuedPullState


def another_head_of_pull(pull: QueuedPull, event: ev.PullCandidateBuilt) -> bool:
    """It was built from another head than the one that was queued."""
    return event.head != pull.head


def another_head_allowed(pull: QueuedPull, event: ev.PullAllowed) -> bool:
    """It is about another head than the one that was queued."""
    return event.head != pull.head


def used_number_of_pull(pull: QueuedPull, event: ev.PullCandidateBuilt | ev.PullUnfit) -> bool:
    """The pull has had a candidate with this number."""
    return event.nth <= pull.candidates


_P = QueuedPullState
_ON_THE_WAY = (_P.WAITING, _P.JUDGING, _P.QUEUED)

PULLS: Machine[QueuedPull, QueuedPullState] = Machine(
    lambda pull: pull.state,
    (
        begin(ev.PullQueued, _P.WAITING),
        on(ev.PullQueued, dict.fromkeys((s for s in _P if s in LEFT), _P.WAITING)),
        on(ev.PullMoved, in_place(*(s for s in _P if s in IN_QUEUE))),
        on(ev.PullHeld, in_place(*_ON_THE_WAY)),
        on(ev.PullReleased, in_place(*_ON_THE_WAY)),
        on(ev.PullReviewed, in_place(*_ON_THE_WAY)),
        on(ev.PullAllowed, in_place(*_ON_THE_WAY), another_head_allowed),
        on(
            ev.PullCandidateBuilt,
            {_P.WAITING: _P.JUDGING},
            used_number_of_pull,
            another_head_of_pull,
        ),
        on(ev.PullUnfit, in_place(_P.WAITING), used_number_of_pull),
        on(ev.PullGatesOrdered, in_place(_P.JUDGING)),
        on(ev.PullGatesDoubted, in_place(_P.JUDGING)),
        on(ev.PullPassedAsMain, in_place(_P.JUDGING)),
        on(ev.PullPassed, {_P.JUDGING: _P.QUEUED}),
        on(ev.PullVoided, {_P.JUDGING: _P.WAITING, _P.QUEUED: _P.WAITING}),
        on(ev.PullLandIntended, {_P.QUEUED: _P.LANDING}),
        on(ev.PullLandAborted, {_P.LANDING: _P.QUEUED}),
        on(ev.PullLanded, {_P.LANDING: _P.LANDED}),
        on(ev.PullEvicted, dict.fromkeys(_ON_THE_WAY, _P.EVICTED)),
        on(ev.PullWithdrawn, dict.fromkeys(_ON_THE_WAY, _P.WITHDRAWN)),
    ),
)
