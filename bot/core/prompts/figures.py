"""The figures of an estimate, for the journal and for people."""

from bot.core.values.ids import Frozen
from bot.core.values.plan_model import ChangeSize


class Estimate(Frozen):
    """Calls, tokens and US dollars; `dollars` None: unknown."""

    calls: int
    tokens: int
    dollars: float | None


class SizeFigures(Frozen):
    """The maximum and the estimate for a change of one size; minutes of one agent run.

    `dollars_max` None: dollars are no limit, because the model's price is unknown. `runs` are the
    attempts that the estimate was learned from.
    """

    tokens_max: int
    dollars_max: float | None = None
    model: str
    tokens: int | None
    dollars: float | None
    minutes: int | None
    runs: int = 0


class Learned(Frozen):
    """What finished attempts at changes of one size took, the middle of so many `runs`."""

    runs: int
    tokens: int
    dollars: float | None
    minutes: int


class WorkEstimate(Frozen):
    """What the agents of a plan need, first attempts only; `by_size` is for one change each.

    `tokens` None: this repository has too few finished attempts to say.
    """

    tokens: int | None
    dollars: float | None
    minutes: int | None
    by_size: dict[ChangeSize, SizeFigures] = {}
    side_by_side: int = 1
