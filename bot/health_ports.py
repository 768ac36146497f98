"""What processes leave word of: that they live, what they counted, and what keeps failing."""

from collections.abc import Collection, Mapping
from typing import Protocol

from bot.core.values.trouble import Trouble, TroubleKind
from bot.core.values.vitals import Count, Pulse


class Troubles(Protocol):
    """What keeps failing. `meet` counts it, as `bot.core.state.troubles` says, and returns what is kept
    and whether it was counted; `over` forgets it.
    """

    def meet(self, trouble: Trouble) -> tuple[Trouble, bool]: ...
    def over(self, kinds: Collection[TroubleKind], abouts: Collection[str]) -> None: ...
    def all(self) -> tuple[Trouble, ...]: ...


class Vitals(Protocol):
    """When each process was last alive, and what all processes have counted together."""

    def beat(self, pulse: Pulse) -> None: ...
    def pulses(self) -> tuple[Pulse, ...]: ...
    def forget(self, processes: tuple[str, ...]) -> None: ...
    def add(self, counts: Mapping[Count, float]) -> None: ...
    def counts(self) -> Mapping[Count, float]: ...
