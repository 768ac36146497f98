"""How changes, people's pulls, candidates, spec runs, orders and dialogues move: one table for each.

A row says which event moves a thing from which states to which, and when the event is stale:
doubled, late, or about an older order, candidate, revision or round. An event that is stale, or that
no row knows for the state, moves nothing and changes no facts. What the table of entries knows moves a
change only where it moves its entry, so what is landing lands. `docs/states.md` is drawn from these tables.
"""

from collections.abc import Mapping

from bot.core.journal import events as ev
from bot.core.journal.candidate_transitions import CANDIDATES as CANDIDATES
from bot.core.journal.change_state import ChangeFacts, OrderFacts
from bot.core.journal.dialogue_state import Dialogue
from bot.core.journal.entry_transitions import ENTRIES as ENTRIES
from bot.core.journal.machine import (
    Machine,
    Move as Move,
    begin as _begin,
    in_place as _in_place,
    on as _on,
)
from bot.core.journal.pull_transitions import PULLS as PULLS
from bot.core.journal.spec_state import SpecRun
from bot.core.values.ids import Frozen
from bot.core.values.lifecycle import (
    TERMINAL,
    ChangeState,
    DialoguePhase,
    OrderState,
    SpecRunState,
)

_OfOrder = (
    ev.OrderLeased
    | ev.WorkHandedIn
    | ev.WorkFailed
    | ev.AgentLost
    | ev.OrderDeferred
    | ev.AgentAsked
    | ev.HeadImported
    | ev.BundleRefused
)


def another_order(change: ChangeFacts, event: _OfOrder) -> bool:
    """It is about another order than the change's newest."""
    return event.order != change.order


def another_head(change: ChangeFacts, event: ev.CandidateBuilt) -> bool:
    """It was built from other work than the change's newest."""
    return change.head is None or event.head != change.head.sha


def used_number(change: ChangeFacts, event: ev.CandidateBuilt) -> bool:
    """The change has had a candidate with this number."""
    return event.number <= change.candidates


def no_partial_work(change: ChangeFacts, _event: ev.HeadImported | ev.BundleRefused) -> bool:
    """No unfinished work is to be kept."""
    return not change.has_partial_work


def nothing_refused(_change: ChangeFacts, event: ev.HeadImported) -> bool:
    """Nothing in it was refused."""
    return not event.sentence


def an_agent(_change: ChangeFacts, event: ev.AgentOrdered) -> bool:
    """A command makes files anew."""
    return not event.remake


def begun_attempt(change: ChangeFacts, event: ev.StartPrepared | ev.AgentOrdered) -> bool:
    """The attempt has begun."""
    return event.attempt <= change.attempt


def same_open_pull(change: ChangeFacts, event: ev.PullOpened) -> bool:
    """The change has this pull, and it is open."""
    return event.number == change.pull and not change.pull_closed


def another_pull(change: ChangeFacts, event: ev.PullClosed) -> bool:
    """It is about another pull than the change's newest."""
    return event.number != change.pull


def known_push(change: ChangeFacts, event: ev.BranchPushed) -> bool:
    """It is what the branch is known to show, or what was noticed before."""
    return event.pushed in {change.shown, change.pushed}


def another_push(
    change: ChangeFacts, event: ev.HeadTakenOver | ev.PushPassedOver | ev.PushRefused
) -> bool:
    """It is about another push than the one that is looked at."""
    return event.pushed != change.pushed


def not_held(change: ChangeFacts, _event: Frozen) -> bool:
    """Nobody has the change in hand."""
    return not change.held_by


_S = ChangeState
_OPEN = tuple(s for s in _S if s not in TERMINAL)

# Where work that was handed in waits to become a candidate: also after it was reopened.
_BUILT_FROM = (_S.OFFERED, _S.RETRYING)

# Where work of an agent that ended unfinished is still to be kept: it moves nothing.
_KEPT = _in_place(_S.ASKING, _S.RETRYING)

# An agent may be at work.
_AT_WORK = (_S.ORDERED, _S.WORKING)

# Where a person's push becomes the work: no agent is at work, nothing is imported.
_TAKEN_IN = (_S.WAITING, _S.RETRYING, _S.ASKING, _S.HELD, _S.OFFERED)

