"""How entries move through the queue; read as the tables in `transitions`, which shows this one.

An event moves an entry only where it moves its change or its pull.
"""

from bot.core.journal import events as ev
from bot.core.journal.machine import Machine, begin, in_place, on
from bot.core.journal.queue_entry import Entry
from bot.core.values.ids import Frozen
from bot.core.values.lifecycle import EntryState


def never_entered(entry: Entry, _event: Frozen) -> bool:
    """It has not been in the queue, or lost its place."""
    return entry.entered is None


def nobody_holds(entry: Entry, _event: Frozen) -> bool:
    """Nobody keeps it from landing."""
    return entry.hold is None


_P = EntryState
_OUT = (_P.WAITING, _P.EVICTED, _P.WITHDRAWN)
_IN = (_P.QUEUED, _P.LANDING)

ENTRIES: Machine[Entry, EntryState] = Machine(
    lambda entry: entry.state,
    (
        # A change waits until its gates have passed once; a person's pull enters when it is queued.
        begin(ev.PlanMade, _P.WAITING),
        begin(ev.PullQueued, _P.QUEUED),
        on(ev.PullQueued, dict.fromkeys(_P, _P.QUEUED)),
        on(ev.CandidatePassed, {**dict.fromkeys(_OUT, _P.QUEUED), **in_place(_P.QUEUED)}),
        # It keeps its place while a command makes a file anew, and is not in the queue.
        on(ev.AgentOrdered, {_P.QUEUED: _P.WAITING, _P.EVICTED: _P.WAITING}),
        on(ev.HeadImported, {_P.WAITING: _P.QUEUED}, never_entered),
        # Another work loses the place of the one before.
        on(ev.HeadTakenOver, dict.fromkeys((*_OUT, _P.QUEUED), _P.WAITING)),
        on(ev.PushRefused, dict.fromkeys((*_OUT, _P.QUEUED), _P.WAITING)),
        on(ev.CandidateBuilt, {_P.WAITING: _P.QUEUED, **in_place(_P.QUEUED)}, never_entered),
        on(ev.PullCandidateBuilt, in_place(_P.QUEUED)),
        on(ev.ChangeMoved, in_place(*_OUT, *_IN)),
        on(ev.PullMoved, in_place(*_IN)),
        on(ev.ChangeHeld, in_place(*_OUT, *_IN)),
        on(ev.PullHeld, in_place(_P.QUEUED)),
        on(ev.ChangeReleased, in_place(*_OUT, *_IN), nobody_holds),
        on(ev.PullReleased, in_place(_P.QUEUED), nobody_holds),
        on(ev.LandIntended, {_P.QUEUED: _P.LANDING}),
        on(ev.PullLandIntended, {_P.QUEUED: _P.LANDING}),
        on(ev.LandAborted, {_P.LANDING: _P.QUEUED}),
        on(ev.PullLandAborted, {_P.LANDING: _P.QUEUED}),
        on(ev.Landed, {_P.LANDING: _P.LANDED}),
        on(ev.PullLanded, {_P.LANDING: _P.LANDED}),
        on(ev.MergedByHand, dict.fromkeys((*_OUT, _P.QUEUED), _P.LANDED)),
        on(ev.CandidateFailed, {_P.WAITING: _P.WAITING, _P.QUEUED: _P.EVICTED}),
        on(ev.CandidateConflicted, {_P.WAITING: _P.WAITING, _P.QUEUED: _P.EVICTED}),
        on(ev.ArchiveRefused, {_P.WAITING: _P.WAITING, _P.QUEUED: _P.EVICTED}),
        on(ev.ChangeFailed, dict.fromkeys((_P.WAITING, *_IN), _P.EVICTED)),
        on(ev.PullEvicted, {_P.QUEUED: _P.EVICTED}),
        on(ev.ChangeStopped, dict.fromkeys((*_OUT, _P.QUEUED), _P.WITHDRAWN)),
        on(ev.PullWithdrawn, {_P.QUEUED: _P.WITHDRAWN}),
        on(ev.ChangeReopened, dict.fromkeys((_P.EVICTED, _P.WITHDRAWN), _P.WAITING)),
    ),
)
