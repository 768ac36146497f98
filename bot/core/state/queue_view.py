"""The queue as people ask for it: who is in it, what each waits for, and when its turn may come.

Derived, never stored. A time is a range: what the gates took last, side by side or one after another.
"""

from datetime import datetime
from enum import StrEnum

from bot.core.journal.state import ChangeFacts, QueuedPull, RepositoryState
from bot.core.state.queue_order import Queued, blocked_by, entries, is_held
from bot.core.values.freeze import FreezeCause
from bot.core.values.ids import Frozen
from bot.core.values.lifecycle import ChangeState, EntryState


class Wait(StrEnum):
    """What an entry waits for."""

    LANDS = "lands"
    HELD = "held"
    REVIEWS = "reviews"
    REFUSED = "refused"
    AHEAD = "ahead"
    GATES = "gates"
    MAIN = "main"
    FROZEN = "frozen"
    ADOPTED = "adopted"
    BUILD = "build"


# Nobody knows how long.
_WITHOUT_END = frozenset({Wait.MAIN, Wait.FROZEN, Wait.ADOPTED})


class Place(Frozen):
    """One entry. `entry` is `pull:12` or `change:<id>`; `number` the pull's, where it has one.

    `judged_seconds`: how long its gates have run, since `judged_since`. `expected_seconds`: how long
    until it may land, at least and at most; None where nobody knows. `gates_seconds` is the same
    without what has run. `approvals_lacking` and `against`: what reviews still keep it from.
    """

    place: int
    entry: str
    number: int | None
    title: str
    waits_for: Wait
    priority: int = 0
    by: str = ""
    why: str = ""
    overtaken: int = 0
    approvals_lacking: int = 0
    against: tuple[str, ...] = ()
    judged_since: datetime | None = None
    judged_seconds: float | None = None
    gates_seconds: tuple[float, float] | None = None
    expected_seconds: tuple[float, float] | None = None


def queue_view(state: RepositoryState, now: datetime) -> tuple[Place, ...]:
    """Every entry, first who lands first."""
    quickest, longest = _judgement_seconds(state)
    places = []
    turns = 0
    for at, entry in enumerate(entries(state), start=1):
        waits_for = _waits_for(state, entry, turns, now)
        is_aside = waits_for in {Wait.HELD, Wait.REVIEWS, Wait.REFUSED}
        since = _judged_since(state, entry)
        judged = (now - since).total_seconds() if since is not None else None
        turns += not is_aside
        # What is ahead is judged and lands first; this one is judged after that.
        ran = judged or 0.0
        gates = (turns * quickest, turns * longest)
        expected = (max(0.0, gates[0] - ran), max(0.0, gates[1] - ran))
        is_known = longest > 0 and not is_aside and waits_for not in _WITHOUT_END
        places.append(
            _place(state, entry, at, waits_for).replace(
                judged_since=since,
                judged_seconds=judged,
                gates_seconds=gates if is_known else None,
                expected_seconds=expected if is_known else None,
            )
        )
    return tuple(places)


def _place(state: RepositoryState, queued: Queued, at: int, waits_for: Wait) -> Place:
    entry = state.entry_of(queued)
    held = entry.hold
    if isinstance(queued, ChangeFacts):
        refused = queued.sentence if waits_for is Wait.REFUSED else ""
        return Place(
            place=at,
            entry=entry.id,
            number=queued.pull,
            title=queued.planned.title,
            waits_for=waits_for,
            priority=entry.priority,
            why=held.why if held else refused,
            overtaken=entry.overtaken,
        )
    return Place(
        place=at,
        entry=entry.id,
        number=queued.number,
        title=queued.title,
        waits_for=waits_for,
        priority=entry.priority,
        by=queued.by,
        why=held.why if held else queued.sentence,
        overtaken=entry.overtaken,
        approvals_lacking=queued.approvals_lacking,
        against=queued.approvals.against if queued.approvals_needed is not None else (),
    )


def _waits_for(state: RepositoryState, entry: Queued, turns: int, now: datetime) -> Wait:
    if entry.state in {ChangeState.LANDING, EntryState.LANDING}:
        return Wait.LANDS
    if is_held(state, entry):
        return Wait.HELD
    if isinstance(entry, QueuedPull) and entry.waits_for_reviews:
        return Wait.REVIEWS
    refused_until = state.entry_of(entry).land_after
    if refused_until is not None and now < refused_until:
        return Wait.REFUSED
    if entry.state in {ChangeState.JUDGING, EntryState.JUDGING}:
        return Wait.GATES
    if state.frozen is not None:
        return Wait.MAIN
    if turns:
        return Wait.AHEAD
    if FreezeCause.PERSON in state.freezes:
        return Wait.FROZEN
    if FreezeCause.ADOPTED in state.freezes:
        return Wait.ADOPTED
    if blocked_by(state) is not None:
        return Wait.MAIN
    candidate = state.candidate_of(entry)
    is_built = candidate is not None and candidate.base == state.main
    return Wait.LANDS if is_built else Wait.BUILD


def _judged_since(state: RepositoryState, entry: Queued) -> datetime | None:
    """Since when its gates run; None where none run."""
    candidate = state.candidate_of(entry)
    order = state.orders.get(candidate.order) if candidate and candidate.order else None
    return order.leased_at if order is not None and order.is_open else None


def _judgement_seconds(state: RepositoryState) -> tuple[float, float]:
    """What one judgement takes: the longest gate, and all of them, by what each took last."""
    seconds = {e.key.gate: e.result.seconds for e in state.evidence.values() if e.result.seconds}
    return max(seconds.values(), default=0.0), sum(seconds.values())
