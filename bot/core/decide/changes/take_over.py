"""What a person pushes to the branch of a change becomes the change's work, and is never overwritten.

A running agent's order ends first; a late report of it is kept. The work is judged and lands like any
other, under its author's name, and the change stays in the hands of whoever pushed: no agent is
ordered for it until somebody hands it back. Nobody's push is looked at while its change lands, while
work is imported, and after a person stopped the change, which is told.
"""

from bot.core.decide.changes.end_without_landing import intend_for
from bot.core.decide.changes.revoke import revoke
from bot.core.decide.changes.settle_orders import give_up
from bot.core.decide.decision import Decision
from bot.core.journal.effects import TakeOverPush
from bot.core.journal.events import BranchPushed, LeftToPerson, SpecRunReopened
from bot.core.journal.state import (
    ChangeFacts,
    OrderKind,
    PushState,
    SpecRun,
    SpecRunState,
    branch_of,
)
from bot.core.state.artefacts import archived_artefacts
from bot.core.state.candidates import is_landing
from bot.core.state.own_refs import kept_ref
from bot.core.state.waiting import waits_for
from bot.core.talk import push_text
from bot.core.talk.commit import taken_over_message
from bot.core.values.ids import Sha
from bot.core.values.lifecycle import ChangeState

_LATER = {ChangeState.IMPORTING, ChangeState.STOPPED, ChangeState.LANDED}


def next_steps(decision: Decision) -> None:
    """Note what the branches show, take over what is new there, and tell the outcome."""
    _note(decision)
    for change in tuple(decision.state.changes.values()):
        if change.push is None:
            continue
        if change.pushed is not None:
            _take_over(decision, change, change.pushed)
        _tell(decision, decision.state.changes[change.id])


def leave_to_person(decision: Decision, change: ChangeFacts) -> None:
    """The work of a person did not pass or does not merge: it is theirs to fix or hand back."""
    why = change.retry.sentence if change.retry else ""
    decision.emit(LeftToPerson(change=change.id, sentence=why))
    left = decision.state.changes[change.id]
    _say(decision, left, f"left {left.id} {left.candidates} {left.conflicts}", push_text.left(left))


def _note(decision: Decision) -> None:
    branches = decision.observed.branches
    for run in tuple(decision.state.spec_runs.values()) if branches else ():
        for change in decision.state.changes_of(run.id):
            there = branches.get(branch_of(change, decision.state.spec_runs))
            if there is not None and there not in {change.shown, change.pushed}:
                decision.emit(BranchPushed(change=change.id, pushed=there))


def _take_over(decision: Decision, change: ChangeFacts, pushed: Sha) -> None:
    run = decision.state.spec_runs[change.spec_run]
    if change.state in _LATER or is_landing(decision.state, change):
        return
    if change.has_partial_work or decision.state.is_replaced(change):
        return
    if change.state is ChangeState.WAITING and waits_for(decision.state, change):
        return
    effect = TakeOverPush(
        change=change.id,
        pushed=pushed,
        protected=decision.policy.protected,
        message=taken_over_message(run, change),
        at=decision.now,
        artefacts=archived_artefacts(run, change),
    )
    if change.state is ChangeState.FAILED:
        if effect.key in decision.state.refused or not _is_reopened(decision, run):
            return
    elif run.state is not SpecRunState.RUNNING:
        return
    _end_order(decision, change)
    intend_for(decision, decision.state.changes[change.id], effect)


def _is_reopened(decision: Decision, run: SpecRun) -> bool:
    """Work goes on in a run that is over where somebody fixes what failed; not in a stopped one."""
    if run.state is SpecRunState.ENDED:
        decision.emit(SpecRunReopened(spec_run=run.id))
    return run.state in {SpecRunState.RUNNING, SpecRunState.ENDED}


def _end_order(decision: Decision, change: ChangeFacts) -> None:
    order = decision.state.orders.get(change.order) if change.order else None
    if order is None or not order.is_open:
        return
    if order.kind is OrderKind.AGENT:
        give_up(decision, order, push_text.why_ended())
    else:
        revoke(decision, order)


def _tell(decision: Decision, change: ChangeFacts) -> None:
    push = change.push
    if push is None:
        return
    kept = kept_ref(change, push.sha)
    match push.state:
        case PushState.TAKEN:
            branch = branch_of(change, decision.state.spec_runs)
            text = push_text.taken_over(push, kept, branch)
        case PushState.REFUSED:
            text = push_text.refused(push)
        case PushState.NOTICED if change.state is ChangeState.LANDED:
            text = push_text.too_late(push, branch_of(change, decision.state.spec_runs))
        case PushState.NOTICED if change.state is ChangeState.STOPPED:
            text = push_text.while_stopped(push, branch_of(change, decision.state.spec_runs))
        case _:
            return
    _say(decision, change, f"push {change.id} {push.sha[:12]} {push.state}", text)


def _say(decision: Decision, change: ChangeFacts, subject: str, text: str) -> None:
    """In the pull, where the push shows; without an open one, in the change's issue."""
    place = change.pull if change.pull is not None and not change.pull_closed else change.issue
    if place is not None:
        decision.comment_once(place, subject, text)
