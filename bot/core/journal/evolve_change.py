"""How changes evolve: each moves by its table in `transitions`, its facts by what the event says.

What runners' reports mean stands in `evolve_work`, candidates in `evolve_candidate`, agents that ask
people in `evolve_clarify`, what people push in `evolve_pushes`.
"""

from collections.abc import Callable
from typing import Protocol, TypeVar

from action.order import RetryContext, RetryReason
from bot.core.journal import events as ev
from bot.core.journal.candidate_facts import Candidate, Carried
from bot.core.journal.evolve_candidate import (
    answered,
    asked_again,
    awaits_checks,
    built,
    doubted,
    judged,
    moved as moved_candidate,
    ordered,
    unbuilt,
    with_candidate,
    with_newest,
)
from bot.core.journal.evolve_change_candidate import (
    archive_refused,
    candidate_built,
    candidate_failed,
    candidate_passed,
    candidate_reviewed,
    conflicted,
    delta_compared,
    gate_flaked,
    gates_doubted,
    gates_ordered,
    main_blamed,
    number_used,
    steering_allowed,
    with_fate,
)
from bot.core.journal.evolve_clarify import (
    agent_asked,
    clarification_ended,
)
from bot.core.journal.evolve_entry import change_after, moved_entry
from bot.core.journal.evolve_forgotten import without_replaced
from bot.core.journal.evolve_pushes import (
    branch_pushed,
    handed_back,
    head_taken_over,
    left_to_person,
    push_passed_over,
    push_refused,
)
from bot.core.journal.evolve_threads import (
    thread_answered,
    thread_seen,
    thread_told,
    threads_accounted,
)
from bot.core.journal.evolve_work import (
    agent_lost,
    agent_ordered,
    bundle_refused,
    head_imported,
    order_deferred,
    start_prepared,
    work_failed,
    work_handed_in,
)
from bot.core.journal.fold_table import folds, on
from bot.core.journal.ground import with_carried
from bot.core.journal.state import ChangeFacts, RepositoryState, Told, WorkFate, with_change
from bot.core.journal.transitions import CHANGES
from bot.core.values.ids import ChangeId, PullNumber
from bot.core.values.lifecycle import ChangeState
from bot.core.values.replacement import replace, without


class _AboutChange(Protocol):
    @property
    def change(self) -> ChangeId | None: ...


E = TypeVar("E", bound=_AboutChange)
_Fold = Callable[[ChangeFacts, E], ChangeFacts]


def _reviewed(change: ChangeFacts, event: ev.ChangeReviewed) -> ChangeFacts:
    return replace(change, approvals=event.approvals, approvals_needed=event.needed)


def _heard(change: ChangeFacts, event: ev.RequestHeard) -> ChangeFacts:
    others = [one for one in change.requests_heard if one.by != event.request.by]
    return replace(change, requests_heard=(*others, event.request))


def _as_it_is(change: ChangeFacts, _event: _AboutChange) -> ChangeFacts:
    return change


def _folded(
    state: RepositoryState, event: E, fold: _Fold[E], late: _Fold[E] = _as_it_is
) -> RepositoryState:
    """The state after a known change's fold, whose state has moved by then; `late` folds stale ones."""
    change = state.changes.get(event.change) if event.change else None
    if change is None:
        return state
    if not CHANGES.knows(event):
        return with_change(state, fold(change, event))
    after = change_after(state, change, event)
    if after is not None:
        changed = with_change(state, fold(replace(change, state=after), event))
        return moved_entry(changed, change, event)
    is_late = late(change, event)
    return state if is_late is change else with_change(state, is_late)


def _of_change(
    fold: _Fold[E], late: _Fold[E] = _as_it_is
) -> Callable[[RepositoryState, E], RepositoryState]:
    return lambda state, event: _folded(state, event, fold, late)


def _as_built(candidate: Candidate, _event: _AboutChange) -> Candidate:
    return candidate


def _of_candidate(
    fold: _Fold[E], of_candidate: Callable[[Candidate, E], Candidate] = _as_built
) -> Callable[[RepositoryState, E], RepositoryState]:
    """The fold of an event that names a change's candidate: stale for one, it is stale for both."""

    def folded(state: RepositoryState, event: E) -> RepositoryState:
        change = state.changes.get(event.change) if event.change else None
        candidate = moved_candidate(state, change, event) if change else None
        after = change_after(state, change, event)
        if change is None or candidate is None or after is None:
            return state
        changed = with_change(state, fold(replace(change, state=after), event))
        placed = moved_entry(changed, change, event)
        return with_candidate(placed, of_candidate(candidate, event))

    return folded


def _built(state: RepositoryState, event: ev.CandidateBuilt) -> RepositoryState:
    """The newest candidate takes the place of the one before it."""
    change = state.changes.get(event.change)
    after = change_after(state, change, event)
    candidate = built(state, change, event) if change else None
    if change is None:
        return state
    if after is None or candidate is None:
        return with_change(state, number_used(change, event))
    changed = with_change(state, candidate_built(replace(change, state=after), event))
    newest = with_newest(moved_entry(changed, change, event), change, candidate)
    return without_replaced(newest, change.id)