CHANGES: Machine[ChangeFacts, ChangeState] = Machine(
    lambda change: change.state,
    (
        _begin(ev.PlanMade, _S.WAITING),
        _begin(ev.UncoveredReplanned, _S.WAITING),
        _begin(ev.AmendmentApproved, _S.WAITING),
        _on(ev.StartPrepared, _in_place(*_S), begun_attempt),
        _on(ev.AgentOrdered, {_S.WAITING: _S.ORDERED, _S.RETRYING: _S.ORDERED}),
        _on(ev.AgentOrdered, {_S.OFFERED: _S.ORDERED}, an_agent, begun_attempt),
        _on(ev.OrderLeased, {_S.ORDERED: _S.WORKING}, another_order),
        _on(ev.WorkHandedIn, dict.fromkeys(_AT_WORK, _S.IMPORTING), another_order),
        _on(ev.WorkFailed, dict.fromkeys(_AT_WORK, _S.RETRYING), another_order),
        _on(ev.AgentLost, dict.fromkeys(_AT_WORK, _S.RETRYING), another_order),
        _on(
            ev.OrderDeferred,
            {**dict.fromkeys(_AT_WORK, _S.RETRYING), **_in_place(_S.OFFERED)},
            another_order,
        ),
        _on(ev.AgentAsked, dict.fromkeys(_AT_WORK, _S.ASKING), another_order),
        _on(ev.QuestionsPut, _in_place(_S.ASKING)),
        _on(ev.QuestionAnswered, _in_place(_S.ASKING)),
        _on(ev.ClarificationEnded, {_S.ASKING: _S.RETRYING}),
        _on(ev.HeadImported, {_S.IMPORTING: _S.RETRYING}, another_order, nothing_refused),
        _on(ev.HeadImported, {_S.IMPORTING: _S.OFFERED}, another_order),
        _on(ev.HeadImported, _KEPT, another_order, no_partial_work),
        _on(ev.BundleRefused, {_S.IMPORTING: _S.RETRYING}, another_order),
        _on(ev.BundleRefused, _KEPT, another_order, no_partial_work),
        _on(ev.PullOpened, _in_place(*_S), same_open_pull),
        _on(ev.PullClosed, _in_place(*_S), another_pull),
        _on(ev.CandidateBuilt, dict.fromkeys(_BUILT_FROM, _S.OFFERED), used_number, another_head),
        _on(ev.SteeringAllowed, _in_place(*_S)),
        _on(ev.CandidateConflicted, dict.fromkeys(_BUILT_FROM, _S.RETRYING)),
        _on(ev.ArchiveRefused, dict.fromkeys((_S.WAITING, *_BUILT_FROM), _S.RETRYING)),
        _on(ev.GatesOrdered, _in_place(_S.OFFERED)),
        _on(ev.CandidatePassed, _in_place(_S.OFFERED)),
        _on(ev.CandidateFailed, {_S.OFFERED: _S.RETRYING}),
        _on(ev.GatesDoubted, _in_place(_S.OFFERED)),
        _on(ev.ChecksAwaited, _in_place(_S.OFFERED)),
        _on(ev.CandidateAnswered, _in_place(_S.OFFERED)),
        _on(ev.CandidateReviewed, _in_place(_S.OFFERED)),
        _on(ev.MainBlamed, _in_place(_S.OFFERED)),
        _on(ev.GatesAskedAgain, _in_place(_S.OFFERED)),
        _on(ev.GateFlaked, _in_place(_S.OFFERED)),
        _on(ev.CandidateVoided, _in_place(_S.OFFERED)),
        _on(ev.LandIntended, _in_place(_S.OFFERED)),
        _on(ev.LandAborted, _in_place(_S.OFFERED)),
        _on(ev.Landed, {_S.OFFERED: _S.LANDED}),
        _on(ev.MergedByHand, dict.fromkeys(_OPEN, _S.LANDED)),
        _on(ev.ChangeMoved, _in_place(*_OPEN)),
        _on(ev.ChangeHeld, _in_place(*_OPEN)),
        _on(ev.ChangeReleased, _in_place(*_OPEN)),
        _on(ev.ChangeReviewed, _in_place(*_OPEN)),
        _on(ev.RequestHeard, _in_place(*_OPEN)),
        _on(ev.ChangeFailed, dict.fromkeys(_OPEN, _S.FAILED)),
        _on(ev.ChangeStopped, dict.fromkeys(_OPEN, _S.STOPPED)),
        _on(ev.ChangeReopened, {_S.FAILED: _S.RETRYING, _S.STOPPED: _S.RETRYING}),
        _on(ev.BranchPushed, _in_place(*_S), known_push),
        _on(
            ev.HeadTakenOver,
            {**dict.fromkeys((*_TAKEN_IN, _S.FAILED), _S.OFFERED), **_in_place(_S.STOPPED)},
            another_push,
        ),
        _on(ev.PushPassedOver, _in_place(*_TAKEN_IN, _S.FAILED, _S.STOPPED), another_push),
        _on(
            ev.PushRefused,
            {**dict.fromkeys(_TAKEN_IN, _S.HELD), **_in_place(_S.FAILED, _S.STOPPED)},
            another_push,
        ),
        _on(ev.LeftToPerson, {_S.RETRYING: _S.HELD}, not_held),
        _on(ev.HandedBack, {**_in_place(*_S), _S.HELD: _S.RETRYING}, not_held),
    ),
)


