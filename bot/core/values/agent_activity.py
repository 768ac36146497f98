"""What a run said that it does."""

from datetime import datetime

from action.order import RunStatus
from bot.core.values.ids import Frozen, OrderId


class AgentActivity(Frozen):
    status: RunStatus
    at: datetime


class UnshownRun(Frozen):
    """A run with news that its issue does not show yet; `shown_at` is when the issue was last edited for it."""

    order: OrderId
    doing: AgentActivity
    shown_at: datetime | None
