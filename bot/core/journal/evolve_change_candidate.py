"""What candidates and their gates mean for a change; its state has moved by then.

What they mean for the candidate itself stands in `evolve_candidate`.
"""

from action.order import RetryContext, RetryReason
from bot.core.journal import events as ev
from bot.core.journal.evolve_candidate import not_passed
from bot.core.journal.state import ChangeFacts, Flake, RedGate, WorkFate
from bot.core.values.replacement import replace
from gates.error_line import error_line
from gates.result import GateResult

# So many tests of a gate, or files of a conflict, are remembered for people.
_NAMED = 5

# An approval of any of these still holds; a main as busy as that has reviewed again by then.
_BUILT_KEPT = 64
_ERROR_CHARACTERS = 300


def candidate_built(change: ChangeFacts, event: ev.CandidateBuilt) -> ChangeFacts:
    """Its branch shows the newest candidate. What did not fit an older main fits this one."""
    return replace(
        _fits_again(change) if change.unfit_on is not None else change,
        shown=event.sha,
        delta_conflict="",
        candidates=event.number,
        built=(*change.built, event.sha)[-_BUILT_KEPT:],
        sentence="",
    )


def _fits_again(change: ChangeFacts) -> ChangeFacts:
    was_conflict = change.retry is not None and change.retry.reason is RetryReason.CONFLICT
    return replace(
        with_fate(change, WorkFate.OPEN),
        unfit_on=None,
        retry=None,
        head_is_fresh=change.head_is_whole,
        start_attempt=0,
        conflicts=change.conflicts - was_conflict,
        conflicted_at=None,
        conflict_files=(),
        edited_blocks={},
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
    """The work does not merge with main. Met by the same work on another main again, it counts once, and what
    was made ready for an agent is out of date.
    """
    before = change.retry.reason if change.retry is not None else None
    is_again = change.unfit_on is not None and before is RetryReason.CONFLICT
    retry = RetryContext(
        reason=RetryReason.CONFLICT,
        sentence=f"The work does not merge with main at {event.base[:12]}.",
        conflicting_files=event.files,
    )
    return replace(
        with_fate(change, WorkFate.CONFLICT, files=event.files[:_NAMED]),
        retry=retry,
        head_is_fresh=False,
        conflicts=change.conflicts + (not is_again),
        start_attempt=0 if is_again else change.start_attempt,
        conflict_files=event.files,
        unfit_on=event.base,
    )


def archive_refused(change: ChangeFacts, event: ev.ArchiveRefused) -> ChangeFacts:
    return replace(
        change,
        retry=RetryContext(reason=RetryReason.ARCHIVE_REFUSED, sentence=event.sentence),
        edited_blocks=dict(event.edited),
        delta_conflict="",
        unfit_on=event.base,
    )


def delta_compared(change: ChangeFacts, event: ev.DeltaCompared) -> ChangeFacts:
    return replace(change, delta_conflict=event.sentence)


def gates_ordered(change: ChangeFacts, event: ev.GatesOrdered) -> ChangeFacts:
    return replace(change, order=event.order)


def candidate_passed(change: ChangeFacts, event: ev.CandidatePassed) -> ChangeFacts:
    return with_fate(_judged(change, event), WorkFate.PASSED)


def candidate_failed(change: ChangeFacts, event: ev.CandidateFailed) -> ChangeFacts:
    red = not_passed(event.results)
    retry = RetryContext(reason=RetryReason.GATES_FAILED, sentence=event.sentence, failed_gates=red)
    told = with_fate(
        _judged(change, event),
        WorkFate.RED,
        red=tuple(red_gate(r) for r in red if not r.is_accepted),
    )
    return replace(told, retry=retry, head_is_fresh=False)


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


def red_gate(result: GateResult) -> RedGate:
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


def gates_doubted(change: ChangeFacts, event: ev.GatesDoubted) -> ChangeFacts:
    return _judged(change, event)


def candidate_reviewed(change: ChangeFacts, event: ev.CandidateReviewed) -> ChangeFacts:
    return replace(change, reviews={**change.reviews, event.gate: event})


def main_blamed(change: ChangeFacts, event: ev.MainBlamed) -> ChangeFacts:
    """What the gates said, for people to read; the work has no known fault."""
    red = tuple(red_gate(r) for r in event.results if r.is_red)
    return with_fate(change, WorkFate.OPEN, red=red)


def gate_flaked(change: ChangeFacts, event: ev.GateFlaked) -> ChangeFacts:
    """Told in the report."""
    flake = Flake(gate=event.gate, tests=event.tests)
    return replace(change, flakes=(*(f for f in change.flakes if f != flake), flake))


def _judged(
    change: ChangeFacts, _event: ev.CandidatePassed | ev.CandidateFailed | ev.GatesDoubted
) -> ChangeFacts:
    return replace(change, gate_runs=change.gate_runs + 1)
