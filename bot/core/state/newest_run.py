"""The newest agent run of a change, under way or ended."""

from bot.core.journal.state import ChangeFacts, OrderKind, RepositoryState
from bot.core.values.ids import OrderId


def newest_run(state: RepositoryState, change: ChangeFacts) -> OrderId | None:
    order = state.orders.get(change.order) if change.order else None
    if order is not None and order.kind is OrderKind.AGENT:
        return order.id
    return change.agent_runs[-1].order if change.agent_runs else None