def _conflicted(state: RepositoryState, event: ev.CandidateConflicted) -> RepositoryState:
    """A change that met a conflict earlier goes first; its place is the event's number."""

    def fold(change: ChangeFacts, e: ev.CandidateConflicted) -> ChangeFacts:
        met = conflicted(change, e)
        first = met.conflicted_at is None
        return replace(met, conflicted_at=state.events) if first else met

    change = state.changes.get(event.change)
    asked = unbuilt(state, change, event) if change else None
    return _folded(with_candidate(state, asked), event, fold) if asked else state


def _refused(state: RepositoryState, event: ev.ArchiveRefused) -> RepositoryState:
    """Of an offered change its candidate could not be built; another's delta was compared with main."""
    change = state.changes.get(event.change)
    asked = unbuilt(state, change, event) if change else None
    if change is None or (asked is None and change.state is ChangeState.OFFERED):
        return state
    return _folded(with_candidate(state, asked) if asked else state, event, archive_refused)


def _landed(state: RepositoryState, event: ev.Landed | ev.MergedByHand) -> RepositoryState:
    after = _folded(state, event, _with_landing)
    if after is state:
        return state
    change = after.changes[event.change]
    candidate = after.candidate_of(change)
    carried = candidate.carried if candidate is not None else Carried()
    return with_carried(_without_pull(after, change.pull), carried)


def _with_landing(change: ChangeFacts, event: ev.Landed | ev.MergedByHand) -> ChangeFacts:
    landed = replace(with_fate(change, WorkFate.LANDED), landed=event.sha, sentence="")
    if isinstance(event, ev.Landed):
        return replace(landed, landed_at=event.landed_at)
    merged = replace(landed, merged_by=event.merged_by, sentence=event.sentence)
    return replace(merged, landed_at=event.seen_at)


def _aborted(state: RepositoryState, event: ev.LandAborted) -> RepositoryState:
    after = _folded(state, event, lambda c, e: replace(c, sentence=e.sentence))
    return state if after is state else _without_refusals(after, event.change)


def _reopened(state: RepositoryState, event: ev.ChangeReopened) -> RepositoryState:
    after = _folded(state, event, _with_new_budget)
    return state if after is state else _without_refusals(after, event.change)


def _without_refusals(state: RepositoryState, change: ChangeId) -> RepositoryState:
    """What was refused then may be allowed now."""
    kept = {key: said for key, said in state.refused.items() if f":{change}:" not in key}
    return replace(state, refused=kept)


def _with_new_budget(change: ChangeFacts, event: ev.ChangeReopened) -> ChangeFacts:
    retry = change.retry
    is_moot = change.failure is ev.FailureReason.ARCHIVE_REFUSED or event.is_new_text
    if retry is None or is_moot or (event.because and event.with_agent):
        said = event.because or f"@{event.reopened_by} asked for another try."
        retry = RetryContext(reason=RetryReason.ASKED, sentence=said)
    return replace(
        change,
        budget_start=change.attempt,
        runs_before_budget=len(change.agent_runs),
        orders_lost=0,
        failure=None,
        sentence="",
        head_is_fresh=_may_be_judged(change, event),
        rejudged=None,
        conflicts_before=change.conflicts,
        retry=retry,
        reopened=change.reopened + 1,
        # A person who retries was told of these edits, and of no others.
        accepted_blocks={**change.accepted_blocks, **change.edited_blocks},
        edited_blocks={},
        clarified_before=_clarified_before(change, event),
        held_by="" if event.with_agent else change.held_by,
    )


def _may_be_judged(change: ChangeFacts, event: ev.ChangeReopened) -> bool:
    """Whether the work that there is comes to the gates before another agent is paid."""
    return change.head_is_whole and not event.is_new_text and not event.with_agent


def _clarified_before(change: ChangeFacts, event: ev.ChangeReopened) -> int:
    """How many of the earliest clarifications do not count: all of them once the spec's text is new."""
    return len(change.clarifications) if event.is_new_text else change.clarified_before


def _failed(change: ChangeFacts, event: ev.ChangeFailed) -> ChangeFacts:
    return replace(change, failure=event.reason, sentence=event.sentence)


def _stopped(change: ChangeFacts, event: ev.ChangeStopped) -> ChangeFacts:
    return replace(change, sentence=f"Stopped by {event.stopped_by}.")


def _pull_opened(state: RepositoryState, event: ev.PullOpened) -> RepositoryState:
    after = _folded(state, event, _with_pull)
    if after is state:
        return state
    others = _without_pull(after, state.changes[event.change].pull)
    return replace(
        others,
        open_pulls={**others.open_pulls, event.number: event.change},
        change_of_number={**others.change_of_number, event.number: event.change},
    )


def _with_pull(change: ChangeFacts, event: ev.PullOpened) -> ChangeFacts:
    rounds = change.pull_rounds + 1
    return replace(change, pull=event.number, pull_closed=False, pull_rounds=rounds)


def _pull_closed(state: RepositoryState, event: ev.PullClosed) -> RepositoryState:
    after = _folded(state, event, lambda change, _: replace(change, pull_closed=True))
    return state if after is state else _without_pull(after, event.number)


