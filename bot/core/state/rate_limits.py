"""GitHub's limits, and whether a cost may be spent now.

GitHub, "Rate limits for the REST API": 5,000 requests an hour, of which 80 a minute and 500 an hour
may create content, and 900 points a minute. Writes are counted before they are sent, reads
afterwards. Moving main and the steps before it come first, then what people asked for. Progress
leaves a reserve of every limit for these, and the sweep a larger one. `bot.adapters.quota` keeps
the counts.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import IntEnum
from itertools import groupby
from typing import Literal

from bot.core.journal.effect_class import EffectClass, Urgency
from bot.core.values.github_cost import READ_POINTS, Cost
from bot.core.values.ids import Frozen

CONTENT_A_MINUTE = 80
CONTENT_AN_HOUR = 500
POINTS_A_MINUTE = 900
# What the smallest installation has ("Primary rate limit for GitHub App installations").
REQUESTS_AN_HOUR = 5_000
REQUESTS_AT_ONCE = 100

# GitHub counts a request when it arrives, we when it leaves: our minute outlasts theirs.
MINUTE = timedelta(seconds=61)
HOUR = timedelta(hours=1, seconds=5)

# Requests older than a minute are kept as one sum a minute: sixty values instead of thousands.
_SUMMED_SECONDS = 60


class Priority(IntEnum):
    """Who comes first where not all can be served; lower is earlier."""

    LANDING = 1
    PEOPLE = 2
    PROGRESS = 3
    SWEEP = 4


# The first read of a sweep; it must be affordable before the sweep begins.
ONE_READ = Cost(points=READ_POINTS, requests=1)


class Spending(Frozen):
    at: datetime
    cost: Cost


class _Limit(Frozen):
    """One limit; `reserves` is what each priority must leave to those before it."""

    counts: Literal["content", "points", "requests"]
    window: timedelta
    allowed: int
    reserves: tuple[int, int, int, int]

    def of(self, cost: Cost) -> int:
        match self.counts:
            case "content":
                return cost.content
            case "points":
                return cost.points
            case "requests":
                return cost.requests


_LIMITS = (
    _Limit(counts="content", window=MINUTE, allowed=CONTENT_A_MINUTE, reserves=(0, 2, 6, 6)),
    _Limit(counts="content", window=HOUR, allowed=CONTENT_AN_HOUR, reserves=(0, 10, 30, 30)),
    _Limit(counts="points", window=MINUTE, allowed=POINTS_A_MINUTE, reserves=(0, 50, 150, 300)),
    _Limit(counts="requests", window=HOUR, allowed=REQUESTS_AN_HOUR, reserves=(0, 250, 500, 1000)),
)


def wait_for(
    spent: Iterable[Spending], cost: Cost, priority: Priority, now: datetime
) -> timedelta | None:
    """How long until the cost may be spent; None if it may be spent now."""
    known = sorted(spent, key=lambda s: s.at)
    waits = [_wait_for(limit, known, cost, priority, now) for limit in _LIMITS]
    return max((w for w in waits if w is not None), default=None)


def _wait_for(
    limit: _Limit, spent: list[Spending], cost: Cost, priority: Priority, now: datetime
) -> timedelta | None:
    wanted = limit.of(cost)
    if not wanted:
        return None
    counted = [s for s in spent if s.at > now - limit.window]
    allowed = limit.allowed - limit.reserves[priority - 1]
    # A cost above the whole limit is spent alone, when nothing else counts any more.
    excess = sum(limit.of(s.cost) for s in counted) + min(wanted, allowed) - allowed
    for one in counted:
        if excess <= 0:
            return None
        excess -= limit.of(one.cost)
        if excess <= 0:
            return one.at + limit.window - now
    return None


def left(spent: Iterable[Spending], now: datetime) -> dict[str, int]:
    """What each limit still allows, by the limit's name."""
    known = tuple(spent)
    return {
        f"{limit.counts}_{'minute' if limit.window == MINUTE else 'hour'}": max(
            0, limit.allowed - sum(limit.of(s.cost) for s in known if s.at > now - limit.window)
        )
        for limit in _LIMITS
    }


def still_counted(spent: Iterable[Spending], now: datetime) -> tuple[Spending, ...]:
    """What a limit still counts: content and requests for an hour, points for a minute.

    Old requests that created nothing are added together; each sum is as old as its newest part.
    """
    # What lies ahead was written by a clock that was wrong, or by another machine's.
    known = sorted((s for s in spent if now - HOUR < s.at < now + MINUTE), key=lambda s: s.at)
    fresh = [s for s in known if s.at > now - MINUTE]
    aged = [s for s in known if s.at <= now - MINUTE]
    asked = (s for s in aged if not s.cost.content and s.cost.requests)
    sums = (_sum(tuple(some)) for _, some in groupby(asked, key=_minute))
    return (*sums, *(s for s in aged if s.cost.content), *fresh)


def _minute(one: Spending) -> int:
    return int(one.at.timestamp()) // _SUMMED_SECONDS


def _sum(some: tuple[Spending, ...]) -> Spending:
    return Spending(at=some[-1].at, cost=Cost(requests=sum(s.cost.requests for s in some)))


def priority_of(effect: EffectClass) -> Priority:
    if effect.urgency <= Urgency.IMPORT:
        return Priority.LANDING
    return Priority.PEOPLE if effect.urgency is Urgency.ANSWER else Priority.PROGRESS
