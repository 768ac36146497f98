"""The queue's order: which entry is before which, and what nobody may land on.

An entry is a change that has passed its gates once, or a person's pull that somebody queued. The order
is derived from what is known of the entries, and never stored.
"""

from datetime import datetime
from operator import itemgetter
from typing import NamedTuple

from bot.core.journal.state import ChangeFacts, Entry, QueuedPull, RepositoryState
from bot.core.state.candidates import waits_for_people
from bot.core.state.guarded import lost_by
from bot.core.values.freeze import FreezeCause
from bot.core.values.ids import ChangeId, EntryId, PullNumber, Sha
from bot.core.values.lifecycle import CandidateState, EntryState
from bot.core.values.replacement import replace

Queued = ChangeFacts | QueuedPull


class Tuning(NamedTuple):
    """What a strategy may do: `window` entries are under way at once."""

    window: int

    @property
    def overtaken_max(self) -> int:
        """Who was overtaken so often is ripe: nobody goes before it any more but who is ripe for longer."""
        return 2 * self.window


SERIAL = Tuning(window=1)


def entries(state: RepositoryState) -> tuple[Queued, ...]:
    """The queue, first who lands first: what is landing, who is ripe, whom a person put first, what is
    being judged on main, then by priority, people before agents, and by when each entered.
    """
    changes: list[tuple[Entry, ChangeFacts]] = []
    ranked: list[tuple[tuple[int, int, int, int], Queued]] = []
    for entry in state.entries.values():
        if entry.state is not EntryState.QUEUED and entry.state is not EntryState.LANDING:
            continue
        kind, _, name = entry.id.partition(":")
        if kind == "pull":
            pull = state.queued_pulls[PullNumber(int(name))]
            ranked.append((_rank(entry, is_in_flight=_is_in_flight(state, entry)), pull))
        elif not waits_for_people(state, state.changes[ChangeId(name)]):
            changes.append((entry, state.changes[ChangeId(name)]))
    # Changes stay in their own order, whichever of them is being judged.
    is_change_in_flight = any(_is_in_flight(state, entry) for entry, _ in changes)
    ranked += [(_rank(entry, is_in_flight=is_change_in_flight), c) for entry, c in changes]
    return tuple(queued for _, queued in sorted(ranked, key=itemgetter(0)))


def _is_in_flight(state: RepositoryState, entry: Entry) -> bool:
    """Whether its candidate stands on main: it would be judged in vain if another went first."""
    newest = entry.candidate
    candidate = state.candidates.get(newest) if newest is not None else None
    if candidate is None or candidate.state is CandidateState.VOID:
        return False
    return candidate.recipe.base == state.main


def _rank(entry: Entry, *, is_in_flight: bool) -> tuple[int, int, int, int]:
    entered = entry.entered or 0
    is_pull = entry.id.startswith("pull:")
    if entry.state is EntryState.LANDING:
        return (0, 0, 0, entered)
    if entry.overtaken >= SERIAL.overtaken_max:
        return (1, 0, 0, entered)
    if entry.is_next:
        return (2, 0, 0, entered)
    if is_in_flight:
        # Changes are in flight together, and stand in their own order.
        return (3, 0 if is_pull else -entry.priority, 0, entered)
    return (4, -entry.priority, 0 if is_pull else 1, entered)


def front(state: RepositoryState, now: datetime) -> Queued | None:
    """Who lands next: the first, without what a person holds, and pulls that wait for people or that
    GitHub has just refused.
    """
    return next((entry for entry in entries(state) if not is_aside(state, entry, now)), None)


def queued_of(state: RepositoryState, id_: EntryId) -> Queued | None:
    """Who is in the queue under this id, and not landing."""
    entry = state.entries.get(id_)
    if entry is None or entry.state is not EntryState.QUEUED:
        return None
    kind, _, name = id_.partition(":")
    if kind == "pull":
        return state.queued_pulls[PullNumber(int(name))]
    change = state.changes[ChangeId(name)]
    return None if waits_for_people(state, change) else change


def is_held(state: RepositoryState, queued: Queued) -> bool:
    """Whether a person keeps it from landing, or a change's reviews do; what is landing lands."""
    entry = state.entry_of(queued)
    is_kept = isinstance(queued, ChangeFacts) and queued.waits_for_reviews
    return (entry.hold is not None or is_kept) and entry.state is not EntryState.LANDING