def _without_pull(state: RepositoryState, pull: PullNumber | None) -> RepositoryState:
    return state if pull is None else replace(state, open_pulls=without(state.open_pulls, pull))


def _sized(change: ChangeFacts, event: ev.SizeSaid) -> ChangeFacts:
    return replace(change, said_size=event.size, said_size_by=event.said_by)


def _told(change: ChangeFacts, event: ev.WordsTold) -> ChangeFacts:
    told = Told(
        author=event.author,
        text=event.text,
        told_at=event.told_at,
        path=event.path,
        line=event.line,
        thread=event.thread,
    )
    after = replace(change, told=(*change.told, told))
    return thread_told(after, event, len(after.told))


def _review_read(change: ChangeFacts, event: ev.ReviewCommentRead) -> ChangeFacts:
    if event.comment in change.reviews_read:
        return change
    return replace(change, reviews_read=(*change.reviews_read, event.comment))


def _steps_put(change: ChangeFacts, event: ev.StepsPut) -> ChangeFacts:
    return replace(change, steps=event.steps)


def _step_done(change: ChangeFacts, event: ev.StepDone) -> ChangeFacts:
    is_known = any(step.key == event.key for step in change.steps)
    done = {**change.steps_done, event.key: event.done_by}
    return replace(change, steps_done=done) if is_known else change


CHANGE_FOLDS = folds(
    on(ev.StartPrepared, _of_change(start_prepared)),
    on(ev.AgentOrdered, _of_change(agent_ordered)),
    on(ev.OrderLeased, _of_change(_as_it_is)),
    on(ev.WorkHandedIn, _of_change(work_handed_in)),
    on(ev.WorkFailed, _of_change(work_failed)),
    on(ev.AgentLost, _of_change(agent_lost)),
    on(ev.OrderDeferred, _of_change(order_deferred)),
    on(ev.AgentAsked, _of_change(agent_asked)),
    on(ev.ClarificationEnded, _of_change(clarification_ended)),
    on(ev.HeadImported, _of_change(head_imported)),
    on(ev.BundleRefused, _of_change(bundle_refused)),
    on(ev.CandidateBuilt, _built),
    on(ev.SteeringAllowed, _of_change(steering_allowed)),
    on(ev.CandidateConflicted, _conflicted),
    on(ev.ArchiveRefused, _refused),
    on(ev.DeltaCompared, _of_change(delta_compared)),
    on(ev.GatesOrdered, _of_candidate(gates_ordered, ordered)),
    on(ev.CandidatePassed, _of_candidate(candidate_passed, judged)),
    on(ev.CandidateFailed, _of_candidate(candidate_failed, judged)),
    on(ev.CandidateVoided, _of_candidate(_as_it_is)),
    on(ev.GatesDoubted, _of_candidate(gates_doubted, doubted)),
    on(ev.ChecksAwaited, _of_candidate(_as_it_is, awaits_checks)),
    on(ev.CandidateAnswered, _of_candidate(_as_it_is, answered)),
    on(ev.CandidateReviewed, _of_candidate(candidate_reviewed)),
    on(ev.MainBlamed, _of_candidate(main_blamed, judged)),
    on(ev.GatesAskedAgain, _of_candidate(_as_it_is, asked_again)),
    on(ev.GateFlaked, _of_candidate(gate_flaked)),
    on(ev.PullOpened, _pull_opened),
    on(ev.PullClosed, _pull_closed),
    on(ev.LandIntended, _of_candidate(_as_it_is)),
    on(ev.LandAborted, _aborted),
    on(ev.Landed, _landed),
    on(ev.MergedByHand, _landed),
    on(ev.ChangeFailed, _of_change(_failed)),
    on(ev.ChangeStopped, _of_change(_stopped)),
    on(ev.ChangeReopened, _reopened),
    on(ev.SizeSaid, _of_change(_sized)),
    on(ev.ChangeMoved, _of_change(_as_it_is)),
    on(ev.ChangeHeld, _of_change(_as_it_is)),
    on(ev.ChangeReleased, _of_change(_as_it_is)),
    on(ev.ChangeReviewed, _of_change(_reviewed)),
    on(ev.RequestHeard, _of_change(_heard)),
    on(ev.StepsPut, _of_change(_steps_put)),
    on(ev.StepDone, _of_change(_step_done)),
    on(ev.WordsTold, _of_change(_told)),
    on(ev.ReviewCommentRead, _of_change(_review_read)),
    on(ev.ThreadsAccounted, _of_change(threads_accounted)),
    on(ev.ThreadAnswered, _of_change(thread_answered)),
    on(ev.ThreadSeen, _of_change(thread_seen)),
    on(ev.BranchPushed, _of_change(branch_pushed)),
    on(ev.HeadTakenOver, _of_change(head_taken_over)),
    on(ev.PushPassedOver, _of_change(push_passed_over)),
    on(ev.PushRefused, _of_change(push_refused)),
    on(ev.LeftToPerson, _of_change(left_to_person)),
    on(ev.HandedBack, _of_change(handed_back)),
)
