"""How entries move through the queue; read as the tables in `transitions`, which shows this one.

An event moves an entry only where it moves its change or its pull, and a change only where it moves its
entry: what is landing is left alone, whatever is said of it meanwhile.
"""

from bot.core.journal import events as ev
from bot.core.journal.machine import Machine, begin, in_place, on
from bot.core.journal.queue_entry import Entry
from bot.core.values.ids import Frozen
from bot.core.values.lifecycle import EntryState


def never_entered(entry: Entry, _event: Frozen) -> bool:
    """It has not been in the queue, or lost its place."""
    return entry.entered is None


_P = EntryState
_OUT = (_P.WAITING, _P.EVICTED, _P.WITHDRAWN)
_IN = (_P.QUEUED, _P.LANDING)
_BEFORE_LANDING = (*_OUT, _P.QUEUED)
_GONE = (_P.EVICTED, _P.WITHDRAWN)
_UNFIT = {**in_place(*_OUT), _P.QUEUED: _P.EVICTED}

ENTRIES: Machine[Entry, EntryState] = Machine(
    lambda entry: entry.state,
    (
        # A change waits until its gates have passed once; a person's pull enters when it is queued.
        begin(ev.PlanMade, _P.WAITING),
        begin(ev.PullQueued, _P.QUEUED),
        on(ev.PullQueued, dict.fromkeys(_P, _P.QUEUED)),
        on(ev.CandidatePassed, {**dict.fromkeys(_OUT, _P.QUEUED), **in_place(_P.QUEUED)}),
        # It keeps its place while a command makes a file anew, and is not in the queue.
        on(
            ev.AgentOrdered,
            {**in_place(*_OUT), _P.QUEUED: _P.WAITING, _P.EVICTED: _P.WAITING},
        ),
        on(ev.HeadImported, {_P.WAITING: _P.QUEUED}, never_entered),
        on(ev.HeadImported, in_place(*_BEFORE_LANDING)),
        # Another work loses the place of the one before.
        on(ev.HeadTakenOver, dict.fromkeys(_BEFORE_LANDING, _P.WAITING)),
        on(ev.PushRefused, dict.fromkeys(_BEFORE_LANDING, _P.WAITING)),
        on(ev.PushPassedOver, in_place(*_BEFORE_LANDING)),
        on(ev.CandidateBuilt, {_P.WAITING: _P.QUEUED}, never_entered),
        on(ev.CandidateBuilt, in_place(*_BEFORE_LANDING)),
        on(ev.GatesAskedAgain, in_place(*_BEFORE_LANDING)),
        on(ev.CandidateVoided, in_place(*_BEFORE_LANDING)),
        on(ev.PullCandidateBuilt, in_place(_P.QUEUED)),
        on(ev.PullUnfit, in_place(_P.QUEUED)),
        on(ev.ChangeReviewed, in_place(*_BEFORE_LANDING)),
        on(ev.RequestHeard, in_place(*_BEFORE_LANDING)),
        on(ev.ChangeMoved, in_place(*_BEFORE_LANDING)),
        on(ev.PullMoved, in_place(*_IN)),
        on(ev.ChangeHeld, in_place(*_BEFORE_LANDING)),
        on(ev.PullHeld, in_place(_P.QUEUED)),
        on(ev.ChangeReleased, in_place(*_BEFORE_LANDING)),
        on(ev.PullReleased, in_place(_P.QUEUED)),
        on(ev.LandIntended, {_P.QUEUED: _P.LANDING}),
        on(ev.PullLandIntended, {_P.QUEUED: _P.LANDING}),
        on(ev.LandingRecalled, in_place(_P.LANDING)),
        on(ev.LandAborted, {_P.LANDING: _P.QUEUED}),
        on(ev.PullLandAborted, {_P.LANDING: _P.QUEUED}),
        on(ev.Landed, {_P.LANDING: _P.LANDED}),
        on(ev.PullLanded, {_P.LANDING: _P.LANDED}),
        on(ev.MergedByHand, dict.fromkeys(_BEFORE_LANDING, _P.LANDED)),
        on(ev.CandidateFailed, _UNFIT),
        on(ev.CandidateConflicted, _UNFIT),
        on(ev.ArchiveRefused, _UNFIT),
        on(ev.ChangeFailed, {**dict.fromkeys((_P.WAITING, *_IN), _P.EVICTED), **in_place(*_GONE)}),
        on(ev.PullEvicted, {_P.QUEUED: _P.EVICTED}),
        on(ev.ChangeStopped, dict.fromkeys(_BEFORE_LANDING, _P.WITHDRAWN)),
        on(ev.PullWithdrawn, {_P.QUEUED: _P.WITHDRAWN}),
        on(ev.ChangeReopened, dict.fromkeys(_OUT, _P.WAITING)),
    ),
)
