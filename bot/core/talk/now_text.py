"""The first line of a tracking issue: what happens now, and who must do what."""

from collections import defaultdict
from collections.abc import Iterable

from bot.core.journal.events import FailureReason
from bot.core.journal.freeze_state import Freeze
from bot.core.journal.state import ChangeFacts, RepositoryState, SpecRun, SpecRunState
from bot.core.spec.policy import Policy
from bot.core.state.reason import Cause, reason_under_way
from bot.core.state.waiting import Shown, shown
from bot.core.talk.approval_text import approve_line
from bot.core.talk.links import issue_link
from bot.core.talk.lost_gates_text import fix_for_lost_gates, fix_for_main
from bot.core.talk.manual_text import to_do as by_hand
from bot.core.talk.money_text import spent_line, to_do as money_to_do
from bot.core.talk.pause_text import fixes, head_of
from bot.core.talk.reason_text import labels_asked
from bot.core.talk.refusal_text import refusal_in_short
from bot.core.talk.review_waits import for_reviews
from bot.core.talk.rules_text import fix_for_rules
from bot.core.talk.text import cell, counted, inert, moment
from bot.core.values.freeze import FreezeCause
from bot.core.values.lifecycle import WITH_AGENT
from bot.core.values.plan_model import Plan

_CHANGES_NAMED = 5
_TO_DO_MAX = 6
_ORDER = tuple(Shown)


def now_text(state: RepositoryState, policy: Policy, run: SpecRun) -> str:
    """One line; what a person must do is in it, or that nobody must."""
    to_do = "; ".join(_to_do(state, policy, run))
    last = f"**To do:** {to_do}." if to_do else "There is nothing to do."
    spent = spent_line(state, policy, run)
    return f"**Now:** {_now(state, run)}. {last}{f' {spent}' if spent else ''}"


def _now(state: RepositoryState, run: SpecRun) -> str:
    if run.planning is not None:
        return "a model is planning the spec"
    if run.state is SpecRunState.PROPOSED:
        revision = run.plan.revision if run.plan else 0
        return f"revision {revision} of the plan waits for approval, and no work has started"
    changes = state.changes_of(run.id)
    by_state: defaultdict[Shown, list[ChangeFacts]] = defaultdict(list)
    for change in changes:
        by_state[shown(state, change)].append(change)
    if not run.is_open:
        landed = len(by_state[Shown.LANDED])
        how = "was stopped" if run.state is SpecRunState.STOPPED else "has ended"
        return f"the run {how}; {landed} of {counted(len(changes), 'change')} landed"
    parts = [
        f"{len(by_state[one])} {one}{_which(one, by_state[one])}" for one in _ORDER if by_state[one]
    ]
    return "; ".join((", ".join(parts) or "no work is left", *_waits(state)))


def _waits(state: RepositoryState) -> Iterable[str]:
    """What holds up orders and landings, since when."""
    missing = (
        f"{head_of(p.cause, p.about)} (since {moment(p.since)})" for p in state.pauses.values()
    )
    if said := ", ".join(missing):
        yield f"orders wait: {said}"
    if state.orders_stopped is not None:
        yield f"a person has stopped new orders{_since(state.orders_stopped)}"
    if (frozen := state.freezes.get(FreezeCause.PERSON)) is not None:
        yield f"a person has frozen the queue{_since(frozen)}"


def _since(freeze: Freeze) -> str:
    return f" since {moment(freeze.since)}" if freeze.since else ""


def _which(one: Shown, changes: list[ChangeFacts]) -> str:
    if one in {Shown.LANDED, Shown.WAITING, Shown.REPLACED}:
        return ""
    return f" ({_links(changes)})"


def _links(changes: list[ChangeFacts]) -> str:
    named = ", ".join(issue_link(c) for c in changes[:_CHANGES_NAMED])
    more = len(changes) - _CHANGES_NAMED
    return named + (f" and {more} more" if more > 0 else "")


def _to_do(state: RepositoryState, policy: Policy, run: SpecRun) -> list[str]:
    plan = run.proposed_edit.plan if run.proposed_edit else run.plan or Plan(revision=0, changes=())
    command = approve_line(plan, policy)
    role = f"comment `{command}` (needs the role {policy.file.approver})"
    if run.planning is not None or run.state is SpecRunState.STOPPED:
        return []
    to_do = []
    if run.is_open and not policy.required_gates:
        to_do.append("add a required gate, because no change can land without one")
    if run.state is SpecRunState.PROPOSED:
        return [role, *to_do, *([said] if (said := fix_for_rules(state, policy)) else [])]
    if run.proposed_edit is not None:
        to_do.append(f"to accept the new revision of the spec below, {role}")
    if run.is_open and state.frozen is not None:
        to_do.append(fix_for_main(state))
    if run.is_open:
        to_do += fixes(state)
        if said := fix_for_rules(state, policy):
            to_do.append(said)
        to_do += money_to_do(state, policy, run)
        to_do += by_hand(state.changes_of(run.id))
    changes = state.changes_of(run.id)
    to_do += [said for c in changes if (said := _for_change(state, policy, c))]
    failed = [c for c in changes if shown(state, c) is Shown.FAILED]
    if steered := [c for c in failed if c.failure is FailureReason.STEERED]:
        to_do.append(
            f"read the files in {_links(steered)} that change how it is judged, and comment "
            "`/headgate allow` or `/headgate retry agent` there"
        )
    failed = [c for c in failed if c not in steered]
    if failed:
        to_do.append(
            f"read why {_links(failed)} failed, and comment `/headgate retry` there to try again"
        )
    return to_do[:_TO_DO_MAX]


def _for_change(state: RepositoryState, policy: Policy, change: ChangeFacts) -> str:
    """What a person must do so that this change goes on; empty if nothing."""
    if change.orders_lost and change.state in WITH_AGENT:
        lost = change.agent_runs[-1].sentence if change.agent_runs else ""
        said = f" ({inert(lost, 700)})" if lost else ""
        return (
            f"start a runner with {labels_asked(state, policy, change, change.order)}: no "
            f"runner completed the last order of {issue_link(change)}{said}"
        )
    if lost := fix_for_lost_gates(state, change):
        return lost
    reason = reason_under_way(state, change, policy)
    if reason is None:
        return ""
    if reason.cause is Cause.QUESTION:
        until = f" until {moment(reason.until)}" if reason.until else ""
        return f"answer the question in {issue_link(change)}{until}"
    if reason.refusal is not None and reason.refusal.kind.is_mended_by_people:
        return f"{issue_link(change)}: {refusal_in_short(reason.refusal)}".rstrip(".")
    if reason.cause is Cause.IN_HAND:
        who = cell(change.held_by)
        return (
            f"{who}: push a fix to the branch of {issue_link(change)}, or comment `/headgate "
            "hand-back` there"
        )
    if reason.cause is Cause.LANDING_HELD:
        return f"to let {issue_link(change)} land, comment `/headgate release` there"
    if reason.cause is Cause.REVIEWS:
        return f"review {issue_link(change)}: {for_reviews(change)}"
    if reason.cause is Cause.LANDING_REFUSED:
        return f"GitHub refused to land {issue_link(change)}: {inert(reason.sentence, 300)}".rstrip(
            "."
        )
    return ""
