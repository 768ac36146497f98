"""The two kinds of expected failure and the event of each.

`UserError` is shown where the person looks and not retried; `Retryable` is tried again after a
bounded, growing delay. Anything else is a bug: `entry/` journals it under a reference number.
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
    """The event for an effect that failed."""
    if isinstance(failure, UserError):
        return EffectRefused(key=key, sentence=failure.sentence)
    delay = min(_DELAY_FIRST * 2 ** min(tries, 10), _DELAY_LONGEST)
    if failure.after is not None:
        delay = max(delay, failure.after)
    return EffectDelayed(key=key, sentence=failure.sentence, until=now + delay, tries=tries + 1)
