"""How candidates move; read as the tables in `transitions`, which shows this one.

An event that names a candidate moves its change or pull only where it moves the candidate, too. One
that a person or a runner caused (the lower rows) moves the candidate where it moves the entry.
"""

from bot.core.journal import events as ev
from bot.core.journal.candidate_facts import Candidate
from bot.core.journal.machine import Machine, begin, in_place, on
from bot.core.values.lifecycle import CandidateState

OfCandidatesOrder = (
    ev.CandidatePassed
    | ev.CandidateFailed
    | ev.CandidateVoided
    | ev.GatesDoubted
    | ev.ChecksAwaited
    | ev.MainBlamed
    | ev.PullGatesDoubted
    | ev.PullPassedAsMain
    | ev.PullPassed
)
OfCandidate = (
    OfCandidatesOrder
    | ev.GatesOrdered
    | ev.GatesAskedAgain
    | ev.GateFlaked
    | ev.CandidateAnswered
    | ev.CandidateReviewed
    | ev.PullGatesOrdered
    | ev.PullVoided
    | ev.LandIntended
    | ev.PullLandIntended
)
AfterEntry = (
    ev.HeadImported
    | ev.GatesLost
    | ev.OrderDeferred
    | ev.Landed
    | ev.MergedByHand
    | ev.HeadTakenOver
    | ev.PushRefused
    | ev.ChangeFailed
    | ev.ChangeStopped
    | ev.PullWithdrawn
    | ev.PullEvicted
    | ev.PullLanded
)


def another_commit(candidate: Candidate, event: OfCandidate) -> bool:
    """It is about another candidate than the newest."""
    return event.candidate != candidate.sha


def another_order(candidate: Candidate, event: OfCandidatesOrder) -> bool:
    """It is about another order than the candidate's newest."""
    return event.order != candidate.order


def another_gate_order(candidate: Candidate, event: ev.GatesLost | ev.OrderDeferred) -> bool:
    """It is about another order than the candidate's newest."""
    return event.order != candidate.order


def another_number(candidate: Candidate, event: ev.CandidateBuilt) -> bool:
    """It is another candidate than the one that was asked for."""
    return event.number != candidate.number


def another_nth(candidate: Candidate, event: ev.PullCandidateBuilt) -> bool:
    """It is another candidate than the one that was asked for."""
    return event.nth != candidate.number


def another_base(candidate: Candidate, event: ev.CandidateConflicted | ev.ArchiveRefused) -> bool:
    """It is about another base than the candidate's."""
    return event.base != candidate.base


def another_tip(candidate: Candidate, event: ev.Landed | ev.PullLanded) -> bool:
    """Another commit landed."""
    return (event.candidate or event.sha) != candidate.sha


_C = CandidateState
_BUILT = (_C.BUILT, _C.JUDGING, _C.JUDGED)
# What is being built is not void yet: whether it may be judged is asked when it is built.
_VOIDED = dict.fromkeys(_BUILT, _C.VOID)

CANDIDATES: Machine[Candidate, CandidateState] = Machine(
    lambda candidate: candidate.state,
    (
        # The effect that builds it is intended.
        begin(ev.EffectIntended, _C.ASKED),
        on(ev.CandidateBuilt, {_C.ASKED: _C.BUILT}, another_number),
        on(ev.PullCandidateBuilt, {_C.ASKED: _C.BUILT}, another_nth),
        on(ev.CandidateConflicted, {_C.ASKED: _C.UNBUILDABLE}, another_base),
        on(ev.ArchiveRefused, {_C.ASKED: _C.UNBUILDABLE}, another_base),
        on(
            ev.GatesOrdered,
            {_C.BUILT: _C.JUDGING, _C.JUDGING: _C.JUDGING},
            another_commit,
        ),
        on(
            ev.PullGatesOrdered,
            {_C.BUILT: _C.JUDGING, _C.JUDGING: _C.JUDGING},
            another_commit,
        ),
        on(ev.GatesDoubted, {_C.JUDGING: _C.BUILT}, another_order, another_commit),
        on(ev.PullGatesDoubted, {_C.JUDGING: _C.BUILT}, another_order, another_commit),
        on(ev.PullPassedAsMain, {_C.JUDGING: _C.BUILT}, another_order, another_commit),
        on(ev.GatesLost, {_C.JUDGING: _C.BUILT}, another_gate_order),
        on(ev.OrderDeferred, {_C.JUDGING: _C.BUILT}, another_gate_order),
        on(ev.ChecksAwaited, in_place(_C.JUDGING), another_order, another_commit),
        on(ev.CandidateAnswered, in_place(_C.JUDGING), another_commit),
        on(ev.CandidateReviewed, in_place(_C.JUDGING), another_commit),
        on(ev.MainBlamed, in_place(_C.JUDGING), another_order, another_commit),
        on(ev.GateFlaked, in_place(_C.JUDGING), another_commit),
        on(ev.GatesAskedAgain, dict.fromkeys(_BUILT, _C.BUILT), another_commit),
        on(ev.CandidatePassed, {_C.JUDGING: _C.JUDGED}, another_order, another_commit),
        on(ev.CandidateFailed, {_C.JUDGING: _C.JUDGED}, another_order, another_commit),
        on(ev.PullPassed, {_C.JUDGING: _C.JUDGED}, another_order, another_commit),
        on(ev.CandidateVoided, dict.fromkeys(_BUILT, _C.VOID), another_order, another_commit),
        on(ev.PullVoided, dict.fromkeys(_BUILT, _C.VOID), another_commit),
        on(ev.LandIntended, in_place(_C.JUDGED), another_commit),
        on(ev.PullLandIntended, in_place(_C.JUDGED), another_commit),
        on(ev.Landed, {_C.JUDGED: _C.LANDED}, another_tip),
        on(ev.PullLanded, {_C.JUDGED: _C.LANDED}, another_tip),
        on(ev.MergedByHand, dict.fromkeys(_BUILT, _C.LANDED)),
        on(
            ev.PullEvicted,
            {**_VOIDED, _C.ASKED: _C.UNBUILDABLE, _C.JUDGING: _C.JUDGED},
        ),
        on(ev.PullWithdrawn, _VOIDED),
        on(ev.HeadImported, _VOIDED),
        on(ev.HeadTakenOver, _VOIDED),
        on(ev.PushRefused, _VOIDED),
        on(ev.ChangeFailed, _VOIDED),
        on(ev.ChangeStopped, _VOIDED),
    ),
)
