"""What candidates and their gates mean for a change; its state has moved by then."""

from action.order import RetryContext, RetryReason
from bot.core.journal import events as ev
from bot.core.journal.state import Awaited, Candidate, ChangeFacts, Flake, RedGate, WorkFate
from bot.core.values.replacement import replace
from gates.error_line import error_line
from gates.result import Ending, GateResult

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
        steering=event.steering,
        beside=event.beside,
        is_signed=event.is_signed,
    )
    return replace(
        change,
        candidate=candidate,
        shown=event.sha,
        delta_conflict="",
        candidates=event.number,
        results=(),
        doubts=(),
        # A commit that is built twice within a second is the same, and is awaited anew.
        awaited=None,
        sentence="",
        land_after=None,
    )


def steering_allowed(change: ChangeFacts, event: ev.SteeringAllowed) -> ChangeFacts:
    """These contents may be judged, and land if they pass."""
    files = {event.digest: event.allowed_by} if event.files else {}
    lost = dict.fromkeys(event.lost, event.allowed_by)
    return replace(
        change, allowed={**change.allowed, **files}, may_lose={**change.may_lose, **lost}
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
    red = _not_passed(event.results)
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
    introduced = tuple(test for test in result.failed_tests if test not in result.inherited)
    error = "" if result.failed_tests else error_line(result.log_tail) or result.sentence
    return RedGate(
        gate=result.gate,
        ending=result.ending,
        tests=introduced[:_NAMED],
        tests_failed=len(introduced),
        error=error[:_ERROR_CHARACTERS],
        inherited=result.inherited[:_NAMED],
    )


def _not_passed(results: tuple[GateResult, ...]) -> tuple[GateResult, ...]:
    """Those that ran, or could not; what was not begun says nothing."""
    return tuple(r for r in results if r.ending is not Ending.PASSED and not r.stopped_by)


def gates_doubted(change: ChangeFacts, event: ev.GatesDoubted) -> ChangeFacts:
    """What passed holds for the next order; what did not is asked once more."""
    red = _not_passed(event.results)
    return replace(_judged(change, event), doubts=(*change.doubts, *red), results=())


def checks_awaited(change: ChangeFacts, event: ev.ChecksAwaited) -> ChangeFacts:
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
    return replace(change, awaited=awaited)


def candidate_answered(change: ChangeFacts, event: ev.CandidateAnswered) -> ChangeFacts:
    """What a person said, until the verdict."""
    awaited = change.awaited
    if awaited is None:
        return change
    return replace(change, awaited=replace(awaited, answers=(*awaited.answers, event)))


def candidate_reviewed(change: ChangeFacts, event: ev.CandidateReviewed) -> ChangeFacts:
    """What a model said, for the verdict and for the next review."""
    return replace(change, reviews={**change.reviews, event.gate: event})


def main_blamed(change: ChangeFacts, event: ev.MainBlamed) -> ChangeFacts:
    """What the gates said, for people to read; the work has no known fault."""
    red = tuple(_red_gate(r) for r in event.results if r.is_red)
    return replace(with_fate(change, WorkFate.OPEN, red=red), results=event.results)


def gates_asked_again(change: ChangeFacts, _event: ev.GatesAskedAgain) -> ChangeFacts:
    """As if nothing had been said of it."""
    return replace(change, results=(), doubts=(), awaited=None)


def gate_flaked(change: ChangeFacts, event: ev.GateFlaked) -> ChangeFacts:
    """Told in the report."""
    flake = Flake(gate=event.gate, tests=event.tests)
    return replace(change, flakes=(*(f for f in change.flakes if f != flake), flake))


def _judged(
    change: ChangeFacts, event: ev.CandidatePassed | ev.CandidateFailed | ev.GatesDoubted
) -> ChangeFacts:
    return replace(change, results=event.results, gate_runs=change.gate_runs + 1)
