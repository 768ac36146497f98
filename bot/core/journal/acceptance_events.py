"""What a person says of a candidate that waits for acceptance."""

from datetime import datetime
from typing import Literal

from bot.core.values.ids import ChangeId, Frozen, Sha


class CandidateAnswered(Frozen):
    """A person accepted or rejected a candidate, for the gate that asks for it."""

    type: Literal["CandidateAnswered"] = "CandidateAnswered"
    change: ChangeId
    candidate: Sha
    gate: str
    is_accepted: bool
    answered_by: str
    answered_at: datetime
