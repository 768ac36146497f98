"""The serial queue: which entry lands next, and when.

The candidate at the front lands only if its base is main and every required gate is green on it;
otherwise it is built and judged again. What is said here of changes says `pulls` of people's pulls. Nothing lands while the queue is frozen or main is not judged.
"""

from datetime import timedelta

from bot.core.decide.changes.advance import build_candidate
from bot.core.decide.changes.asked_requirements import requirements_of
from bot.core.decide.changes.candidate_content import finished_version
from bot.core.decide.changes.end_without_landing import landing_of
from bot.core.decide.changes.settle_orders import revoke
from bot.core.decide.decision import Decision
from bot.core.decide.queue import pulls
from bot.core.journal.effects import LandCandidate
from bot.core.journal.events import CandidateVoided, LandAborted, LandIntended
from bot.core.journal.ground import ground_of
from bot.core.journal.state import Candidate, ChangeFacts, QueuedPull, SpecRunState
from bot.core.state.declared_scope import declared_scope
from bot.core.state.evidence import is_complete, judged_of
from bot.core.state.queue_order import blocked_by, front
from bot.core.state.refusing_rules import needs_signatures
from bot.core.state.verdict import Verdict, judge
from bot.core.values.ids import Sha
from bot.core.values.lifecycle import ChangeState, OrderState

# If a rule of the repository refuses a landing, try again later: a person may change the rule.
LAND_AGAIN = timedelta(minutes=5)


def next_steps(decision: Decision) -> None:
    """Land the entry at the front, or build its candidate again on the current main."""
    pulls.follow(decision)
    main = decision.state.main
    if main is None or decision.state.frozen is not None:
        return
    for change in tuple(decision.state.changes.values()):
        if change.state is ChangeState.JUDGING:
            _withdraw_outdated_gates(decision, change)
    first = front(decision.state, decision.now)
    if isinstance(first, QueuedPull):
        pulls.advance(decision, first, main)
    elif first is not None:
        _advance_front(decision, first, main)


def _advance_front(decision: Decision, front: ChangeFacts, main: Sha) -> None:
    if front.state is ChangeState.LANDING:
        _give_up_refused(decision, front)
        return
    candidate = decision.state.candidate_of(front)
    if front.state is not ChangeState.QUEUED or candidate is None or front.pull is None:
        return
    if front.pushed is not None:
        return
    run = decision.state.spec_runs[front.spec_run]
    if front.pull_closed or run.state is not SpecRunState.RUNNING:
        return
    refused_until = decision.state.entry_of(front).land_after
    if refused_until is not None and decision.now < refused_until:
        return
    finishes = finished_version(decision.state, ground_of(decision.state), run, front)
    is_stale = candidate.base != main or candidate.folder_version != finishes
    lacks_signature = needs_signatures(decision.state) and not candidate.is_signed
    if is_stale or lacks_signature or not _is_signed_off(decision, front, candidate):
        build_candidate(decision, run, front)
        return
    if finishes and decision.state.main_seen_at is not None:
        # What somebody has just pushed may be an edit of the folder; it is read in a moment.
        return
    if blocked_by(decision.state) is not None:
        # Judged beside main's own gates; it lands when both are green.
        return
    decision.emit(LandIntended(change=front.id, base=main, candidate=candidate.sha))
    decision.intend(landing_of(front, candidate, front.pull))


def _give_up_refused(decision: Decision, change: ChangeFacts) -> None:
    """Abort a landing that GitHub refused, to try it again later."""
    candidate = decision.state.candidate_of(change)
    if candidate is None:
        return
    key = LandCandidate.key_of(change.id, candidate.sha, candidate.base)
    sentence = decision.state.refused.get(key)
    if sentence is not None and key not in decision.state.open_effects:
        decision.emit(
            LandAborted(change=change.id, sentence=sentence, again_at=decision.now + LAND_AGAIN)
        )


def _withdraw_outdated_gates(decision: Decision, change: ChangeFacts) -> None:
    """Gates that no runner has taken yet are not run on what can no longer land."""
    candidate = decision.state.candidate_of(change)
    order = decision.state.orders.get(candidate.order) if candidate and candidate.order else None
    if order is None or candidate is None:
        return
    if order.state is OrderState.PLACED and candidate.base != decision.state.main:
        decision.emit(CandidateVoided(change=change.id, order=order.id, candidate=order.commit))
        revoke(decision, order)


def _is_signed_off(decision: Decision, change: ChangeFacts, candidate: Candidate) -> bool:
    """Whether the results are still valid under the gates that main requires now."""
    policy = decision.policy_for(change)
    judged = judged_of(
        change,
        candidate,
        requirements_of(decision, change),
        declared_scope(decision.policy_for(change), change.planned),
    )
    is_green = judge(policy, candidate.results).verdict is Verdict.GREEN
    return is_green and is_complete(decision.state, policy, judged)
