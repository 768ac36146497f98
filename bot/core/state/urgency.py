"""Whether an effect moves a change, and whether such an effect is open.

While one is open no progress is published: people see results, not every step.
"""

from bot.core.journal.effect_class import Urgency
from bot.core.journal.effects import Effect
from bot.core.journal.state import RepositoryState


def is_work(effect: Effect) -> bool:
    """Whether the effect moves a change, so that another step may follow at once."""
    return Urgency.LANDING <= effect.urgency <= Urgency.IMPORT


def is_work_at_hand(state: RepositoryState) -> bool:
    """Whether such an effect is open and may be performed now."""
    return any(is_work(e) and key not in state.delays for key, e in state.open_effects.items())
