"""Evolve one change: its state by the lifecycle table, its facts by what the event says.

The rule: an event that the table does not know for the change's state, and that is about an order
or a candidate that is not the change's newest, changes nothing.
"""

from action.order import RetryContext, RetryReason
from bot.core.journal import events as ev
from bot.core.journal.evolve_clarify import clarified
from bot.core.journal.state import AgentRun, Candidate, ChangeFacts, Head, Judged
from bot.core.values.lifecycle import TRANSITIONS, ChangeState, can_move, next_state
from gates.result import Ending

# How many judgements of older candidates are kept for reuse (law 8).
JUDGED_KEPT = 8


def evolve_change(change: ChangeFacts, event: ev.Event, number: int) -> ChangeFacts:
    """The change after the event; `number` is the event's place in the journal."""
    if event.type in TRANSITIONS:
        if not can_move(change.state, event.type) or _is_stale(change, event):
            return _with_number_used(change, event)
        change = change.model_copy(update={"state": next_state(change.state, event.type)})
    if isinstance(event, ev.SizeSaid):
        said = {"said_size": event.size, "said_size_by": event.said_by}
        return change.model_copy(update=said)
    for step in (_agent_facts, clarified, _candidate_facts, _end_facts):
        change = step(change, event, number)
    return change


def _with_number_used(change: ChangeFacts, event: ev.Event) -> ChangeFacts:
    """A candidate that came too late has its ref: its number is never given to another."""
    if isinstance(event, ev.CandidateBuilt) and event.number > change.candidates:
        return change.model_copy(update={"candidates": event.number})
    return change


def _is_stale(change: ChangeFacts, event: ev.Event) -> bool:
    match event:
        case ev.OrderLeased() | ev.WorkHandedIn() | ev.WorkFailed() | ev.AgentLost():
            return event.order != change.order
        case ev.AgentAsked():
            return event.order != change.order
        case ev.HeadImported() | ev.BundleRefused():
            is_awaited = change.state is ChangeState.IMPORTING or change.has_partial_work
            return event.order != change.order or not is_awaited
        case ev.CandidatePassed() | ev.CandidateFailed() | ev.CandidateVoided():
            if event.order != change.order:
                return True
            return change.candidate is None or event.candidate != change.candidate.sha
        case ev.CandidateBuilt():
            is_used = event.number <= change.candidates
            return is_used or change.head is None or event.head != change.head.sha
        case _:
            return False


def _agent_facts(change: ChangeFacts, event: ev.Event, _number: int) -> ChangeFacts:
    match event:
        case ev.StartPrepared() if event.attempt > change.attempt:
            return change.model_copy(
                update={
                    "start": event.start,
                    "start_attempt": event.attempt,
                    "start_base": event.base,
                }
            )
        case ev.AgentOrdered():
            return change.model_copy(
                update={"order": event.order, "attempt": event.attempt, "bundle": None}
            )
        case ev.WorkHandedIn():
            return change.model_copy(
                update={
                    "bundle": event.bundle,
                    "orders_lost": 0,
                    "agent_runs": (*change.agent_runs, _agent_run(change, event)),
                }
            )
        case ev.WorkFailed():
            retry = RetryContext(reason=RetryReason.AGENT_ENDED, sentence=event.sentence)
            return change.model_copy(
                update={
                    "retry": retry,
                    "orders_lost": 0,
                    "agent_runs": (*change.agent_runs, _agent_run(change, event)),
                }
            )
        case ev.AgentLost():
            run = AgentRun(
                attempt=change.attempt,
                order=event.order,
                outcome="lost",
                sentence=event.sentence,
            )
            return change.model_copy(
                update={
                    "orders_lost": change.orders_lost + 1,
                    "agent_runs": (*change.agent_runs, run),
                    "attempt": change.attempt - 1,
                }
            )
        case ev.BundleRefused():
            retry = RetryContext(
                reason=RetryReason.BUNDLE_REFUSED,
                sentence=event.sentence,
                conflicting_files=event.paths,
            )
            return change.model_copy(update={"retry": retry})
        case ev.HeadImported():
            head = Head(sha=event.head, tree=event.tree, order=event.order, paths=event.paths)
            return change.model_copy(update={"head": head, "head_is_fresh": True})
        case _:
            return change


def _agent_run(change: ChangeFacts, event: ev.WorkHandedIn | ev.WorkFailed) -> AgentRun:
    return AgentRun(
        attempt=change.attempt,
        order=event.order,
        outcome=event.ending if isinstance(event, ev.WorkFailed) else "finished",
        sentence=event.sentence if isinstance(event, ev.WorkFailed) else "",
        turns=event.turns,
        tokens=event.tokens,
        model=event.model,
        seconds=event.seconds,
        sandbox=event.sandbox,
    )


