"""A decision in the making: events collected one by one, the state following each.

The areas write into one draft in turn, so that each sees what those before it decided (an order id
taken, a slot used). It lives only inside `decide`; what comes out is a tuple of events.
"""

from datetime import datetime

from bot.core.journal.effects import Effect
from bot.core.journal.events import EffectIntended, Event
from bot.core.journal.evolve import evolve
from bot.core.journal.state import RepositoryState, SpecRun
from bot.core.spec.policy import Policy
from bot.core.state.observed import Observed
from bot.core.values.ids import OrderId
from bot.core.values.spec_model import Spec


class Decision:
    """The state so far, what was seen, the policy in force and the time."""

    def __init__(self, state: RepositoryState, observed: Observed, now: datetime) -> None:
        self.state = state
        self.observed = observed
        self.now = now
        self._events: list[Event] = []

    @property
    def policy(self) -> Policy:
        """The policy on main; where that cannot be read, the last that could."""
        policy = self.observed.policy
        return policy if isinstance(policy, Policy) else self.observed.last_good_policy

    def spec_of(self, run: SpecRun) -> Spec | None:
        """The text that a run is approved with; None where another one was looked at."""
        if self.observed.spec_versions.get(run.id) != run.version:
            # An edit was approved in this very decision: the next look reads the new text.
            return None
        return self.observed.specs.get(run.id)

    @property
    def events(self) -> tuple[Event, ...]:
        """What was decided so far, in order."""
        return tuple(self._events)

    def emit(self, event: Event) -> None:
        """Add a fact; the state follows."""
        self._events.append(event)
        self.state = evolve(self.state, event)

    def intend(self, effect: Effect) -> bool:
        """Intend an effect, unless the same deed is open or was refused for good."""
        if effect.key in self.state.open_effects or effect.key in self.state.refused:
            return False
        self.emit(EffectIntended(effect=effect))
        return True

    def next_order_id(self) -> OrderId:
        """An id that no order of this repository has had."""
        return OrderId(f"o{self.state.orders_placed + 1}")
