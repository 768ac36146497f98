"""How candidates evolve: asked for, built, judged, and at the end landed or void.

What names a candidate moves it together with its change (`of_candidate`) or with its pull. A
candidate is gone from the state when its entry has a newer one.
"""

from bot.core.journal import events as ev
from bot.core.journal.candidate_facts import (
    Awaited,
    Candidate,
    Carried,
    Recipe,
    recipe_of,
)
from bot.core.journal.candidate_transitions import CANDIDATES, AfterEntry
from bot.core.journal.effects import BuildCandidate, BuildPull
from bot.core.journal.evolve_entry import change_after, with_entry
from bot.core.journal.fold_table import folds, on
from bot.core.journal.ground import carried_by
from bot.core.journal.state import (
    ChangeFacts,
    QueuedPull,
    RepositoryState,
)
from bot.core.journal.transitions import CHANGES, PULLS
from bot.core.values.ids import CandidateId
from bot.core.values.replacement import replace, without
from gates.result import Ending, GateResult

_Entry = ChangeFacts | QueuedPull


def with_candidate(state: RepositoryState, candidate: Candidate) -> RepositoryState:
    return replace(state, candidates={**state.candidates, candidate.id: candidate})


def without_candidates(state: RepositoryState, *gone: CandidateId | None) -> RepositoryState:
    known = [id_ for id_ in gone if id_ is not None]
    return replace(state, candidates=without(state.candidates, *known))


def moved(state: RepositoryState, entry: _Entry, event: object) -> Candidate | None:
    """The entry's newest candidate as the event moves it; None where it does not."""
    candidate = state.candidate_of(entry)
    after = CANDIDATES.after(candidate, event) if candidate is not None else None
    if candidate is None or after is None:
        return None
    return replace(candidate, state=after)


def _asked(state: RepositoryState, event: ev.EffectIntended) -> RepositoryState:
    """What is to be built has its id, and what it carries, from the time when it is asked for."""
    effect = event.effect
    if isinstance(effect, BuildCandidate):
        change = state.changes.get(effect.change)
        carried = carried_by(state, change, effect.register_entries) if change else Carried()
        return _with_asked(state, event, change, effect.number, recipe_of(effect), carried)
    if isinstance(effect, BuildPull):
        pull = state.queued_pulls.get(effect.number)
        return _with_asked(state, event, pull, effect.nth, recipe_of(effect), Carried())
    return state


def _with_asked(
    state: RepositoryState,
    event: ev.EffectIntended,
    entry: _Entry | None,
    number: int,
    recipe: Recipe,
    carried: Carried,
) -> RepositoryState:
    began = CANDIDATES.after(None, event)
    if entry is None or began is None:
        return state
    id_ = CandidateId(state.candidates_made + 1)
    candidate = Candidate(
        id=id_,
        number=number,
        recipe=recipe,
        state=began,
        carried=carried,
    )
    known = state.entry_of(entry)
    others = without_candidates(replace(state, candidates_made=id_), known.asked)
    return with_entry(with_candidate(others, candidate), replace(known, asked=id_))


def built(
    state: RepositoryState, entry: _Entry, event: ev.CandidateBuilt | ev.PullCandidateBuilt
) -> Candidate | None:
    """The candidate that was asked for, as it was built; None where it is another."""
    waited_for = state.entry_of(entry).asked
    asked = state.candidates.get(waited_for) if waited_for is not None else None
    after = CANDIDATES.after(asked, event) if asked is not None else None
    if asked is None or after is None:
        return None
    found = replace(
        asked,
        state=after,
        sha=event.sha,
        tree=event.tree,
        diff_digest=event.diff_digest,
        steering=event.steering,
        is_signed=event.is_signed,
    )
    if isinstance(event, ev.PullCandidateBuilt):
        return replace(found, policy_after=event.policy_after)
    return replace(
        found,
        recipe=replace(asked.recipe, archiver=event.archiver_version),
        archive_paths=event.archive_paths,
        folder_version=event.folder_version,
        beside=event.beside,
        raised=event.raised,
    )


def unbuilt(
    state: RepositoryState, change: ChangeFacts, event: ev.CandidateConflicted | ev.ArchiveRefused
) -> Candidate | None:
    """The candidate that was asked for, as it could not be built; None where it is another."""
    waited_for = state.entry_of(change).asked
    asked = state.candidates.get(waited_for) if waited_for is not None else None
    after = CANDIDATES.after(asked, event) if asked is not None else None
    return replace(asked, state=after) if asked is not None and after is not None else None


