"""Ends what a runner was asked to do."""

from bot.core.decide.decision import Decision
from bot.core.journal.effects import RevokeOrder
from bot.core.journal.state import OrderFacts


def revoke(decision: Decision, order: OrderFacts) -> None:
    """End an order's lease and cancel its workflow run; a second call does nothing."""
    effect = RevokeOrder(order=order.id, workflow_run=order.workflow_run)
    if effect.subject not in decision.state.published:
        decision.intend(effect)
