"""The queue as people ask for it: who is in it, what each waits for, and when its turn may come.

Derived, never stored. A time is a range: what the gates took last, side by side or one after another.
"""

from datetime import datetime
from enum import StrEnum

from bot.core.journal.branches import on
from bot.core.journal.state import (
    Candidate,
    ChangeFacts,
    Entry,
    QueuedPull,
    RepositoryState,
    SpecRunState,
)
from bot.core.spec.policy import Policy
from bot.core.state.guarded import lost_by
from bot.core.state.queue_order import Queued, blocked_by, does_not_fit, entries, waits_for_word
from bot.core.state.rivals import rivals_of_all
from bot.core.values.freeze import FreezeCause
from bot.core.values.ids import Frozen
from bot.core.values.lifecycle import CandidateState, EntryState


class Wait(StrEnum):
    """What an entry waits for."""

    LANDS = "lands"
    HELD = "held"
    CHECK = "check"
    REVIEWS = "reviews"
    WORD = "word"
    SPEC = "spec"
    REFUSED = "refused"
    AHEAD = "ahead"
    GATES = "gates"
    MAIN = "main"
    FROZEN = "frozen"
    ADOPTED = "adopted"
    SMOKE = "smoke"
    BUILD = "build"
    RIVALS = "rivals"


_JUDGED_NOW = frozenset({CandidateState.BUILT, CandidateState.JUDGING})

# Others go before it.
_ASIDE = frozenset({Wait.HELD, Wait.CHECK, Wait.REVIEWS, Wait.WORD, Wait.SPEC, Wait.REFUSED})
# Nobody knows how long.
_WITHOUT_END = frozenset({Wait.MAIN, Wait.FROZEN, Wait.ADOPTED, Wait.SMOKE})


