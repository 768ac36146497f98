"""What the journal says of one pause. A part of `state`; never changed but by `evolve_pauses`."""

from dataclasses import dataclass
from datetime import datetime

from bot.core.values.ids import OrderId, Sha
from bot.core.values.pause import Cause


@dataclass(frozen=True, kw_only=True, slots=True)
class Pause:
    """Something that orders wait for.

    `times`: how often an order that was placed since the last time met it again; `last` is when.
    `probe` is the order that was placed to see whether it is over.
    """

    cause: Cause
    about: str
    sentence: str
    since: datetime
    last: datetime
    until: datetime
    times: int = 1
    main: Sha | None = None
    probe: OrderId | None = None

    def is_met_again_by(self, placed_at: datetime) -> bool:
        """Whether an order that was placed then says anew that it lasts."""
        return placed_at > self.last
