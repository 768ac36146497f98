"""Gate orders that were given up without a report."""

from bot.core.journal.state import OrderFacts, OrderKind, OrderState, RepositoryState
from bot.core.values.ids import Sha


def lost_gates(state: RepositoryState, commit: Sha) -> tuple[OrderFacts, ...]:
    """The losses of the commit's gates in a row; a report that was used ends the row."""
    lost: list[OrderFacts] = []
    for order in state.orders.values():
        if order.kind is OrderKind.GATE and order.commit == commit and not order.is_open:
            lost = [*lost, order] if order.state is OrderState.LOST else []
    return tuple(lost)