class Place(Frozen):
    """One entry. `entry` is `pull:12` or `change:<id>`; `number` the pull's, where it has one. `place` 0: a
    change that is no entry yet, and has not begun because others, whose issues are `behind`, go first. `branch` is empty for the default branch.

    `judged_seconds`: how long its gates have run, since `judged_since`. `expected_seconds`: how long
    until it may land, at least and at most; None where nobody knows. `gates_seconds` is the same
    without what has run. `approvals_lacking`, `outdated`, `pushers`, `against`, `unresolved` and `owners_lacking`: why reviews keep it from landing.
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
    outdated: tuple[str, ...] = ()
    pushers: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    unresolved: tuple[str, ...] = ()
    owners_lacking: tuple[tuple[str, ...], ...] = ()
    behind: tuple[int, ...] = ()
    branch: str = ""
    judged_since: datetime | None = None
    judged_seconds: float | None = None
    gates_seconds: tuple[float, float] | None = None
    expected_seconds: tuple[float, float] | None = None


def queue_view(state: RepositoryState, now: datetime) -> tuple[Place, ...]:
    """Every entry, first who lands first; after those of the default branch those of each further
    one; where the state is a branch's, those of that branch.
    """
    if state.on_branch:
        return _view_of(state, now)
    others = (place for name in state.branches for place in _view_of(on(state, name), now))
    return (*_view_of(state, now), *others)


def _view_of(state: RepositoryState, now: datetime) -> tuple[Place, ...]:
    quickest, longest = _judgement_seconds(state)
    places = []
    turns = 0
    for at, queued in enumerate(entries(state), start=1):
        entry = state.entry_of(queued)
        candidate = state.candidates.get(entry.candidate) if entry.candidate is not None else None
        waits_for = _waits_for(state, entry, candidate, turns, now)
        waits_for = _waits_aside(state, queued, entry) or waits_for
        is_unfit = isinstance(queued, QueuedPull) and does_not_fit(state, queued)
        is_aside = is_unfit or waits_for in _ASIDE
        since = _judged_since(state, candidate)
        judged = (now - since).total_seconds() if since is not None else None
        turns += not is_aside
        # What is ahead is judged and lands first; this one is judged after that.
        ran = judged or 0.0
        gates = (turns * quickest, turns * longest)
        expected = (max(0.0, gates[0] - ran), max(0.0, gates[1] - ran))
        is_known = longest > 0 and not is_aside and waits_for not in _WITHOUT_END
        places.append(
            _place(entry, queued, at, waits_for).replace(
                branch=state.on_branch,
                judged_since=since,
                judged_seconds=judged,
                gates_seconds=gates if is_known else None,
                expected_seconds=expected if is_known else None,
            )
        )
    return tuple(places)


def not_begun(state: RepositoryState, policy: Policy | None = None) -> tuple[Place, ...]:
    """The changes that begin when changes of other specs that edit the same have ended."""
    waiting = ((state.changes[id_], found) for id_, found in rivals_of_all(state, policy).items())
    return tuple(
        Place(
            place=0,
            entry=change.entry,
            number=change.issue,
            title=change.planned.title,
            waits_for=Wait.RIVALS,
            priority=state.entry_of(change).priority,
            why=", ".join(dict.fromkeys(name for rival in found for name in rival.things)),
            behind=tuple(rival.change.issue for rival in found if rival.change.issue),
        )
        for change, found in waiting
        if change.issue is not None
        and state.spec_runs[change.spec_run].state is SpecRunState.RUNNING
    )


def _place(entry: Entry, queued: Queued, at: int, waits_for: Wait) -> Place:
    held = entry.hold
    if isinstance(queued, ChangeFacts):
        number, title = queued.pull, queued.planned.title
        why = queued.sentence if waits_for is Wait.REFUSED else ""
    else:
        number, title, why = queued.number, queued.title, queued.sentence
    place = Place(
        place=at,
        entry=entry.id,
        number=number,
        title=title,
        waits_for=waits_for,
        priority=entry.priority,
        why=held.why if held else why,
        overtaken=entry.overtaken,
        approvals_lacking=queued.approvals_lacking,
        outdated=queued.outdated,
        against=queued.against,
        unresolved=queued.unresolved,
    )
    if isinstance(queued, ChangeFacts):
        return place
    return place.replace(by=queued.by, pushers=queued.pushers, owners_lacking=queued.owners_lacking)


def _waits_aside(state: RepositoryState, queued: Queued, entry: Entry) -> Wait | None:
    if entry.state is EntryState.LANDING or entry.hold is not None:
        return None
    if queued.waits_for_reviews:
        return Wait.REVIEWS
    if isinstance(queued, QueuedPull) and lost_by(state, queued):
        return Wait.SPEC
    if not isinstance(queued, QueuedPull):
        return None
    if waits_for_word(state, queued):
        return Wait.WORD
    return Wait.MAIN if does_not_fit(state, queued) else None


def _waits_for(
    state: RepositoryState, entry: Entry, candidate: Candidate | None, turns: int, now: datetime
) -> Wait:
    if entry.state is EntryState.LANDING:
        return Wait.LANDS
    if entry.hold is not None:
        return Wait.CHECK if entry.hold.is_for_check else Wait.HELD
    if entry.land_after is not None and now < entry.land_after:
        return Wait.REFUSED
    if candidate is not None and candidate.state in _JUDGED_NOW:
        return Wait.GATES
    if state.frozen is not None:
        return Wait.MAIN
    if turns:
        return Wait.AHEAD
    if FreezeCause.PERSON in state.freezes:
        return Wait.FROZEN
    if FreezeCause.ADOPTED in state.freezes:
        return Wait.ADOPTED
    if FreezeCause.SMOKE in state.freezes:
        return Wait.SMOKE
    if blocked_by(state) is not None:
        return Wait.MAIN
    is_built = candidate is not None and candidate.base == state.main
    return Wait.LANDS if is_built else Wait.BUILD


def _judged_since(state: RepositoryState, candidate: Candidate | None) -> datetime | None:
    """Since when its gates run; None where none run."""
    order = state.orders.get(candidate.order) if candidate and candidate.order else None
    return order.leased_at if order is not None and order.is_open else None


def _judgement_seconds(state: RepositoryState) -> tuple[float, float]:
    """What one judgement takes: the longest gate, and all of them, by what each took last."""
    seconds = {e.key.gate: e.result.seconds for e in state.evidence.values() if e.result.seconds}
    return max(seconds.values(), default=0.0), sum(seconds.values())
