"""The two kinds of expected failure and the event of each.

`UserError` is shown where the person looks and not retried; `Retryable` is tried again after a
bounded, growing delay. Anything else is a bug: `entry/` journals it under a reference number.
"""

from datetime import datetime, timedelta

from bot.core.journal.events import EffectDelayed, EffectRefused
from bot.core.talk.refusal_text import refusal_text
from bot.core.values.github_refusal import GitHubRefusal
from bot.core.values.ids import EffectKey
from bot.ports import Retryable, UserError

# What only people can repair is tried again ever more seldom; `/headgate resume` tries at once.
_REFUSED_FIRST = timedelta(minutes=5)
_REFUSED_LONGEST = timedelta(hours=1)

# The first delay, doubled each time, up to the longest.
_DELAY_FIRST = timedelta(seconds=1)
_DELAY_LONGEST = timedelta(minutes=5)


class NotPushed(Retryable):
    """GitHub refused a push; what was to be pushed is kept, and pushed when that is repaired."""

    def __init__(self, refusal: GitHubRefusal) -> None:
        super().__init__(refusal_text(refusal))
        self.refusal = refusal


def outcome_of(
    failure: UserError | Retryable, key: EffectKey, tries: int, now: datetime
) -> EffectRefused | EffectDelayed:
    """The event for an effect that failed."""
    if isinstance(failure, UserError):
        return EffectRefused(key=key, sentence=failure.sentence)
    refusal = failure.refusal if isinstance(failure, NotPushed) else None
    first, longest = _DELAY_FIRST, _DELAY_LONGEST
    if refusal is not None and refusal.kind.is_mended_by_people:
        first, longest = _REFUSED_FIRST, _REFUSED_LONGEST
    delay = min(first * 2 ** min(tries, 10), longest)
    if failure.after is not None:
        delay = max(delay, failure.after)
    return EffectDelayed(
        key=key,
        sentence=failure.sentence,
        until=now + delay,
        tries=tries + 1,
        refusal=refusal,
    )
