"""What agents have cost, and what the policy's budgets leave for the next one.

Counted is what models with a known price cost. What an agent under way may still cost is reserved.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum

from action.order import Price
from bot.core.journal.state import AgentRun, ChangeFacts, OrderKind, RepositoryState, SpecRun
from bot.core.spec.agent_budget import attempt_dollars
from bot.core.spec.policy import Policy
from bot.core.values.ids import ChangeId, Frozen
from bot.core.values.lifecycle import WITH_AGENT
from bot.core.values.price import cost, price_of

# An agent with less than this share of its limit would not finish, so none is ordered.
_LEAST_SHARE = 0.1


class Held(StrEnum):
    """Which budget keeps an agent from being ordered. `BESIDE`: agents under way may need what is left."""

    CHANGE = "change"
    RUN = "run"
    DAY = "day"
    BESIDE = "beside"


class Left(Frozen):
    """What the next agent of a change may cost; `dollars` None: no budget says."""

    dollars: float | None = None
    held: Held | None = None


def spent(runs: Iterable[AgentRun], prices: Mapping[str, Price]) -> float:
    return sum(_dollars(run, prices) for run in runs)


def _dollars(run: AgentRun, prices: Mapping[str, Price]) -> float:
    if run.dollars is not None:
        return run.dollars
    return cost(run.tokens, price_of(run.model, prices)) or 0.0


def spent_on_run(state: RepositoryState, run: SpecRun, policy: Policy) -> float:
    """What the agents of a spec run have cost that have ended."""
    prices = policy.file.prices
    return sum(spent(c.agent_runs, prices) for c in state.changes.values() if c.spec_run == run.id)


def spent_on_change(change: ChangeFacts, policy: Policy) -> float:
    """What the attempts at a change have cost since its budget began."""
    return spent(change.agent_runs[change.runs_before_budget :], policy.file.prices)


def _spent_on_day(state: RepositoryState, policy: Policy, day: date) -> float:
    """What the agents have cost that were ordered on a day."""
    of_day = {id_ for id_, o in state.orders.items() if _day(o.placed_at) == day}
    runs = (r for c in state.changes.values() for r in c.agent_runs if r.order in of_day)
    return spent(runs, policy.file.prices)


def budget_of_run(run: SpecRun, policy: Policy) -> float | None:
    """With what people added; None without a budget."""
    budget = policy.file.budgets.run_dollars
    return None if budget is None else budget + run.cents_added / 100


class _Budget(Frozen):
    """One budget: what there was, what is left of it, and what agents under way may still take."""

    which: Held
    dollars: float
    spent: float
    reserved: float = 0.0


def left_for(state: RepositoryState, policy: Policy, change: ChangeFacts, day: date) -> Left:
    """What the next agent of a change may cost on a day, and what lets none be ordered."""
    found = Left()
    for budget in _budgets(state, policy, change, day):
        needed = min(attempt_dollars(policy, change.size), budget.dollars) * _LEAST_SHARE
        left = budget.dollars - budget.spent
        free = round(left - budget.reserved, 6)
        dollars = free if found.dollars is None else min(free, found.dollars)
        if left < needed:
            return Left(dollars=dollars, held=budget.which)
        found = Left(dollars=dollars, held=Held.BESIDE if free < needed else found.held)
    return found


def _budgets(
    state: RepositoryState, policy: Policy, change: ChangeFacts, day: date
) -> Iterable[_Budget]:
    budgets = policy.file.budgets
    run = state.spec_runs[change.spec_run]
    if budgets.change_dollars is not None:
        yield _Budget(
            which=Held.CHANGE,
            dollars=budgets.change_dollars,
            spent=spent_on_change(change, policy),
        )
    of_run = budget_of_run(run, policy)
    if of_run is not None:
        yield _Budget(
            which=Held.RUN,
            dollars=of_run,
            spent=spent_on_run(state, run, policy),
            reserved=_reserved(state, {c.id for c in state.changes_of(run.id)}),
        )
    if budgets.day_dollars is not None:
        yield _Budget(
            which=Held.DAY,
            dollars=budgets.day_dollars,
            spent=_spent_on_day(state, policy, day),
            reserved=_reserved(state, set(state.changes)),
        )


def _reserved(state: RepositoryState, changes: set[ChangeId]) -> float:
    return sum(
        state.orders[id_].dollars_max or 0.0
        for id_ in state.open_orders
        if state.orders[id_].kind is OrderKind.AGENT and state.orders[id_].change in changes
    )


def held_now(state: RepositoryState, policy: Policy, change: ChangeFacts) -> Held | None:
    """What lets no agent be ordered, on the day of the newest order: a day later none is held."""
    days = [_day(o.placed_at) for o in state.orders.values() if o.kind is OrderKind.AGENT]
    if not days or change.state in WITH_AGENT:
        return None
    return left_for(state, policy, change, max(days)).held


def day_after_newest(state: RepositoryState) -> datetime | None:
    """When the day of the newest agent order is over."""
    days = [_day(o.placed_at) for o in state.orders.values() if o.kind is OrderKind.AGENT]
    return _next_day(max(days)) if days else None


def _next_day(day: date) -> datetime:
    return datetime.combine(day, time(), UTC) + timedelta(days=1)


def _day(at: datetime) -> date:
    return at.astimezone(UTC).date()


def deadlines(state: RepositoryState, policy: Policy) -> Iterable[datetime]:
    """When a day's budget begins anew."""
    if policy.file.budgets.day_dollars is None:
        return ()
    at = day_after_newest(state)
    return () if at is None else (at,)
