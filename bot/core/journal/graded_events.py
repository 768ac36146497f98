"""What is awaited of others on a candidate, and what a model said of its diff."""

from datetime import datetime
from typing import Literal

from bot.core.values.ids import ChangeId, Frozen, OrderId, Sha
from gates.graded.rounds import ReviewLedger
from gates.result import GateResult


class ChecksAwaited(Frozen):
    """Our own gates passed the candidate (`results`); others are awaited on it, or people.

    `reviews`: the gates at which a model is asked about it.
    """

    type: Literal["ChecksAwaited"] = "ChecksAwaited"
    change: ChangeId
    order: OrderId
    candidate: Sha
    definition_hash: str
    results: tuple[GateResult, ...]
    since: datetime
    asks_people: bool = False
    reviews: tuple[str, ...] = ()


class CandidateReviewed(Frozen):
    """A review ended. `ledger` is for the next one; `is_circle`: it contradicts an earlier one."""

    type: Literal["CandidateReviewed"] = "CandidateReviewed"
    change: ChangeId
    candidate: Sha
    order: OrderId
    gate: str
    result: GateResult
    ledger: ReviewLedger
    is_circle: bool = False
