"""Decide: from what is known and what was seen to what is to be done. Pure.

The areas speak in turn, each after the state that those before it made: orders, main, answers,
specs, issues, planning, changes, the queue, and last what people see. The rule: `decide` after its own effects have
been done says nothing more. Deliberately absent: looking, and doing.
"""

from datetime import datetime, timedelta

from bot.core.change import clarify, ending, orders, sizes, steps
from bot.core.dialogue import steps as dialogues
from bot.core.draft import Draft
from bot.core.journal.events import Event
from bot.core.journal.state import OrderState, RepositoryState
from bot.core.observed import DeskEntry, Observed
from bot.core.policy import Policy
from bot.core.queue import landing, main_line
from bot.core.spec import amending, intake, issue_specs, noticing, planning, pull_checks
from bot.core.talk import answers, projection, summing_up


def decide(state: RepositoryState, observed: Observed, now: datetime) -> tuple[Event, ...]:
    """Facts and intended effects, in the order in which they are to be written down."""
    if state.facts is None:
        return ()
    draft = Draft(state, observed, now)
    main_line.next_steps(draft)
    orders.next_steps(draft)
    answers.next_steps(draft)
    intake.next_steps(draft)
    noticing.next_steps(draft)
    pull_checks.next_steps(draft)
    dialogues.next_steps(draft)
    issue_specs.next_steps(draft)
    planning.next_steps(draft)
    amending.next_steps(draft)
    sizes.next_steps(draft)
    summing_up.next_steps(draft)
    ending.heed_closed_pulls(draft)
    landing.next_steps(draft)
    steps.next_steps(draft)
    projection.next_steps(draft)
    landing.publish_ledger(draft)
    return draft.events


def wake_at(
    state: RepositoryState, policy: Policy, desk: tuple[DeskEntry, ...], now: datetime
) -> datetime | None:
    """When the next wait of this repository runs out, `now` where it has; None when none does."""
    times = [d.until for d in state.delays.values()]
    aborted = (c.land_after for c in landing.entries(state))
    times += [again_at for again_at in aborted if again_at is not None and again_at > now]
    times += clarify.deadlines(state, policy)
    start = timedelta(seconds=policy.file.runner_start_seconds)
    leases = {e.order: e.lease_until for e in desk}
    for order in state.orders.values():
        if not order.is_open:
            continue
        lease_until = leases.get(order.id)
        if order.state is OrderState.LEASED and lease_until is not None:
            times.append(lease_until)
        elif order.dispatched_at is not None:
            times.append(order.dispatched_at + start)
    quiet = timedelta(seconds=policy.file.quiet_seconds)
    if state.main_seen_at is not None:
        times.append(state.main_seen_at + quiet)
    return max(now, min(times)) if times else None
