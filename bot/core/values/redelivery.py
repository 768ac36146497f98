"""Which deliveries GitHub should be asked to send again: it never does so by itself.

A delivery is identified by its GUID; GitHub's list has all attempts. After one successful attempt
nothing is asked. A failed delivery is asked for at most once an interval, and a few times in all.
Source: GitHub, "Handling failed webhook deliveries".
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from bot.core.values.ids import Frozen

# How far back failed deliveries are looked for. What is older has long been looked at by the sweep.
LOOK_BACK = timedelta(hours=1)

# The least time between two attempts at one delivery; the first was GitHub's.
AGAIN_AFTER = timedelta(minutes=5)

# Attempts at one delivery, GitHub's own included; after so many failures another one is useless.
ATTEMPTS_MAX = 4

# How many are asked for at once; after an outage the next sweep asks for the rest.
AT_ONCE_MAX = 20


class Attempt(Frozen):
    """One of GitHub's attempts; `is_good` if we answered in time with 2xx.

    `is_unsigned` if we refused its signature.
    """

    id: int
    guid: str
    at: datetime
    is_good: bool
    is_unsigned: bool = False


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
