"""What a run said that it does."""

from datetime import datetime

from action.order import RunStatus
from bot.core.values.ids import Frozen, OrderId


class Doing(Frozen):
    """What a run said that it does, and when."""

    status: RunStatus
    at: datetime


class UnshownRun(Frozen):
    """A run whose last word no issue shows; `shown_at` is when one last showed something of it."""

    order: OrderId
    doing: Doing
    shown_at: datetime | None
