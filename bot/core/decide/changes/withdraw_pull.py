"""A person's pull leaves the queue because of what a person did."""

from bot.core.decide.changes.revoke import revoke
from bot.core.decide.decision import Decision
from bot.core.journal.events import PullWithdrawn
from bot.core.journal.state import QueuedPull


def withdraw_pull(decision: Decision, pull: QueuedPull, by: str, sentence: str = "") -> None:
    """Take a pull out of the queue and revoke its open order; `sentence` says why, if nobody asked for it."""
    candidate = decision.state.candidate_of(pull)
    judged_by = candidate.order if candidate else None
    order = decision.state.orders.get(judged_by) if judged_by else None
    decision.emit(PullWithdrawn(number=pull.number, by=by, sentence=sentence, order=judged_by))
    if order is not None and order.is_open:
        revoke(decision, order)