def _candidate_facts(change: ChangeFacts, event: ev.Event, number: int) -> ChangeFacts:
    match event:
        case ev.CandidateBuilt():
            return _with_candidate(change, event)
        case ev.CandidateConflicted():
            retry = RetryContext(
                reason=RetryReason.CONFLICT,
                sentence=f"The work does not merge with main at {event.base[:12]}.",
                conflicting_files=event.files,
            )
            return change.model_copy(
                update={"retry": retry, "queued_at": None, "head_is_fresh": False}
            )
        case ev.ArchiveRefused():
            retry = RetryContext(reason=RetryReason.ARCHIVE_REFUSED, sentence=event.sentence)
            update = {"retry": retry, "queued_at": None, "edited_blocks": dict(event.edited)}
            return change.model_copy(update={**update, "delta_conflict": ""})
        case ev.DeltaCompared():
            return change.model_copy(update={"delta_conflict": event.sentence})
        case ev.GatesOrdered() if _is_judging(change, event.candidate):
            return change.model_copy(update={"order": event.order})
        case ev.CandidatePassed():
            return _judged(change, event).model_copy(
                update={"queued_at": number if change.queued_at is None else change.queued_at}
            )
        case ev.CandidateFailed():
            red = tuple(r for r in event.results if r.ending is not Ending.PASSED)
            retry = RetryContext(
                reason=RetryReason.GATES_FAILED, sentence=event.sentence, failed_gates=red
            )
            return _judged(change, event).model_copy(
                update={"retry": retry, "queued_at": None, "head_is_fresh": False}
            )
        case ev.PullOpened() if event.number != change.pull or change.pull_closed:
            return change.model_copy(
                update={
                    "pull": event.number,
                    "pull_closed": False,
                    "pull_rounds": change.pull_rounds + 1,
                }
            )
        case ev.PullClosed() if event.number == change.pull:
            return change.model_copy(update={"pull_closed": True})
        case _:
            return change


def _with_candidate(change: ChangeFacts, event: ev.CandidateBuilt) -> ChangeFacts:
    candidate = Candidate(
        number=event.number,
        base=event.base,
        head=event.head,
        sha=event.sha,
        tree=event.tree,
        diff_digest=event.diff_digest,
        built_at=event.built_at,
        archive_paths=event.archive_paths,
        register_digest=event.register_digest,
    )
    return change.model_copy(
        update={
            "candidate": candidate,
            "delta_conflict": "",
            "candidates": event.number,
            "results": (),
            "sentence": "",
            "land_after": None,
        }
    )


def _is_judging(change: ChangeFacts, candidate: str) -> bool:
    newest = change.candidate
    is_newest = newest is not None and newest.sha == candidate
    return is_newest and change.state is ChangeState.JUDGING


def _judged(change: ChangeFacts, event: ev.CandidatePassed | ev.CandidateFailed) -> ChangeFacts:
    candidate = change.candidate
    if candidate is None:
        return change
    held = tuple(r for r in event.results if r.ending is Ending.PASSED)
    judged = Judged(
        tree=candidate.tree,
        diff_digest=candidate.diff_digest,
        definition_hash=event.definition_hash,
        results=held,
    )
    return change.model_copy(
        update={
            "results": event.results,
            "gate_runs": change.gate_runs + 1,
            "judged": (*change.judged, judged)[-JUDGED_KEPT:],
        }
    )


def _end_facts(change: ChangeFacts, event: ev.Event, _number: int) -> ChangeFacts:
    match event:
        case ev.Landed():
            return change.model_copy(
                update={"landed": event.sha, "landed_at": event.landed_at, "sentence": ""}
            )
        case ev.MergedByHand():
            return change.model_copy(
                update={
                    "landed": event.sha,
                    "landed_at": event.seen_at,
                    "merged_by": event.merged_by,
                    "sentence": "",
                    "queued_at": None,
                }
            )
        case ev.LandAborted():
            return change.model_copy(
                update={"sentence": event.sentence, "land_after": event.again_at}
            )
        case ev.ChangeFailed():
            return change.model_copy(
                update={
                    "failure": event.reason,
                    "sentence": event.sentence,
                    "queued_at": None,
                }
            )
        case ev.ChangeStopped():
            return change.model_copy(
                update={"sentence": f"Stopped by {event.stopped_by}.", "queued_at": None}
            )
        case ev.ChangeReopened():
            retry = change.retry
            is_moot = change.failure is ev.FailureReason.ARCHIVE_REFUSED or event.is_new_text
            if retry is None or is_moot:
                said = event.because or f"@{event.reopened_by} asked for another try."
                retry = RetryContext(reason=RetryReason.ASKED, sentence=said)
            return change.model_copy(
                update={
                    "budget_start": change.attempt,
                    "orders_lost": 0,
                    "failure": None,
                    "sentence": "",
                    "head_is_fresh": change.head_is_fresh and not event.is_new_text,
                    "retry": retry,
                    "reopened": change.reopened + 1,
                    # Whoever asks again was told of the edits, and of these alone.
                    "accepted_blocks": {**change.accepted_blocks, **change.edited_blocks},
                    "edited_blocks": {},
                }
            )
        case _:
            return change
