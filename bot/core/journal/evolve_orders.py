"""How orders evolve: placed, dispatched, leased, and at the end reported or lost.

What an order's end means for its change stands in `evolve_change`.
"""

from collections.abc import Callable
from typing import Protocol, TypeVar

from bot.core.journal import events as ev
from bot.core.journal.fold_table import folds, on
from bot.core.journal.state import OrderFacts, OrderKind, RepositoryState
from bot.core.journal.transitions import ORDERS
from bot.core.values.ids import OrderId, Sha
from bot.core.values.lifecycle import OrderState
from bot.core.values.replacement import less, replace


class _AboutOrder(Protocol):
    @property
    def order(self) -> OrderId | None: ...


E = TypeVar("E", bound=_AboutOrder)
_GatesPlaced = ev.GatesOrdered | ev.AdoptionOrdered | ev.PullGatesOrdered | ev.SmokeOrdered
_Placed = ev.AgentOrdered | _GatesPlaced


def _placed(state: RepositoryState, event: _Placed) -> RepositoryState:
    began = ORDERS.after(state.orders.get(event.order), event)
    if began is None:
        return state
    return replace(
        state,
        orders={
            **state.orders,
            event.order: replace(_order(event, began), branch_of_queue=state.on_branch),
        },
        orders_placed=state.orders_placed + 1,
        open_orders=(*state.open_orders, event.order),
    )


def _order(event: _Placed, began: OrderState) -> OrderFacts:
    if isinstance(event, ev.AgentOrdered):
        return OrderFacts(
            id=event.order,
            kind=OrderKind.AGENT,
            state=began,
            change=event.change,
            commit=event.start,
            placed_at=event.placed_at,
            dollars_max=event.dollars_max,
        )
    order = OrderFacts(
        id=event.order,
        kind=OrderKind.GATE,
        state=began,
        change=None,
        commit=_judged(event),
        definition_hash=event.definition_hash,
        asked_hash=event.asked_hash,
        placed_at=event.placed_at,
    )
    match event:
        case ev.SmokeOrdered():
            return replace(order, is_smoke=True)
        case ev.GatesOrdered():
            order = replace(order, change=event.change)
        case ev.PullGatesOrdered():
            order = replace(order, pull=event.number)
        case ev.AdoptionOrdered():
            pass
    return replace(order, reused=event.reused, keys=event.keys)


def _judged(event: _GatesPlaced) -> Sha:
    if isinstance(event, ev.AdoptionOrdered | ev.SmokeOrdered):
        return event.sha
    return event.candidate


def _of_order(
    fold: Callable[[OrderFacts, E], OrderFacts],
) -> Callable[[RepositoryState, E], RepositoryState]:
    """Fold a known order after its state moved; a stale event changes nothing."""

    def folded(state: RepositoryState, event: E) -> RepositoryState:
        order = state.orders.get(event.order) if event.order else None
        after = ORDERS.after(order, event) if order else None
        if order is None or after is None:
            return state
        changed = fold(replace(order, state=after), event)
        moved = replace(state, orders={**state.orders, order.id: changed})
        return moved if changed.is_open or not order.is_open else _without_open(moved, changed)

    return folded


def _without_open(state: RepositoryState, ended: OrderFacts) -> RepositoryState:
    is_lost = ended.state is OrderState.LOST and f"late:{ended.id}" not in state.published
    return replace(
        state,
        open_orders=less(state.open_orders, ended.id),
        lost_orders=(*state.lost_orders, ended.id) if is_lost else state.lost_orders,
    )


def _dispatched(order: OrderFacts, event: ev.WorkflowDispatched) -> OrderFacts:
    return replace(
        order,
        workflow_run=event.workflow_run or order.workflow_run,
        dispatched_at=event.dispatched_at,
        dispatched_on=event.ref,
        dispatched_with=event.path,
    )


def _leased(order: OrderFacts, event: ev.OrderLeased) -> OrderFacts:
    return replace(order, workflow_run=event.workflow_run, leased_at=event.leased_at)


def _ended(order: OrderFacts, _event: _AboutOrder) -> OrderFacts:
    return order


def _gates_lost(order: OrderFacts, event: ev.GatesLost) -> OrderFacts:
    return replace(order, lost=event.sentence)


def _put_to_main(state: RepositoryState, event: ev.MainAsked) -> RepositoryState:
    order = state.orders.get(event.because) if event.because else None
    if order is None:
        return state
    return replace(state, orders={**state.orders, order.id: replace(order, put_to_main=True)})


ORDER_FOLDS = folds(
    on(ev.AgentOrdered, _placed),
    on(ev.GatesOrdered, _placed),
    on(ev.AdoptionOrdered, _placed),
    on(ev.PullGatesOrdered, _placed),
    on(ev.SmokeOrdered, _placed),
    on(ev.WorkflowDispatched, _of_order(_dispatched)),
    on(ev.OrderLeased, _of_order(_leased)),
    on(ev.WorkHandedIn, _of_order(_ended)),
    on(ev.WorkFailed, _of_order(_ended)),
    on(ev.AgentAsked, _of_order(_ended)),
    on(ev.CandidatePassed, _of_order(_ended)),
    on(ev.CandidateFailed, _of_order(_ended)),
    on(ev.CandidateVoided, _of_order(_ended)),
    on(ev.GatesDoubted, _of_order(_ended)),
    on(ev.ChecksAwaited, _of_order(_ended)),
    on(ev.AdoptionJudged, _of_order(_ended)),
    on(ev.SmokeJudged, _of_order(_ended)),
    on(ev.PullGatesDoubted, _of_order(_ended)),
    on(ev.PullPassed, _of_order(_ended)),
    on(ev.PullPassedAsMain, _of_order(_ended)),
    on(ev.PullVoided, _of_order(_ended)),
    on(ev.PullWithdrawn, _of_order(_ended)),
    on(ev.PullEvicted, _of_order(_ended)),
    on(ev.AgentLost, _of_order(_ended)),
    on(ev.GatesLost, _of_order(_gates_lost)),
    on(ev.OrderDeferred, _of_order(_ended)),
    on(ev.MainAsked, _put_to_main),
)
