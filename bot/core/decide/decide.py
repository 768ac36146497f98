"""One round of decisions: state and observations in, events out. Pure.

Each area sees the state that the areas before it produced. When the effects of a round are done and
nothing else was observed, the next round returns no event.
"""

from datetime import datetime, timedelta

from bot.core.decide.changes import (
    advance,
    answer_threads,
    await_checks,
    end_without_landing,
    follow_default_branch,
    manual_steps,
    settle_orders,
    size_from_label,
    take_over,
    tell_agents,
    wait_for_answers,
)
from bot.core.decide.decision import Decision
from bot.core.decide.main import (
    account_commits,
    follow_rules,
    merged_by_github,
    note_rewound,
    pause_orders,
    publish_ledger,
    smoke_main,
    tell_pauses,
)
from bot.core.decide.people import (
    advance_dialogue,
    end_incidents,
    freeze_queue,
    hear_reviews,
    onboard,
    press_buttons,
    publish,
    queue_approved,
    queue_pull,
    retire_issues,
    run_commands,
    summarise_report,
    tell_main,
    tell_pulls,
    tell_queue,
    tell_smoke,
    weigh_reviews,
)
from bot.core.decide.queue import land
from bot.core.decide.specs import (
    check_spec_pull,
    end_spec_run,
    follow_repository,
    model_observations,
    plan_by_model,
    plan_new_spec,
    propose_issue_spec,
    retire_spec_runs,
    spec_edit,
)
from bot.core.journal.branches import on
from bot.core.journal.events import Event
from bot.core.journal.state import OrderState, RepositoryState
from bot.core.spec.policy import Policy
from bot.core.state import money
from bot.core.state.access import closes_at
from bot.core.state.observed import Observed, OrderEntry
from bot.core.state.queue_order import entries
from bot.core.state.smoke_due import asked_again_at


def decide(state: RepositoryState, observed: Observed, now: datetime) -> tuple[Event, ...]:
    """Facts and intended effects, in the order in which they are written to the journal."""
    if state.facts is None:
        return ()
    decision = Decision(state, observed, now)
    if observed.is_unread:
        if observed.may_answer:
            run_commands.next_steps(decision)
        return decision.events
    note_rewound.next_steps(decision)
    if follow_repository.is_away(decision):
        return decision.events
    # What main has become, and what runners reported.
    follow_rules.next_steps(decision)
    account_commits.next_steps(decision)
    merged_by_github.next_steps(decision)
    settle_orders.next_steps(decision)
    pause_orders.next_steps(decision)
    # What people want.
    freeze_queue.unfreeze_when_due(decision)
    run_commands.next_steps(decision)
    queue_pull.queue_labelled(decision)
    queue_approved.next_steps(decision)
    hear_reviews.next_steps(decision)
    weigh_reviews.next_steps(decision)
    tell_agents.next_steps(decision)
    answer_threads.next_steps(decision)
    press_buttons.next_steps(decision)
    # Specs and their plans.
    plan_new_spec.next_steps(decision)
    model_observations.next_steps(decision)
    check_spec_pull.next_steps(decision)
    advance_dialogue.next_steps(decision)
    propose_issue_spec.next_steps(decision)
    plan_by_model.next_steps(decision)
    spec_edit.next_steps(decision)
    size_from_label.next_steps(decision)
    manual_steps.next_steps(decision)
    summarise_report.next_steps(decision)
    # Changes and the queue: the front of the queue takes its step before the others.
    end_without_landing.handle_closed_pulls(decision)
    take_over.next_steps(decision)
    follow_default_branch.next_steps(decision)
    smoke_main.next_steps(decision)
    land.next_steps(decision)
    advance.next_steps(decision)
    _decide_other_branches(decision)
    end_spec_run.next_steps(decision)
    _tell_people(decision)
    return decision.events


def _tell_people(decision: Decision) -> None:
    onboard.next_steps(decision)
    publish.next_steps(decision)
    tell_main.next_steps(decision)
    tell_pulls.next_steps(decision)
    tell_queue.next_steps(decision)
    tell_smoke.next_steps(decision)
    end_incidents.next_steps(decision)
    follow_rules.tell(decision)
    tell_pauses.tell(decision)
    publish_ledger.next_steps(decision)
    retire_spec_runs.next_steps(decision)
    retire_issues.next_steps(decision)


def _decide_other_branches(decision: Decision) -> None:
    """What is decided of main, for each further branch; specs and changes are the default branch's alone."""
    queue_pull.leave_unserved(decision)
    for branch in decision.observed.served:
        with decision.on(branch):
            account_commits.begin(decision)
            follow_rules.next_steps(decision)
            account_commits.next_steps(decision)
            merged_by_github.next_steps(decision)
            freeze_queue.unfreeze_when_due(decision)
            smoke_main.next_steps(decision)
            land.next_steps(decision)
            tell_main.next_steps(decision)
            tell_pulls.next_steps(decision)
            tell_smoke.next_steps(decision)
            follow_rules.tell(decision)
            publish_ledger.next_steps(decision)


def wake_at(
    state: RepositoryState, policy: Policy, order_store: tuple[OrderEntry, ...], now: datetime
) -> datetime | None:
    """When the next timeout of this repository ends, at the earliest `now`; None without one."""
    if state.away is not None:
        at = closes_at(state)
        return max(now, at) if at else None
    times = [d.until for d in state.delays.values()]
    aborted = (
        on(state, branch).entry_of(queued).land_after
        for branch in ("", *state.branches)
        for queued in entries(on(state, branch))
    )
    times += [again_at for again_at in aborted if again_at is not None and again_at > now]
    for branch in ("", *state.branches):
        there = on(state, branch)
        times += (f.until for f in there.freezes.values() if f.until is not None)
        smoke_again_at = asked_again_at(there)
        times += [smoke_again_at] if smoke_again_at is not None else []
    times += wait_for_answers.deadlines(state, policy)
    times += (at for at in await_checks.deadlines(state, policy) if at > now)
    times += (at for at in money.deadlines(state, policy) if at > now)
    times += (at for at in pause_orders.deadlines(state) if at > now)
    times += tell_queue.deadlines(state, policy, now)
    start = timedelta(seconds=policy.file.runner_start_seconds)
    leases = {e.order: e.lease_until for e in order_store}
    for order in (state.orders[id_] for id_ in state.open_orders):
        lease_until = leases.get(order.id)
        if order.state is OrderState.LEASED and lease_until is not None:
            times.append(lease_until)
        elif order.dispatched_at is not None:
            times.append(order.dispatched_at + start)
    quiet = timedelta(seconds=policy.file.quiet_seconds)
    if state.main_seen_at is not None:
        times.append(state.main_seen_at + quiet)
    return max(now, min(times)) if times else None
