"""The three kinds of failure, told apart in one place.

`UserError`: the world says no; shown where the person looks, not retried. `Retryable`: the world is
busy; tried again after a bounded, growing delay. Everything else is a bug and is left to `entry/`,
which journals it under a short reference number.
"""

from datetime import datetime, timedelta

from bot.core.journal.events import EffectDelayed, EffectRefused
from bot.core.values.ids import EffectKey
from bot.ports import Retryable, UserError

# The first delay, doubled each time, up to the longest.
_DELAY_FIRST = timedelta(seconds=1)
_DELAY_LONGEST = timedelta(minutes=5)


def outcome_of(
    failure: UserError | Retryable, key: EffectKey, tries: int, now: datetime
) -> EffectRefused | EffectDelayed:
    """What is written down of an effect that did not happen."""
    if isinstance(failure, UserError):
        return EffectRefused(key=key, sentence=failure.sentence)
    delay = min(_DELAY_FIRST * 2 ** min(tries, 10), _DELAY_LONGEST)
    if failure.after is not None:
        delay = max(delay, failure.after)
    return EffectDelayed(key=key, sentence=failure.sentence, until=now + delay, tries=tries + 1)
