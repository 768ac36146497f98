"""The figures of an estimate, as they are written down and shown.

Deliberately absent: reckoning them; that is `estimate`.
"""

from bot.core.ids import Frozen


class Estimate(Frozen):
    """Calls, tokens and US dollars; `dollars` None: unknown."""

    calls: int
    tokens: int
    dollars: float | None


class WorkEstimate(Frozen):
    """What the agents of a plan will take, first attempts alone."""

    tokens: int
    dollars: float | None
    minutes: int