def known_revision(run: SpecRun, event: ev.PlanMade) -> bool:
    """The run has a plan of this revision or a newer one."""
    return run.plan is not None and event.plan.revision <= run.plan.revision


def another_revision(run: SpecRun, event: ev.PlanApproved) -> bool:
    """It approves another revision than the newest."""
    return run.plan is None or event.revision != run.plan.revision


def another_proposed_edit(run: SpecRun, event: ev.AmendmentApproved) -> bool:
    """It approves another revision than the one that waits."""
    return run.proposed_edit is None or event.revision != run.proposed_edit.plan.revision


def no_plan(run: SpecRun, _event: Frozen) -> bool:
    """The run has no plan."""
    return run.plan is None


def another_cycle(run: SpecRun, event: ev.UncoveredReplanned) -> bool:
    """It is not the run's next cycle."""
    return event.cycle != len(run.cycles) + 1


def nothing_planned(run: SpecRun, _event: Frozen) -> bool:
    """No model is planning for the run."""
    return run.planning is None and run.replanning is None


def approved(run: SpecRun, _event: Frozen) -> bool:
    """A person approved the plan."""
    return bool(run.approved_by)


def not_approved(run: SpecRun, _event: Frozen) -> bool:
    """Nobody approved the plan, and being reopened does not approve it."""
    return not run.approved_by


_R = SpecRunState

RUNS: Machine[SpecRun, SpecRunState] = Machine(
    lambda run: run.state,
    (
        _begin(ev.SpecRunOpened, _R.PROPOSED),
        _on(ev.PlanningBegan, _in_place(_R.PROPOSED)),
        _on(ev.ModelAnswered, _in_place(*_R), nothing_planned),
        _on(ev.AnswerRejected, _in_place(*_R), nothing_planned),
        _on(ev.ModelFailed, _in_place(*_R), nothing_planned),
        _on(ev.PlanMade, _in_place(_R.PROPOSED), known_revision),
        _on(ev.PlanApproved, {_R.PROPOSED: _R.RUNNING}, another_revision),
        _on(ev.ApprovalGiven, _in_place(_R.PROPOSED, _R.RUNNING)),
        _on(ev.BudgetRaised, _in_place(_R.RUNNING)),
        _on(ev.ReplanningBegan, _in_place(_R.RUNNING)),
        _on(ev.UncoveredReplanned, _in_place(_R.RUNNING), no_plan, another_cycle),
        _on(ev.SpecAmended, _in_place(_R.RUNNING), no_plan),
        _on(ev.AmendmentApproved, _in_place(_R.RUNNING), no_plan, another_proposed_edit),
        _on(ev.AmendmentWithdrawn, _in_place(_R.RUNNING), no_plan),
        _on(ev.SpecRunStopped, {_R.PROPOSED: _R.STOPPED, _R.RUNNING: _R.STOPPED}),
        _on(ev.SpecRunEnded, {_R.RUNNING: _R.ENDED}),
        _on(ev.SpecRunReopened, {_R.STOPPED: _R.RUNNING, _R.ENDED: _R.RUNNING}, not_approved),
        _on(ev.SpecRunReopened, {_R.STOPPED: _R.PROPOSED, _R.ENDED: _R.PROPOSED}, approved),
    ),
)

