"""Why a change is where it is: what it waits for, since when, until when, and for which other.

Everything here is a fact of the journal; `bot.core.talk.reason_text` says it in sentences.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum

from action.order import RetryReason
from bot.core.journal.effects import Effect, OpenIssue
from bot.core.journal.pause_state import Pause
from bot.core.journal.state import (
    ChangeFacts,
    Delay,
    OrderFacts,
    OrderState,
    QueuedPull,
    RepositoryState,
    SpecRunState,
    change_id,
)
from bot.core.spec.model_choice import ServerModels
from bot.core.spec.policy import Policy
from bot.core.state.candidates import awaited_now, is_landing, reviews_awaited, stage_of
from bot.core.state.capacity import is_main_unfit, judged_beside, with_agents
from bot.core.state.money import Held, day_after_newest, held_now
from bot.core.state.pauses import of_agents, of_gates
from bot.core.state.queue_order import (
    Queued,
    ahead_of,
    conflict_ahead_of,
    entries,
    is_doubtful,
    is_held,
)
from bot.core.state.refusing_rules import is_held_by_rules
from bot.core.state.rivals import rivals
from bot.core.state.steps_by_hand import due_steps, waits_for_steps
from bot.core.state.waiting import answers_by, held_back_by, waits_for
from bot.core.values.freeze import FreezeCause
from bot.core.values.github_refusal import GitHubRefusal
from bot.core.values.ids import ChangeId, Frozen, OrderId, PullNumber, WorkflowRunId
from bot.core.values.lifecycle import ChangeState, OfferStage


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
    RIVALS = "rivals"
    BY_HAND = "by_hand"
    MAIN_IS_RED = "main_is_red"
    MAIN_IS_JUDGED = "main_is_judged"
    FROZEN = "frozen"
    ADOPTED = "adopted"
    SMOKE = "smoke"
    ORDERS_STOPPED = "orders_stopped"
    PAUSED = "paused"
    GATES_PAUSED = "gates_paused"
    IN_HAND = "in_hand"
    NO_SLOT = "no_slot"
    RUN_BUDGET = "run_budget"
    DAY_BUDGET = "day_budget"
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
    CHECK_LATE = "check_late"
    ACCEPTANCE_AWAITED = "acceptance_awaited"
    LANDING_REFUSED = "landing_refused"
    LANDING_HELD = "landing_held"
    REVIEWS = "reviews"
    LANDS = "lands"


class Reason(Frozen):
    """One cause with its facts; `changes` and people's `pulls` are those that it waits for, `sentence` others' words.

    `refusal` is GitHub's, of a push; `pause` is what orders wait for.
    """

    cause: Cause
    since: datetime | None = None
    until: datetime | None = None
    changes: tuple[ChangeId, ...] = ()
    pulls: tuple[PullNumber, ...] = ()
    order: OrderId | None = None
    workflow_run: WorkflowRunId | None = None
    sentence: str = ""
    refusal: GitHubRefusal | None = None
    pause: Pause | None = None


def reason_of(
    state: RepositoryState,
    change: ChangeFacts,
    policy: Policy | None = None,
    models: ServerModels | None = None,
) -> Reason:
    """The cause that counts now. Without a policy the times that it sets are not known; without this
    server's models every pause of a model counts.
    """
    return reason_under_way(state, change, policy) or _to_start(state, change, policy, models)


def reason_under_way(
    state: RepositoryState, change: ChangeFacts, policy: Policy | None = None
) -> Reason | None:
    """The cause, of what has begun, has ended or is held up; None of what waits for its next agent."""
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
        case ChangeState.OFFERED:
            return _offered(state, change, policy)
        case ChangeState.HELD:
            return Reason(cause=Cause.IN_HAND, sentence=change.sentence)
        case _:
            return None


def _held_up(state: RepositoryState, change: ChangeFacts) -> Reason | None:
    """What holds in whatever state the change is; None if it is under way."""
    run = state.spec_runs[change.spec_run]
    blockers = held_back_by(state, change)
    delay = _delay(state, change)
    if change.is_ended or state.is_replaced(change):
        return _ended(state, change)
    if run.state is SpecRunState.PROPOSED:
        return Reason(cause=Cause.NOT_APPROVED)
    if run.proposed_edit is not None and change.id in run.proposed_edit.paused:
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
    """The longest delay of something that we are to do for the change; its issue comes first."""
    mine = (
        delay for key, delay in state.delays.items() if _is_for(state.open_effects.get(key), change)
    )
    return max(mine, key=lambda d: d.until, default=None)


def _is_for(effect: Effect | None, change: ChangeFacts) -> bool:
    if isinstance(effect, OpenIssue):
        return (effect.spec_run, effect.slug) == (change.spec_run, change.slug)
    return getattr(effect, "change", None) == change.id


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


def _offered(state: RepositoryState, change: ChangeFacts, policy: Policy | None) -> Reason:
    match stage_of(state, change):
        case OfferStage.JUDGING:
            return _judged(state, change, policy)
        case OfferStage.QUEUED | OfferStage.LANDING:
            return _queued(state, change)
        case _:
            return _built(state, change)


def _built(state: RepositoryState, change: ChangeFacts) -> Reason:
    if change.unfit_on == state.main and state.main is not None and is_doubtful(state, state.main):
        return _main(state)
    ahead = ahead_of(state, change)
    if ahead is not None:
        return _waits_for(Cause.AHEAD, (ahead,))
    beside = judged_beside(state, change)
    if state.entry_of(change).entered is None and beside:
        return Reason(cause=Cause.JUDGED_BESIDE, changes=beside)
    return Reason(cause=Cause.BUILT)


def _judged(state: RepositoryState, change: ChangeFacts, policy: Policy | None) -> Reason:
    order = state.orders.get(change.order) if change.order else None
    if state.results_of(change) and state.frozen is not None:
        return _main(state)
    if order is not None and order.is_open:
        return _at_work(state, change, policy, Cause.GATES_RUN)
    if policy is not None and not policy.required_gates:
        return Reason(cause=Cause.NO_GATES)
    reviews = reviews_awaited(state, change)
    awaited = awaited_now(state, change)
    hold = state.entry_of(change).hold
    if awaited is not None and hold is not None and hold.is_for_check:
        return Reason(cause=Cause.CHECK_LATE, since=hold.since, sentence=hold.why)
    is_of_people = policy is not None and not policy.external_gates and not reviews
    if awaited is not None and policy is not None and is_of_people:
        names = ", ".join(gate.name for gate in policy.acceptance_gates)
        cause = Cause.ACCEPTANCE_AWAITED
        return Reason(cause=cause, since=awaited.since, sentence=names)
    if awaited is not None:
        theirs = tuple(g.check for g in policy.external_gates) if policy else ()
        checks = ", ".join((*theirs, *(f"a model's review ({name})" for name in reviews)))
        return Reason(cause=Cause.CHECKS_AWAITED, since=awaited.since, sentence=checks)
    candidate = state.candidate_of(change)
    if candidate is not None and is_doubtful(state, candidate.base):
        return _main(state)
    return (
        _stopped(state)
        or _paused(state, Cause.GATES_PAUSED, of_gates(state, policy))
        or Reason(cause=Cause.NOT_DISPATCHED)
    )


def _paused(state: RepositoryState, cause: Cause, pauses: Iterable[Pause]) -> Reason | None:
    """The longest pause of those that hold an order, and the change whose order shows if it is over."""
    pause = max(pauses, key=lambda p: p.until, default=None)
    if pause is None:
        return None
    probe = state.orders.get(pause.probe) if pause.probe else None
    tries = probe.change if probe is not None and probe.is_open else None
    return Reason(
        cause=cause,
        since=pause.since,
        until=pause.until,
        changes=(tries,) if tries is not None else (),
        pause=pause,
    )


def _stopped(state: RepositoryState) -> Reason | None:
    """What a person stopped: no order is placed."""
    stopped = state.orders_stopped
    if stopped is None:
        return None
    return Reason(cause=Cause.ORDERS_STOPPED, since=stopped.since, sentence=stopped.why)


_FROZEN = {
    FreezeCause.PERSON: Cause.FROZEN,
    FreezeCause.ADOPTED: Cause.ADOPTED,
    FreezeCause.SMOKE: Cause.SMOKE,
}


def _main(state: RepositoryState) -> Reason:
    """What holds up work that needs a sound main."""
    if state.frozen is not None:
        return Reason(cause=Cause.MAIN_IS_RED, sentence=state.frozen)
    return Reason(cause=Cause.MAIN_IS_JUDGED, since=state.main_seen_at)


def _frozen_by_people(state: RepositoryState) -> Reason | None:
    for of, cause in _FROZEN.items():
        if (freeze := state.freezes.get(of)) is not None:
            return Reason(cause=cause, since=freeze.since, until=freeze.until, sentence=freeze.why)
    return None


def _queued(state: RepositoryState, change: ChangeFacts) -> Reason:
    hold = state.entry_of(change).hold
    if hold is not None and is_held(state, change):
        return Reason(cause=Cause.LANDING_HELD, since=hold.since, sentence=hold.why)
    if is_held(state, change):
        return Reason(cause=Cause.REVIEWS)
    if state.frozen is not None:
        return _main(state)
    frozen = None if is_landing(state, change) else _frozen_by_people(state)
    if frozen is not None:
        return frozen
    ahead = tuple(_before(state, change))
    if ahead:
        return _waits_for(Cause.AHEAD, ahead)
    refused_until = state.entry_of(change).land_after
    if refused_until is not None:
        return Reason(cause=Cause.LANDING_REFUSED, until=refused_until, sentence=change.sentence)
    if state.main is not None and is_doubtful(state, state.main):
        return _main(state)
    return Reason(cause=Cause.LANDS)


def _before(state: RepositoryState, change: ChangeFacts) -> Iterable[Queued]:
    for entry in entries(state):
        if entry == change:
            return
        if not is_held(state, entry):
            yield entry


def _waits_for(cause: Cause, ahead: Iterable[Queued]) -> Reason:
    ahead = tuple(ahead)
    return Reason(
        cause=cause,
        changes=tuple(e.id for e in ahead if isinstance(e, ChangeFacts)),
        pulls=tuple(e.number for e in ahead if isinstance(e, QueuedPull)),
    )


def _to_start(
    state: RepositoryState,
    change: ChangeFacts,
    policy: Policy | None,
    models: ServerModels | None,
) -> Reason:
    if policy is not None and not policy.required_gates:
        return Reason(cause=Cause.NO_GATES)
    if change.head is not None and change.head_is_fresh:
        return _built(state, change)
    if steps := tuple(c for c in waits_for_steps(state, change) if due_steps(c)):
        return Reason(
            cause=Cause.BY_HAND,
            changes=tuple(c.id for c in steps),
            sentence=due_steps(steps[0])[0].text,
        )
    if (first := _others_first(state, change, policy)) is not None:
        return first
    if change.retry is not None and change.retry.reason is RetryReason.CONFLICT:
        ahead = ahead_of(state, change) or conflict_ahead_of(state, change)
        if ahead is not None:
            return _waits_for(Cause.CONFLICT_AHEAD, (ahead,))
    if is_main_unfit(state):
        return _main(state)
    if policy is not None and is_held_by_rules(state, policy):
        return Reason(cause=Cause.RULE_REFUSES, since=state.rules_read_at)
    if (stopped := _stopped(state)) is not None:
        return stopped
    paused = _paused(state, Cause.PAUSED, of_agents(state, policy, models, change.size))
    if paused is not None:
        return paused
    busy = with_agents(state)
    if policy is not None and len(busy) >= policy.file.max_parallel:
        return Reason(cause=Cause.NO_SLOT, changes=tuple(c.id for c in busy))
    return _of_money(state, change, policy) or Reason(cause=Cause.STARTS)


def _others_first(
    state: RepositoryState, change: ChangeFacts, policy: Policy | None
) -> Reason | None:
    """The changes of its spec, and those of others, that come before it."""
    if waits := waits_for(state, change):
        return Reason(cause=Cause.DEPENDS, changes=tuple(c.id for c in waits))
    if found := rivals(state, policy, change):
        return Reason(
            cause=Cause.RIVALS,
            changes=tuple(rival.change.id for rival in found),
            sentence=", ".join(dict.fromkeys(name for rival in found for name in rival.things)),
        )
    return None


def _of_money(state: RepositoryState, change: ChangeFacts, policy: Policy | None) -> Reason | None:
    match held_now(state, policy, change) if policy is not None else None:
        case Held.RUN:
            return Reason(cause=Cause.RUN_BUDGET)
        case Held.DAY:
            return Reason(cause=Cause.DAY_BUDGET, until=day_after_newest(state))
        case Held.BESIDE:
            beside = with_agents(state)
            return Reason(cause=Cause.NO_SLOT, changes=tuple(c.id for c in beside))
        case _:
            return None
