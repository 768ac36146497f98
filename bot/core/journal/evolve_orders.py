"""How orders evolve: placed, dispatched, leased, and at the end reported or lost.

Facts only, and total; an event that no longer fits changes nothing. Deliberately absent: what an
order's end means for its change (`evolve_change`).
"""

from bot.core.journal import events as ev
from bot.core.journal.state import OrderFacts, OrderKind, OrderState, RepositoryState


def evolve_orders(state: RepositoryState, event: ev.Event) -> RepositoryState:
    """The state after what an event says of an order."""
    placed = _placed(event)
    if placed is not None and placed.id in state.orders:
        return state
    if placed is not None:
        counted = state.model_copy(update={"orders_placed": state.orders_placed + 1})
        return _with_order(counted, placed)
    if not isinstance(
        event,
        ev.WorkflowDispatched
        | ev.OrderLeased
        | ev.WorkHandedIn
        | ev.WorkFailed
        | ev.AgentAsked
        | ev.CandidatePassed
        | ev.CandidateFailed
        | ev.CandidateVoided
        | ev.AdoptionJudged
        | ev.AgentLost
        | ev.GatesLost,
    ):
        return state
    order = state.orders.get(event.order) if event.order else None
    if order is None:
        return state
    match event:
        case ev.WorkflowDispatched():
            update: dict[str, object] = {
                "workflow_run": event.workflow_run or order.workflow_run,
                "dispatched_at": event.dispatched_at,
            }
        case ev.OrderLeased():
            update = {
                "state": OrderState.LEASED if order.is_open else order.state,
                "workflow_run": event.workflow_run,
                "leased_at": event.leased_at,
            }
        case ev.AgentLost() | ev.GatesLost():
            update = {"state": OrderState.LOST if order.is_open else order.state}
        case _:
            update = {"state": OrderState.REPORTED if order.is_open else order.state}
    return _with_order(state, order.model_copy(update=update))


def _placed(event: ev.Event) -> OrderFacts | None:
    match event:
        case ev.AgentOrdered():
            return OrderFacts(
                id=event.order,
                kind=OrderKind.AGENT,
                state=OrderState.PLACED,
                change=event.change,
                commit=event.start,
                placed_at=event.placed_at,
            )
        case ev.GatesOrdered():
            return OrderFacts(
                id=event.order,
                kind=OrderKind.GATE,
                state=OrderState.PLACED,
                change=event.change,
                commit=event.candidate,
                definition_hash=event.definition_hash,
                asked_hash=event.asked_hash,
                reused=event.reused,
                placed_at=event.placed_at,
            )
        case ev.AdoptionOrdered():
            return OrderFacts(
                id=event.order,
                kind=OrderKind.GATE,
                state=OrderState.PLACED,
                change=None,
                commit=event.sha,
                asked_hash=event.asked_hash,
                placed_at=event.placed_at,
            )
        case _:
            return None


def _with_order(state: RepositoryState, order: OrderFacts) -> RepositoryState:
    return state.model_copy(update={"orders": {**state.orders, order.id: order}})
