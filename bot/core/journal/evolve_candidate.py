"""What candidates and their gates mean for a change; its state has moved by then."""

from action.order import RetryContext, RetryReason
from bot.core.journal import events as ev
from bot.core.journal.state import Candidate, ChangeFacts, Flake, Judged, RedGate, WorkFate
from bot.core.values.replacement import replace
from gates.error_line import error_line
from gates.result import Ending, GateResult

# How many judgements of older candidates are kept for reuse (law 8).
JUDGED_KEPT = 8

# So many tests of a gate, or files of a conflict, are remembered for people.
_NAMED = 5
_ERROR_CHARACTERS = 300


def candidate_built(change: ChangeFacts, event: ev.CandidateBuilt) -> ChangeFacts:
    """The newest candidate."""
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
        folder_version=event.folder_version,
    )
    return replace(
        change,
        candidate=candidate,
        shown=event.sha,
        delta_conflict="",
        candidates=event.number,
        results=(),
        doubts=(),
        sentence="",
        land_after=None,
    )


def number_used(change: ChangeFacts, event: ev.CandidateBuilt) -> ChangeFacts:
    """A candidate that came too late has its ref and is shown: its number is not given again."""
    if event.number <= change.candidates:
        return change
    return replace(change, candidates=event.number, shown=event.sha)


def conflicted(change: ChangeFacts, event: ev.CandidateConflicted) -> ChangeFacts:
    """The work does not merge with main."""
    retry = RetryContext(
        reason=RetryReason.CONFLICT,
        sentence=f"The work does not merge with main at {event.base[:12]}.",
        conflicting_files=event.files,
    )
    return replace(
        with_fate(change, WorkFate.CONFLICT, files=event.files[:_NAMED]),
        retry=retry,
        queued_at=None,
        head_is_fresh=False,
        conflicts=change.conflicts + 1,
        conflict_files=event.files,
    )


def archive_refused(change: ChangeFacts, event: ev.ArchiveRefused) -> ChangeFacts:
    """The delta cannot be folded into the main specs."""
    return replace(
        change,
        retry=RetryContext(reason=RetryReason.ARCHIVE_REFUSED, sentence=event.sentence),
        queued_at=None,
        edited_blocks=dict(event.edited),
        delta_conflict="",
    )


def delta_compared(change: ChangeFacts, event: ev.DeltaCompared) -> ChangeFacts:
    """Whether the delta still fits main."""
    return replace(change, delta_conflict=event.sentence)


def gates_ordered(change: ChangeFacts, event: ev.GatesOrdered) -> ChangeFacts:
    """Whose verdict is waited for."""
    return replace(change, order=event.order)


def candidate_passed(change: ChangeFacts, event: ev.CandidatePassed) -> ChangeFacts:
    """The gates' results."""
    return with_fate(_judged(change, event), WorkFate.PASSED)


def queued(change: ChangeFacts, number: int) -> ChangeFacts:
    """In the queue at the place `number`, or at the one it has."""
    return replace(change, queued_at=number) if change.queued_at is None else change


def candidate_failed(change: ChangeFacts, event: ev.CandidateFailed) -> ChangeFacts:
    """The gates' results, and what the next attempt is told of them."""
    red = tuple(r for r in event.results if r.ending is not Ending.PASSED)
    retry = RetryContext(reason=RetryReason.GATES_FAILED, sentence=event.sentence, failed_gates=red)
    told = with_fate(
        _judged(change, event),
        WorkFate.RED,
        red=tuple(_red_gate(r) for r in red if not r.is_accepted),
    )
    return replace(told, retry=retry, queued_at=None, head_is_fresh=False)


def with_fate(
    change: ChangeFacts,
    fate: WorkFate,
    *,
    red: tuple[RedGate, ...] = (),
    files: tuple[str, ...] = (),
) -> ChangeFacts:
    """What became of the newest work, noted with the agent run that handed it in."""
    order = change.head.order if change.head else None
    runs = tuple(
        replace(run, fate=fate, red=red, files=files) if run.order == order else run
        for run in change.agent_runs
    )
    return replace(change, agent_runs=runs)


def _red_gate(result: GateResult) -> RedGate:
    error = "" if result.failed_tests else error_line(result.log_tail) or result.sentence
    return RedGate(
        gate=result.gate,
        ending=result.ending,
        tests=result.failed_tests[:_NAMED],
        tests_failed=len(result.failed_tests),
        error=error[:_ERROR_CHARACTERS],
    )


def gates_doubted(change: ChangeFacts, event: ev.GatesDoubted) -> ChangeFacts:
    """What passed holds for the next order; what did not is asked once more."""
    red = tuple(r for r in event.results if r.ending is not Ending.PASSED)
    return replace(_judged(change, event), doubts=(*change.doubts, *red), results=())


def gate_flaked(change: ChangeFacts, event: ev.GateFlaked) -> ChangeFacts:
    """Told in the report."""
    flake = Flake(gate=event.gate, tests=event.tests)
    return replace(change, flakes=(*(f for f in change.flakes if f != flake), flake))


def _judged(
    change: ChangeFacts, event: ev.CandidatePassed | ev.CandidateFailed | ev.GatesDoubted
) -> ChangeFacts:
    candidate = change.candidate
    if candidate is None:
        return change
    judged = Judged(
        tree=candidate.tree,
        diff_digest=candidate.diff_digest,
        definition_hash=event.definition_hash,
        results=tuple(r for r in event.results if r.ending is Ending.PASSED),
    )
    return replace(
        change,
        results=event.results,
        gate_runs=change.gate_runs + 1,
        judged=(*change.judged, judged)[-JUDGED_KEPT:],
    )
