"""`/headgate allow`: a person lets a change steer how it is judged, or lose tests, as its commit shows."""

from bot.core.decide.decision import Decision
from bot.core.journal.events import (
    ChangeReopened,
    FailureReason,
    SpecRunReopened,
    SteeringAllowed,
)
from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.state.candidates import is_steered
from bot.core.talk.asked_command import Reply, refuse, reply
from bot.core.talk.steering_text import (
    allowed_before,
    allowed_text,
    no_such_candidate,
    shadows_text,
)
from bot.core.values.lifecycle import ChangeState

# As short as git itself shows a commit.
SHA_CHARACTERS_MIN = 7


def allow(decision: Decision, run: SpecRun, argument: str, author: str) -> Reply:
    """Allow what the newest candidate of one of the run's changes steers, and which tests it loses."""
    named = argument.strip().strip("`").lower()
    changes = decision.state.changes_of(run.id)
    found = [c for c in changes if len(named) >= SHA_CHARACTERS_MIN and _shows(decision, c, named)]
    waiting = tuple(
        candidate.sha
        for c in changes
        if (candidate := decision.state.candidate_of(c)) is not None
        and (is_steered(decision.state, c) or _lost(decision, c))
    )
    candidate = decision.state.candidate_of(found[0]) if found else None
    if candidate is None:
        return refuse(no_such_candidate(named, waiting))
    change = found[0]
    steering = candidate.steering
    if steering.shadows:
        return refuse(shadows_text(steering))
    files = steering.files if steering.digest not in change.allowed else ()
    lost = _lost(decision, change)
    if not files and not lost:
        person = change.allowed.get(steering.digest) or next(iter(change.may_lose.values()))
        return reply(allowed_before(person, steering.files))
    decision.emit(
        SteeringAllowed(
            change=change.id,
            candidate=candidate.sha,
            digest=steering.digest,
            files=files,
            allowed_by=author,
            lost=lost,
        )
    )
    if change.failure is FailureReason.STEERED or (lost and change.state is ChangeState.FAILED):
        if not run.is_open:
            decision.emit(SpecRunReopened(spec_run=run.id))
        decision.emit(ChangeReopened(change=change.id, reopened_by=author))
    return reply(allowed_text(files, lost))


def _shows(decision: Decision, change: ChangeFacts, named: str) -> bool:
    candidate = decision.state.candidate_of(change)
    if candidate is None or not candidate.sha.startswith(named):
        return False
    steering = candidate.steering
    return bool(steering.files or steering.shadows or change.may_lose or _lost(decision, change))


def _lost(decision: Decision, change: ChangeFacts) -> tuple[str, ...]:
    """The tests of main that stand in the newest candidate's way, and that nobody allowed to go."""
    guards = decision.policy.guards_of_tests
    results = decision.state.results_of(change)
    red = [r for r in results if r.gate in guards and not r.is_accepted]
    return tuple(dict.fromkeys(t for r in red for t in r.failed_tests if t not in change.may_lose))
