"""What is known of the smoke gates on main."""

from dataclasses import dataclass
from datetime import datetime

from bot.core.values.ids import OrderId, Sha
from bot.core.values.smoke import SmokeOutcome
from gates.result import GateResult


@dataclass(frozen=True, kw_only=True, slots=True)
class Smoke:
    """The newest commit that smoke gates were ordered on; `outcome` is None until they have spoken.

    `orders` and `reds` count those of this commit. `passed`: the newest commit on which they were green.
    `waits` counts how often they wait, until `again_at`, to be asked about this commit once more. `earlier`
    are orders before the newest that had not ended, or tested whether a pause is over, when the next was placed.
    """

    sha: Sha
    order: OrderId
    orders: int = 1
    earlier: tuple[OrderId, ...] = ()
    reds: int = 0
    outcome: SmokeOutcome | None = None
    results: tuple[GateResult, ...] = ()
    sentence: str = ""
    passed: Sha | None = None
    waits: int = 0
    again_at: datetime | None = None