_O = OrderState
_REPORTED = {_O.PLACED: _O.REPORTED, _O.LEASED: _O.REPORTED}
_LOST = {_O.PLACED: _O.LOST, _O.LEASED: _O.LOST}

ORDERS: Machine[OrderFacts, OrderState] = Machine(
    lambda order: order.state,
    (
        _begin(ev.AgentOrdered, _O.PLACED),
        _begin(ev.GatesOrdered, _O.PLACED),
        _begin(ev.AdoptionOrdered, _O.PLACED),
        _begin(ev.PullGatesOrdered, _O.PLACED),
        _begin(ev.SmokeOrdered, _O.PLACED),
        _on(ev.WorkflowDispatched, _in_place(*_O)),
        # An order that has ended keeps its end; who took it is noted all the same.
        _on(ev.OrderLeased, {**_in_place(*_O), _O.PLACED: _O.LEASED}),
        _on(ev.WorkHandedIn, _REPORTED),
        _on(ev.WorkFailed, _REPORTED),
        _on(ev.AgentAsked, _REPORTED),
        _on(ev.CandidatePassed, _REPORTED),
        _on(ev.CandidateFailed, _REPORTED),
        _on(ev.CandidateVoided, _REPORTED),
        _on(ev.GatesDoubted, _REPORTED),
        _on(ev.ChecksAwaited, _REPORTED),
        _on(ev.AdoptionJudged, _REPORTED),
        _on(ev.SmokeJudged, _REPORTED),
        _on(ev.PullGatesDoubted, _REPORTED),
        _on(ev.PullPassed, _REPORTED),
        _on(ev.PullPassedAsMain, _REPORTED),
        _on(ev.PullVoided, _REPORTED),
        _on(ev.PullWithdrawn, _REPORTED),
        _on(ev.PullEvicted, _REPORTED),
        _on(ev.AgentLost, _LOST),
        _on(ev.GatesLost, _LOST),
        _on(ev.OrderDeferred, {_O.PLACED: _O.DEFERRED, _O.LEASED: _O.DEFERRED}),
    ),
)


def another_round(dialogue: Dialogue, event: ev.QuestionsPut | ev.RoundClosed) -> bool:
    """It is not the round after the last one that was closed."""
    return event.round != dialogue.closed + 1


def another_dialogue(dialogue: Dialogue, event: ev.SpecProposed) -> bool:
    """An older dialogue about the issue wrote it, or none."""
    return event.dialogue != dialogue.begun


_D = DialoguePhase

DIALOGUES: Machine[Dialogue, DialoguePhase] = Machine(
    lambda dialogue: dialogue.phase,
    (
        _begin(ev.WorkAsked, _D.THINKING),
        _on(ev.WorkAsked, {_D.ENDED: _D.THINKING}),
        _on(ev.ModelAsked, _in_place(*_D)),
        _on(ev.ModelAnswered, _in_place(_D.THINKING)),
        _on(ev.ModelFailed, _in_place(_D.THINKING, _D.ASKING)),
        _on(ev.WorkReworded, {_D.THINKING: _D.THINKING, _D.ASKING: _D.THINKING}),
        _on(ev.QuestionsPut, {_D.THINKING: _D.ASKING}, another_round),
        _on(ev.QuestionAnswered, _in_place(*_D)),
        _on(ev.RoundClosed, {_D.ASKING: _D.THINKING}, another_round),
        _on(ev.DraftReturned, _in_place(_D.THINKING)),
        # One that was stopped in the meantime keeps its end, but knows its pull and takes it back.
        _on(
            ev.SpecProposed,
            {**dict.fromkeys(_D, _D.PROPOSED), _D.ENDED: _D.ENDED},
            another_dialogue,
        ),
        _on(ev.DialogueEnded, {s: _D.ENDED for s in _D if s is not _D.ENDED}),
    ),
)

# For documents and tests.
MOVES: Mapping[str, tuple[Move, ...]] = {
    "change": CHANGES.moves(),
    "person's pull": PULLS.moves(),
    "entry of the queue": ENTRIES.moves(),
    "candidate": CANDIDATES.moves(),
    "spec run": RUNS.moves(),
    "order": ORDERS.moves(),
    "dialogue": DIALOGUES.moves(),
}
