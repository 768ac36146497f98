"""The serial queue: which entry lands next, and when.

The candidate at the front lands only if its base is main and every required gate is green on it;
otherwise it is built and judged again. What is said here of changes says `pulls` of people's pulls. Nothing lands while the queue is frozen or main is not judged.
"""

from datetime import datetime, timedelta

from bot.core.decide.changes.advance import build_candidate
from bot.core.decide.changes.end_without_landing import landing_of
from bot.core.decide.changes.void_outdated import is_outdated, phase_of, void_if_outdated
from bot.core.decide.decision import Decision
from bot.core.decide.queue import pulls, recall
from bot.core.decide.queue.plan import Act, Land, QueueView, Waiting, plan
from bot.core.journal.effects import LandCandidate
from bot.core.journal.events import LandAborted, LandIntended
from bot.core.journal.ground import ground_of
from bot.core.journal.state import Candidate, ChangeFacts, QueuedPull, RepositoryState, SpecRunState
from bot.core.state.approvals import needs_resolution
from bot.core.state.candidates import is_being_judged, stage_of
from bot.core.state.declared_scope import declared_scope
from bot.core.state.evidence import is_complete, judged_of
from bot.core.state.landing_way import is_queued, merge_methods
from bot.core.state.queue_order import SERIAL, Queued, blocked_by, entries, is_aside, queued_of
from bot.core.state.queue_void import Lack, Phase
from bot.core.state.refusing_rules import needs_signatures
from bot.core.state.verdict import Verdict, judge
from bot.core.talk.candidate_content import finished_version
from bot.core.values.lifecycle import CandidateState, EntryState, OfferStage, QueuedPullState

# If a rule of the repository refuses a landing, try again later: a person may change the rule.
LAND_AGAIN = timedelta(minutes=5)


def next_steps(decision: Decision) -> None:
    """Land the entry at the front, or build its candidate again on the current main."""
    recall.next_steps(decision)
    _void_outdated(decision)
    pulls.follow(decision)
    main = decision.state.main
    if main is None or decision.state.frozen is not None:
        return
    _give_up_refused(decision)
    for act in plan(view_of(decision.state, decision.now), SERIAL):
        carry_out(decision, act)


def view_of(state: RepositoryState, now: datetime) -> QueueView:
    return QueueView(
        entries=tuple(_waiting(state, queued, now) for queued in entries(state)),
        may_land=blocked_by(state) is None,
    )


def _waiting(state: RepositoryState, queued: Queued, now: datetime) -> Waiting:
    entry = state.entry_of(queued)
    candidate = state.candidates.get(entry.candidate) if entry.candidate is not None else None
    return Waiting(
        id=entry.id,
        is_landing=entry.state is EntryState.LANDING,
        is_aside=is_aside(state, queued, now),
        is_judged_on_main=candidate is not None
        and candidate.state is CandidateState.JUDGED
        and candidate.base == state.main,
    )


def carry_out(decision: Decision, act: Act) -> None:
    """Do what a strategy says, where it is safe: one landing at a time, of who is in the queue and whom nobody
    keeps; what cannot land as it is, is built again.
    """
    state = decision.state
    queued = queued_of(state, act.entry)
    is_landing = any(e.state is EntryState.LANDING for e in state.entries.values())
    if queued is None or is_landing or is_aside(state, queued, decision.now):
        return
    # Judged beside main's own gates; it lands when both are green.
    may_land = isinstance(act, Land) and blocked_by(state) is None
    if isinstance(queued, QueuedPull):
        if pulls.made_ready(decision, queued) and may_land:
            pulls.land(decision, queued)
    elif (candidate := _made_ready(decision, queued)) is not None and may_land:
        _land(decision, queued, candidate)


def _void_outdated(decision: Decision) -> None:
    """Whatever is judged: gates that no runner has taken yet are not run on what can no longer land."""
    state = decision.state
    judged: list[Queued] = [
        p for p in state.queued_pulls.values() if p.state is QueuedPullState.JUDGING
    ]
    if state.frozen is None:
        # On a main that is not sound, no change would be built anew.
        judged += [c for c in state.changes.values() if is_being_judged(state, c)]
    for queued in judged:
        candidate = state.candidate_of(queued)
        if candidate is not None:
            order = state.orders.get(candidate.order) if candidate.order else None
            void_if_outdated(decision, queued, phase_of(candidate, order))


def _made_ready(decision: Decision, front: ChangeFacts) -> Candidate | None:
    """The candidate, if it may land as it is; else another one is built where that helps."""
    candidate = decision.state.candidate_of(front)
    has_passed = stage_of(decision.state, front) is OfferStage.QUEUED
    if not has_passed or candidate is None or front.pull is None:
        return None
    if front.pushed is not None:
        return None
    run = decision.state.spec_runs[front.spec_run]
    if front.pull_closed or run.state is not SpecRunState.RUNNING:
        return None
    refused_until = decision.state.entry_of(front).land_after
    if refused_until is not None and decision.now < refused_until:
        return None
    finishes = finished_version(decision.state, ground_of(decision.state), run, front)
    lacks = {
        Lack.OTHER_CONTENT: candidate.folder_version != finishes,
        Lack.NO_SIGNATURE: needs_signatures(decision.state) and not candidate.is_signed,
        Lack.OTHER_GATES: not _is_signed_off(decision, front, candidate),
    }
    if is_outdated(decision, front, Phase.PASSED, {lack for lack, is_so in lacks.items() if is_so}):
        build_candidate(decision, run, front)
        return None
    if finishes and decision.state.main_seen_at is not None:
        # What somebody has just pushed may be an edit of the folder; it is read in a moment.
        return None
    return candidate


def _land(decision: Decision, front: ChangeFacts, candidate: Candidate) -> None:
    if front.pull is None:
        return
    decision.emit(LandIntended(change=front.id, base=candidate.base, candidate=candidate.sha))
    merges = merge_methods(decision.policy, decision.state.rules)
    queued_at = decision.now if is_queued(decision.policy, decision.state.rules) else None
    landing = landing_of(front, candidate, front.pull, merges, queued_at)
    is_asked = needs_resolution(decision.policy, decision.state.rules)
    decision.intend(landing.replace(needs_resolution=is_asked))


def _give_up_refused(decision: Decision) -> None:
    """Abort a landing that GitHub refused, to try it again later."""
    if not any(e.state is EntryState.LANDING for e in decision.state.entries.values()):
        return
    for queued in entries(decision.state)[:1]:
        if isinstance(queued, QueuedPull):
            pulls.give_up_refused(decision, queued)
        else:
            _give_up_change(decision, queued)


def _give_up_change(decision: Decision, change: ChangeFacts) -> None:
    candidate = decision.state.candidate_of(change)
    if candidate is None:
        return
    key = LandCandidate.key_of(change.id, candidate.sha, candidate.base)
    sentence = decision.state.refused.get(key)
    if sentence is not None and key not in decision.state.open_effects:
        decision.emit(
            LandAborted(change=change.id, sentence=sentence, again_at=decision.now + LAND_AGAIN)
        )


def _is_signed_off(decision: Decision, change: ChangeFacts, candidate: Candidate) -> bool:
    """Whether the results are still valid under the gates that main requires now."""
    policy = decision.policy_for(change)
    judged = judged_of(
        change,
        candidate,
        decision.requirements_of(change),
        declared_scope(decision.policy_for(change), change.planned),
    )
    is_green = judge(policy, candidate.results).verdict is Verdict.GREEN
    return is_green and is_complete(decision.state, policy, judged)
