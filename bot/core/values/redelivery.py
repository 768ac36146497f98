"""Which deliveries GitHub should be asked to send again: it never does so by itself.

A delivery is known by its GUID, whose attempts are all in GitHub's own list. One good attempt
settles it; a bad one is asked for again at most once an interval and a few times in all.
Source: GitHub, "Handling failed webhook deliveries".
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from bot.core.values.ids import Frozen

# How far back failed deliveries are looked for. What is older has long been looked at by the sweep.
LOOK_BACK = timedelta(hours=1)

# The least time between two attempts at one delivery, the first of which GitHub made.
AGAIN_AFTER = timedelta(minutes=5)

# Attempts at one delivery, GitHub's own included: a door that refuses this often will refuse again.
ATTEMPTS_MAX = 4

# What is asked for at once; after an outage the rest follows at the next look.
AT_ONCE_MAX = 20


class Attempt(Frozen):
    """One attempt of GitHub's at one delivery; `is_good` where we had answered in time with 2xx."""

    id: int
    guid: str
    at: datetime
    is_good: bool


def due_again(
    attempts: Iterable[Attempt], asked_at: Mapping[str, datetime], now: datetime
) -> tuple[Attempt, ...]:
    """The newest attempt of every delivery that is due, the oldest first.

    `asked_at` is when each GUID was last asked for: GitHub's list may show an attempt late. The
    first redelivery waits for nothing.
    """
    by_guid: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        by_guid.setdefault(attempt.guid, []).append(attempt)
    due = []
    for guid, known in by_guid.items():
        newest = max(known, key=lambda a: (a.at, a.id))
        again = len(known) > 1 or guid in asked_at
        last = max(newest.at, asked_at.get(guid, newest.at))
        is_early = again and now < last + AGAIN_AFTER
        is_old = newest.at < now - LOOK_BACK
        is_settled = any(a.is_good for a in known) or len(known) >= ATTEMPTS_MAX
        if not (is_early or is_old or is_settled):
            due.append(newest)
    return tuple(sorted(due, key=lambda a: (a.at, a.id))[:AT_ONCE_MAX])