def with_newest(state: RepositoryState, entry: _Entry, candidate: Candidate) -> RepositoryState:
    """The candidate that was asked for takes the place of the newest one."""
    known = state.entry_of(entry)
    others = without_candidates(state, known.candidate)
    newest = replace(known, candidate=candidate.id, asked=None, land_after=None)
    return with_candidate(with_entry(others, newest), candidate)


def _follows(state: RepositoryState, event: AfterEntry) -> RepositoryState:
    """What a person or a runner did to an entry means for its candidates, unless it is stale."""
    entry = _entry_of(state, event)
    if entry is None or not _moves(state, entry, event):
        return state
    after = state
    known = state.entry_of(entry)
    for id_ in (known.candidate, known.asked):
        candidate = state.candidates.get(id_) if id_ is not None else None
        to = CANDIDATES.after(candidate, event) if candidate is not None else None
        if candidate is not None and to is not None:
            after = with_candidate(after, replace(candidate, state=to))
    return after


def _entry_of(state: RepositoryState, event: AfterEntry) -> _Entry | None:
    match event:
        case ev.PullWithdrawn() | ev.PullEvicted() | ev.PullLanded():
            return state.queued_pulls.get(event.number)
        case ev.GatesLost() | ev.OrderDeferred():
            order = state.orders.get(event.order)
            if order is not None and order.pull is not None:
                return state.queued_pulls.get(order.pull)
            return state.changes.get(order.change) if order and order.change else None
        case _:
            return state.changes.get(event.change)


def _moves(state: RepositoryState, entry: _Entry, event: AfterEntry) -> bool:
    if isinstance(entry, QueuedPull):
        return not PULLS.knows(event) or PULLS.after(entry, event) is not None
    return not CHANGES.knows(event) or change_after(state, entry, event) is not None


def ordered(candidate: Candidate, event: ev.GatesOrdered | ev.PullGatesOrdered) -> Candidate:
    return replace(candidate, order=event.order)


def judged(
    candidate: Candidate,
    event: ev.CandidatePassed | ev.CandidateFailed | ev.MainBlamed | ev.PullPassed | ev.PullEvicted,
) -> Candidate:
    return replace(candidate, results=event.results)


def doubted(candidate: Candidate, event: ev.GatesDoubted | ev.PullGatesDoubted) -> Candidate:
    """What passed holds for the next order; what did not is asked once more."""
    return replace(candidate, doubts=(*candidate.doubts, *not_passed(event.results)), results=())


def passed_as_main(candidate: Candidate, _event: ev.PullPassedAsMain) -> Candidate:
    """The gates that it brings begin without what was doubted before."""
    return replace(candidate, doubts=(), results=())


def not_passed(results: tuple[GateResult, ...]) -> tuple[GateResult, ...]:
    """Those that ran, or could not; what was not begun says nothing."""
    return tuple(r for r in results if r.ending is not Ending.PASSED and not r.stopped_by)


def awaits_checks(candidate: Candidate, event: ev.ChecksAwaited) -> Candidate:
    """Our own gates' results; the verdict waits for others."""
    awaited = Awaited(
        candidate=event.candidate,
        order=event.order,
        definition_hash=event.definition_hash,
        results=event.results,
        since=event.since,
        asks_people=event.asks_people,
        reviews=event.reviews,
    )
    return replace(candidate, awaited=awaited)


def answered(candidate: Candidate, event: ev.CandidateAnswered) -> Candidate:
    awaited = candidate.awaited
    if awaited is None:
        return candidate
    return replace(candidate, awaited=replace(awaited, answers=(*awaited.answers, event)))


def asked_again(candidate: Candidate, _event: ev.GatesAskedAgain) -> Candidate:
    """As if nothing had been said of it."""
    return replace(candidate, results=(), doubts=(), awaited=None)


CANDIDATE_FOLDS = folds(
    on(ev.EffectIntended, _asked),
    on(ev.HeadImported, _follows),
    on(ev.GatesLost, _follows),
    on(ev.OrderDeferred, _follows),
    on(ev.Landed, _follows),
    on(ev.MergedByHand, _follows),
    on(ev.HeadTakenOver, _follows),
    on(ev.PushRefused, _follows),
    on(ev.ChangeFailed, _follows),
    on(ev.ChangeStopped, _follows),
    on(ev.PullWithdrawn, _follows),
    on(ev.PullEvicted, _follows),
    on(ev.PullLanded, _follows),
)
