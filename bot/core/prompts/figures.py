"""The figures of an estimate, as they are written down and shown."""

from bot.core.values.ids import Frozen
from bot.core.values.plan_model import ChangeSize


class Estimate(Frozen):
    """Calls, tokens and US dollars; `dollars` None: unknown."""

    calls: int
    tokens: int
    dollars: float | None


class SizeFigures(Frozen):
    """What a change of one size may spend and probably spends; minutes of one agent run."""

    tokens_max: int
    model: str
    tokens: int
    dollars: float | None
    minutes: int


class WorkEstimate(Frozen):
    """What the agents of a plan will take, first attempts alone; `by_size` for one change each."""

    tokens: int
    dollars: float | None
    minutes: int
    by_size: dict[ChangeSize, SizeFigures] = {}
    side_by_side: int = 1
