"""Why a change is where it is: what it waits for, since when, until when, and for which other.

Everything here is a fact of the journal; `bot.core.talk.reason_text` says it in sentences.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum

from action.order import RetryReason
from bot.core.journal.state import (
    ChangeFacts,
    Delay,
    OrderFacts,
    OrderState,
    RepositoryState,
    SpecRunState,
    change_id,
)
from bot.core.spec.policy import Policy
from bot.core.state.queue_order import ahead_of, conflict_ahead_of, entries, is_doubtful
from bot.core.state.refusing_rules import is_held_by_rules
from bot.core.state.room import is_main_unfit, judged_beside, with_agents
from bot.core.state.waiting import answers_by, held_back_by, waits_for
from bot.core.values.github_refusal import GitHubRefusal
from bot.core.values.ids import ChangeId, Frozen, OrderId, WorkflowRunId
from bot.core.values.lifecycle import ChangeState


class Cause(StrEnum):
    """What a change waits for, or what is being done with it."""

    LANDED = "landed"
    FAILED = "failed"
    STOPPED = "stopped"
    REPLACED = "replaced"
    NOT_APPROVED = "not_approved"
    EDIT_NOT_APPROVED = "edit_not_approved"
    NO_GATES = "no_gates"
    DELAYED = "delayed"
    PUSH_REFUSED = "push_refused"
    HELD_BACK = "held_back"
    DEPENDS = "depends"
    MAIN_IS_RED = "main_is_red"
    MAIN_IS_JUDGED = "main_is_judged"
    NO_SLOT = "no_slot"
    RULE_REFUSES = "rule_refuses"
    STARTS = "starts"
    NOT_DISPATCHED = "not_dispatched"
    NO_RUNNER = "no_runner"
    AGENT_WORKS = "agent_works"
    QUESTION = "question"
    IMPORTED = "imported"
    AHEAD = "ahead"
    CONFLICT_AHEAD = "conflict_ahead"
    JUDGED_BESIDE = "judged_beside"
    BUILT = "built"
    GATES_RUN = "gates_run"
    CHECKS_AWAITED = "checks_awaited"
    LANDING_REFUSED = "landing_refused"
    LANDS = "lands"


class Reason(Frozen):
    """One cause with its facts; `changes` are those that it waits for, `sentence` others' words.

    `refusal` is GitHub's, of a push.
    """

    cause: Cause
    since: datetime | None = None
    until: datetime | None = None
    changes: tuple[ChangeId, ...] = ()
    order: OrderId | None = None
    workflow_run: WorkflowRunId | None = None
    sentence: str = ""
    refusal: GitHubRefusal | None = None


def reason_of(state: RepositoryState, change: ChangeFacts, policy: Policy | None = None) -> Reason:
    """The cause that counts now; without a policy the times that it sets are not known."""
    held_up = _held_up(state, change)
    if held_up is not None:
        return held_up
    match change.state:
        case ChangeState.ORDERED | ChangeState.WORKING:
            return _at_work(state, change, policy, Cause.AGENT_WORKS)
        case ChangeState.ASKING:
            return _asking(change, policy)
        case ChangeState.IMPORTING:
            return Reason(cause=Cause.IMPORTED)
        case ChangeState.BUILDING:
            return _built(state, change)
        case ChangeState.JUDGING:
            return _judged(state, change, policy)
        case ChangeState.QUEUED | ChangeState.LANDING:
            return _queued(state, change)
        case _:
            return _to_start(state, change, policy)


def _held_up(state: RepositoryState, change: ChangeFacts) -> Reason | None:
    """What holds in whatever state the change is; None if it is under way."""
    run = state.spec_runs[change.spec_run]
    blockers = held_back_by(state, change)
    delay = _delay(state, change)
    if change.is_ended or state.is_replaced(change):
        return _ended(state, change)
    if run.state is SpecRunState.PROPOSED:
        return Reason(cause=Cause.NOT_APPROVED)
    if run.amendment is not None and change.id in run.amendment.paused:
        return Reason(cause=Cause.EDIT_NOT_APPROVED)
    if delay is not None:
        cause = Cause.DELAYED if delay.refusal is None else Cause.PUSH_REFUSED
        return Reason(
            cause=cause, until=delay.until, sentence=delay.sentence, refusal=delay.refusal
        )
    if blockers:
        found = (change_id(change.spec_run, slug) for slug in blockers)
        return Reason(cause=Cause.HELD_BACK, changes=tuple(found))
    return None


def _ended(state: RepositoryState, change: ChangeFacts) -> Reason:
    if change.landed is not None:
        return Reason(cause=Cause.LANDED, since=change.landed_at)
    if state.is_replaced(change):
        return Reason(cause=Cause.REPLACED, sentence=change.sentence)
    cause = Cause.FAILED if change.state is ChangeState.FAILED else Cause.STOPPED
    return Reason(cause=cause, sentence=change.sentence)


def _delay(state: RepositoryState, change: ChangeFacts) -> Delay | None:
    """The longest delay of something that we are to do for the change."""
    mine = (
        delay
        for key, delay in state.delays.items()
        if getattr(state.open_effects.get(key), "change", None) == change.id
    )
    return max(mine, key=lambda d: d.until, default=None)


def _at_work(
    state: RepositoryState, change: ChangeFacts, policy: Policy | None, cause: Cause
) -> Reason:
    order = state.orders.get(change.order) if change.order else None
    if order is None or order.dispatched_at is None:
        return Reason(cause=Cause.NOT_DISPATCHED, order=change.order)
    if order.state is OrderState.LEASED:
        return _about(order, cause, since=order.leased_at)
    wait = timedelta(seconds=policy.file.runner_start_seconds) if policy else None
    until = order.dispatched_at + wait if wait is not None else None
    return _about(order, Cause.NO_RUNNER, since=order.dispatched_at, until=until)


def _about(
    order: OrderFacts, cause: Cause, *, since: datetime | None, until: datetime | None = None
) -> Reason:
    return Reason(
        cause=cause, since=since, until=until, order=order.id, workflow_run=order.workflow_run
    )


def _asking(change: ChangeFacts, policy: Policy | None) -> Reason:
    asked = change.clarifications[-1]
    until = answers_by(policy, asked) if policy else None
    open_ones = asked.asked.unanswered
    sentence = open_ones[0].sentence if open_ones else ""
    return Reason(cause=Cause.QUESTION, since=asked.asked_at, until=until, sentence=sentence)


def _built(state: RepositoryState, change: ChangeFacts) -> Reason:
    ahead = ahead_of(state, change)
    if ahead is not None:
        return Reason(cause=Cause.AHEAD, changes=(ahead.id,))
    beside = judged_beside(state, change)
    if change.queued_at is None and beside:
        return Reason(cause=Cause.JUDGED_BESIDE, changes=beside)
    return Reason(cause=Cause.BUILT)


def _judged(state: RepositoryState, change: ChangeFacts, policy: Policy | None) -> Reason:
    order = state.orders.get(change.order) if change.order else None
    if change.results and state.frozen is not None:
        return _main(state)
    if order is not None and order.is_open:
        return _at_work(state, change, policy, Cause.GATES_RUN)
    if policy is not None and not policy.required_gates:
        return Reason(cause=Cause.NO_GATES)
    if change.awaited_now is not None:
        checks = ", ".join(g.check for g in policy.external_gates) if policy else ""
        return Reason(cause=Cause.CHECKS_AWAITED, since=change.awaited_now.since, sentence=checks)
    if change.candidate is not None and is_doubtful(state, change.candidate.base):
        return _main(state)
    return Reason(cause=Cause.NOT_DISPATCHED)


def _main(state: RepositoryState) -> Reason:
    """What holds up work that needs a sound main."""
    if state.frozen is not None:
        return Reason(cause=Cause.MAIN_IS_RED, sentence=state.frozen)
    return Reason(cause=Cause.MAIN_IS_JUDGED, since=state.main_seen_at)


def _queued(state: RepositoryState, change: ChangeFacts) -> Reason:
    if state.frozen is not None:
        return _main(state)
    ahead = tuple(_before(change, entries(state)))
    if ahead:
        return Reason(cause=Cause.AHEAD, changes=ahead)
    if change.land_after is not None:
        return Reason(
            cause=Cause.LANDING_REFUSED, until=change.land_after, sentence=change.sentence
        )
    if state.main is not None and is_doubtful(state, state.main):
        return _main(state)
    return Reason(cause=Cause.LANDS)


def _before(change: ChangeFacts, queue: Iterable[ChangeFacts]) -> Iterable[ChangeId]:
    for entry in queue:
        if entry.id == change.id:
            return
        yield entry.id


def _to_start(state: RepositoryState, change: ChangeFacts, policy: Policy | None) -> Reason:
    if policy is not None and not policy.required_gates:
        return Reason(cause=Cause.NO_GATES)
    if change.head is not None and change.head_is_fresh:
        return _built(state, change)
    if waits := waits_for(state, change):
        return Reason(cause=Cause.DEPENDS, changes=tuple(c.id for c in waits))
    if change.retry is not None and change.retry.reason is RetryReason.CONFLICT:
        ahead = ahead_of(state, change) or conflict_ahead_of(state, change)
        if ahead is not None:
            return Reason(cause=Cause.CONFLICT_AHEAD, changes=(ahead.id,))
    if is_main_unfit(state):
        return _main(state)
    if policy is not None and is_held_by_rules(state, policy):
        return Reason(cause=Cause.RULE_REFUSES, since=state.rules_read_at)
    busy = with_agents(state)
    if policy is not None and len(busy) >= policy.file.max_parallel:
        return Reason(cause=Cause.NO_SLOT, changes=tuple(c.id for c in busy))
    return Reason(cause=Cause.STARTS)
