"""How entries of the queue evolve, of changes and of people's pulls alike."""

from bot.core.journal import events as ev
from bot.core.journal.entry_transitions import ENTRIES
from bot.core.journal.hold import Hold
from bot.core.journal.queue_entry import Entry
from bot.core.journal.state import ChangeFacts, QueuedPull, RepositoryState
from bot.core.journal.transitions import CHANGES
from bot.core.values.ids import EntryId
from bot.core.values.lifecycle import GONE, ChangeState
from bot.core.values.replacement import replace, without


def with_entry(state: RepositoryState, entry: Entry) -> RepositoryState:
    in_line = state.in_line
    if entry.entered != in_line.get(entry.id):
        in_line = without(in_line, entry.id)
        in_line = in_line if entry.entered is None else {**in_line, entry.id: entry.entered}
    return replace(state, entries={**state.entries, entry.id: entry}, in_line=in_line)


def without_entries(state: RepositoryState, *gone: EntryId) -> RepositoryState:
    left = [state.entries[id_] for id_ in gone if id_ in state.entries]
    made = [id_ for entry in left for id_ in (entry.candidate, entry.asked) if id_ is not None]
    return replace(
        state,
        entries=without(state.entries, *gone),
        in_line=without(state.in_line, *gone),
        candidates=without(state.candidates, *made),
    )


def change_after(
    state: RepositoryState, change: ChangeFacts | None, event: object
) -> ChangeState | None:
    """The state of a change after the event; None where it is stale for the change or for its entry."""
    if change is None:
        return None
    if ENTRIES.knows(event) and ENTRIES.after(state.entry_of(change), event) is None:
        return None
    return CHANGES.after(change, event)


def moved_entry(
    state: RepositoryState, thing: ChangeFacts | QueuedPull, event: object
) -> RepositoryState:
    """The state with a thing's entry as the event moves it; the event is not stale for the thing."""
    entry = state.entry_of(thing)
    after = ENTRIES.after(entry, event)
    if after is None:
        return state
    moved = replace(entry, state=after)
    if after in GONE:
        # An entry that comes back gets a new place.
        moved = replace(moved, entered=None)
    said = _said(moved, event, state.events)
    return state if said == entry else with_entry(state, said)


def _said(entry: Entry, event: object, number: int) -> Entry:
    match event:
        case ev.PullQueued():
            return Entry(id=entry.id, state=entry.state, entered=number, priority=event.priority)
        case ev.CandidatePassed():
            # Its place is the number of the event; it keeps the first.
            return replace(entry, entered=number) if entry.entered is None else entry
        case (
            ev.CandidateFailed()
            | ev.CandidateConflicted()
            | ev.ArchiveRefused()
            | ev.HeadTakenOver()
            | ev.PushRefused()
        ):
            return replace(entry, entered=None)
        case ev.ChangeMoved() | ev.PullMoved():
            is_next = event.is_next or entry.is_next
            return replace(entry, priority=event.priority, is_next=is_next)
        case ev.ChangeHeld() | ev.PullHeld():
            hold = Hold(by=event.by, why=event.why, since=event.held_at)
            return replace(entry, hold=hold, recall=None)
        case ev.ChangeReleased():
            return replace(entry, hold=None, released_at=event.released_at or entry.released_at)
        case ev.PullReleased():
            return replace(entry, hold=None)
        case ev.PullEvicted() | ev.PullWithdrawn():
            return replace(entry, hold=None, recall=None, is_next=False)
        case ev.LandIntended() | ev.PullLandIntended() | ev.ChangeStopped():
            return replace(entry, recall=None)
        case ev.LandAborted() | ev.PullLandAborted():
            return replace(entry, land_after=event.again_at)
        case _:
            return entry


def overtook(state: RepositoryState, landed: ChangeFacts | QueuedPull) -> RepositoryState:
    """Entries that came before the one that lands were overtaken by it, except those that a person holds."""
    entered = state.entry_of(landed).entered
    if entered is None:
        return state
    before = [state.entries[id_] for id_, number in state.in_line.items() if number < entered]
    passed = {
        entry.id: replace(entry, overtaken=entry.overtaken + 1)
        for entry in before
        if entry.hold is None
    }
    return replace(state, entries={**state.entries, **passed}) if passed else state