def is_aside(state: RepositoryState, queued: Queued, now: datetime | None = None) -> bool:
    """Whether others go before it; `now` None: also one whose landing GitHub refused a while ago."""
    entry = state.entry_of(queued)
    if entry.state is EntryState.LANDING:
        return False
    if is_held(state, queued) or not isinstance(queued, QueuedPull):
        return is_held(state, queued)
    is_refused = entry.land_after is not None and (now is None or now < entry.land_after)
    is_kept = queued.waits_for_reviews or waits_for_word(state, queued)
    is_kept = is_kept or bool(lost_by(state, queued)) or does_not_fit(state, queued)
    return is_refused or is_kept


def waits_for_word(state: RepositoryState, pull: QueuedPull) -> bool:
    """Whether it edits what others are judged by on main as it is, and nobody allowed that; a later main
    may have that already.
    """
    return pull.needs_word and pull.rules_on in {None, state.main}


def does_not_fit(state: RepositoryState, pull: QueuedPull) -> bool:
    """Whether its merge could not be made on main as it is."""
    return pull.unfit is not None and pull.unfit.base == state.main


def place_of(state: RepositoryState, wanted: Queued) -> int:
    """Its place in the queue, from 1 on."""
    queue = entries(state)
    return 1 + next((at for at, entry in enumerate(queue) if entry == wanted), len(queue))


def ahead_of(state: RepositoryState, change: ChangeFacts) -> Queued | None:
    """The entry that is about to move main before this change can land; None if none is.

    What is judged on the main of now would be judged again.
    """
    if blocked_by(state) is not None:
        return None
    for entry in entries(state):
        if _enters_before(state, change, entry):
            continue
        if isinstance(entry, QueuedPull):
            if not is_aside(state, entry):
                return entry
            continue
        if entry.id == change.id:
            return None
        refused_until = state.entry_of(entry).land_after
        if refused_until is None and not entry.pull_closed and not is_held(state, entry):
            return entry
    return None


def _enters_before(state: RepositoryState, change: ChangeFacts, entry: Queued) -> bool:
    """Whether a change that is not in the queue yet goes before an entry, because a person said so."""
    mine, other = state.entry_of(change), state.entry_of(entry)
    if mine.entered is not None or not (mine.is_next or mine.priority):
        return False
    entered = replace(mine, entered=state.events)
    is_in_flight = _is_in_flight(state, other)
    return _rank(entered, is_in_flight=False) < _rank(other, is_in_flight=is_in_flight)


def conflict_ahead_of(state: RepositoryState, change: ChangeFacts) -> ChangeFacts | None:
    """An older conflict about the same files that is not on main yet; None if there is none."""
    files = set(change.conflict_files)
    older = (
        c
        for c in state.changes.values()
        if c.id != change.id
        and not c.is_ended
        and c.conflicted_at is not None
        and c.conflicted_at < (change.conflicted_at or 0)
        and files.intersection(c.conflict_files)
    )
    return next(older, None)


def is_doubtful(state: RepositoryState, sha: Sha) -> bool:
    """Whether main at `sha` contains an adopted commit that is not judged yet, or red."""
    adoption = state.adoption_under(sha)
    return adoption is not None and adoption.green is not True


def blocked_by(state: RepositoryState) -> str | None:
    """Why nothing may land now, as a sentence; None if landing is allowed."""
    if state.frozen is not None:
        return f"The queue is frozen: {state.frozen}"
    if FreezeCause.PERSON in state.freezes:
        return "The queue is frozen by a person."
    if FreezeCause.ADOPTED in state.freezes:
        return f"The queue is frozen: {state.freezes[FreezeCause.ADOPTED].why}."
    if FreezeCause.SMOKE in state.freezes:
        return f"The queue is frozen: {state.freezes[FreezeCause.SMOKE].why}."
    if state.main is not None and is_doubtful(state, state.main):
        return (
            f"{state.on_branch or 'main'} moved to {state.main[:12]}, which Headgate did not land. "
            "The gates are still running on it."
        )
    return None


def is_landing_refused(state: RepositoryState) -> bool:
    """Whether GitHub refused a landing that is tried again."""
    waiting: list[Queued] = [c for c in state.changes.values() if not c.is_ended]
    waiting += [p for p in state.queued_pulls.values() if not p.has_left]
    return any(state.entry_of(one).land_after is not None for one in waiting)
