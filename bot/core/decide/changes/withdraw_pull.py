"""A person's pull leaves the queue because of what a person did."""

from bot.core.decide.changes.settle_orders import revoke
from bot.core.decide.decision import Decision
from bot.core.journal.events import PullWithdrawn
from bot.core.journal.state import QueuedPull


def withdraw_pull(decision: Decision, pull: QueuedPull, by: str, sentence: str = "") -> None:
    """With its open order; `sentence` is told where nobody asked for it."""
    order = decision.state.orders.get(pull.order) if pull.order else None
    decision.emit(PullWithdrawn(number=pull.number, by=by, sentence=sentence, order=pull.order))
    if order is not None and order.is_open:
        revoke(decision, order)
