"""What events add to the counts that `/metrics` shows.

Dollars are at list prices: an attempt at a model without one adds tokens only.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime

from action.report import AgentEnding
from bot.core.journal.change_events import (
    AgentLost,
    AgentOrdered,
    CandidateFailed,
    CandidatePassed,
    ChangeFailed,
    GatesLost,
    GatesOrdered,
    Landed,
    OrderLeased,
    WorkFailed,
    WorkHandedIn,
)
from bot.core.journal.change_state import FINISHED, OrderKind
from bot.core.journal.clarify_events import AgentAsked
from bot.core.journal.events import Event, PullGatesOrdered, SmokeOrdered
from bot.core.journal.pause_events import OrderDeferred
from bot.core.journal.repository_events import AdoptionOrdered
from bot.core.journal.state import RepositoryState
from bot.core.values.ids import OrderId
from bot.core.values.price import cost, price_of
from bot.core.values.vitals import Count

# A label that a runner says is cut.
_LABEL_LENGTH_MAX = 60


def counted(events: Iterable[Event], state: RepositoryState) -> Mapping[Count, float]:
    """The amounts, by count; `state` is the state after the events."""
    counts: defaultdict[Count, float] = defaultdict(float)
    for event in events:
        match event:
            case AgentOrdered():
                counts[_of_kind("orders_placed", OrderKind.AGENT)] += 1
            case GatesOrdered() | AdoptionOrdered() | PullGatesOrdered() | SmokeOrdered():
                counts[_of_kind("orders_placed", OrderKind.GATE)] += 1
            case OrderLeased():
                _count_wait(counts, state, event.order, event.leased_at)
            case WorkHandedIn() | WorkFailed() | AgentAsked() | OrderDeferred():
                _count_agent_run(counts, event)
            case AgentLost():
                counts[_of_kind("orders_lost", OrderKind.AGENT)] += 1
            case GatesLost():
                counts[_of_kind("orders_lost", OrderKind.GATE)] += 1
            case CandidatePassed() | CandidateFailed():
                _count_judgement(counts, state, event)
            case Landed():
                counts[Count("changes_landed")] += 1
            case ChangeFailed():
                counts[Count("changes_failed", (("reason", event.reason.value),))] += 1
            case _:
                pass
    return counts


def _of_kind(name: str, kind: OrderKind) -> Count:
    return Count(name, (("kind", kind.value),))


def _count_wait(
    counts: defaultdict[Count, float], state: RepositoryState, id_: OrderId, leased_at: datetime
) -> None:
    order = state.orders.get(id_)
    if order is not None:
        seconds = (leased_at - order.placed_at).total_seconds()
        counts[_of_kind("order_wait_seconds", order.kind)] += max(0.0, seconds)
        counts[_of_kind("orders_taken", order.kind)] += 1


def _count_agent_run(
    counts: defaultdict[Count, float], event: WorkHandedIn | WorkFailed | AgentAsked | OrderDeferred
) -> None:
    ending = _ending(event)
    if isinstance(event, OrderDeferred) and not event.turns:
        # No agent began.
        return
    counts[Count("agent_runs", (("ending", ending[:_LABEL_LENGTH_MAX]),))] += 1
    counts[Count("agent_seconds")] += event.seconds
    model = (("model", event.model[:_LABEL_LENGTH_MAX] or "unknown"),)
    for kind in ("input", "output", "cache_read", "cache_write", "cache_write_hour"):
        if amount := getattr(event.tokens, kind):
            counts[Count("tokens", (*model, ("kind", kind)))] += amount
    dollars = cost(event.tokens, price_of(event.model, {}))
    if dollars is not None:
        counts[Count("dollars", model)] += dollars


def _ending(event: WorkHandedIn | WorkFailed | AgentAsked | OrderDeferred) -> str:
    match event:
        case WorkFailed():
            return event.ending
        case AgentAsked():
            return AgentEnding.ASKED
        case OrderDeferred():
            return AgentEnding.DEFERRED
        case _:
            return FINISHED


def _count_judgement(
    counts: defaultdict[Count, float],
    state: RepositoryState,
    event: CandidatePassed | CandidateFailed,
) -> None:
    verdict = "passed" if isinstance(event, CandidatePassed) else "failed"
    counts[Count("candidates_judged", (("verdict", verdict),))] += 1
    order = state.orders.get(event.order) if event.order is not None else None
    reused = {result.gate for result in order.reused} if order is not None else set()
    for result in event.results:
        if result.gate not in reused:
            counts[
                Count("gate_runs", (("gate", result.gate), ("ending", result.ending.value)))
            ] += 1
            counts[Count("gate_seconds", (("gate", result.gate),))] += result.seconds
