"""What an effect costs at GitHub, and whether it may be spent now. Pure.

GitHub, "Rate limits for the REST API": 5,000 requests an hour, of which 80 a minute and 500 an hour
may create content, and 900 points a minute, a read being one and a write five. Writes are spent
before they are sent, reads counted when they were. The rule: moving main and what leads there come
first, then what people asked for; progress leaves the last of every limit to them, and looking
around without an occasion leaves more. Deliberately absent: where it is counted.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import IntEnum
from itertools import groupby
from typing import Literal

from bot.core.journal import effects as ef
from bot.core.journal.effects import Effect
from bot.core.state.urgency import Urgency, urgency
from bot.core.values.check_run import ANNOTATIONS_PER_REQUEST
from bot.core.values.ids import Frozen

CONTENT_A_MINUTE = 80
CONTENT_AN_HOUR = 500
POINTS_A_MINUTE = 900
# What the smallest installation has ("Primary rate limit for GitHub App installations").
REQUESTS_AN_HOUR = 5_000
REQUESTS_AT_ONCE = 100

READ_POINTS = 1
WRITE_POINTS = 5

# GitHub counts a request when it arrives, we when it leaves: our minute outlasts theirs.
MINUTE = timedelta(seconds=61)
HOUR = timedelta(hours=1, seconds=5)

# Requests older than a minute are remembered in sums of so long: sixty instead of thousands.
_SUMMED_SECONDS = 60


class Priority(IntEnum):
    """Who comes first where not everybody can; lower is earlier."""

    LANDING = 1
    PEOPLE = 2
    PROGRESS = 3
    SWEEP = 4


class Cost(Frozen):
    """What is asked of GitHub: things created that people are told of, points, and requests."""

    content: int = 0
    points: int = 0
    requests: int = 0


# What a look without an occasion begins with; whether there is so much left is asked before it.
A_LOOK = Cost(points=READ_POINTS, requests=1)


class Spending(Frozen):
    """What was spent once."""

    at: datetime
    cost: Cost


class _Limit(Frozen):
    """One limit; `kept_back` is what each priority may not touch, the first nothing at all."""

    counts: Literal["content", "points", "requests"]
    window: timedelta
    allowed: int
    kept_back: tuple[int, int, int, int]

    def of(self, cost: Cost) -> int:
        """What of a cost this limit counts."""
        match self.counts:
            case "content":
                return cost.content
            case "points":
                return cost.points
            case "requests":
                return cost.requests


_LIMITS = (
    _Limit(counts="content", window=MINUTE, allowed=CONTENT_A_MINUTE, kept_back=(0, 2, 6, 6)),
    _Limit(counts="content", window=HOUR, allowed=CONTENT_AN_HOUR, kept_back=(0, 10, 30, 30)),
    _Limit(counts="points", window=MINUTE, allowed=POINTS_A_MINUTE, kept_back=(0, 50, 150, 300)),
    _Limit(counts="requests", window=HOUR, allowed=REQUESTS_AN_HOUR, kept_back=(0, 250, 500, 1000)),
)


def wait_for(
    spent: Iterable[Spending], cost: Cost, priority: Priority, now: datetime
) -> timedelta | None:
    """How long until so much may be spent; None where it may be now."""
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
    allowed = limit.allowed - limit.kept_back[priority - 1]
    # What costs more than the whole limit is done alone, when nothing else counts any more.
    excess = sum(limit.of(s.cost) for s in counted) + min(wanted, allowed) - allowed
    for one in counted:
        if excess <= 0:
            return None
        excess -= limit.of(one.cost)
        if excess <= 0:
            return one.at + limit.window - now
    return None


def still_counted(spent: Iterable[Spending], now: datetime) -> tuple[Spending, ...]:
    """What some limit still counts: content and requests for an hour, mere points for a minute.

    What was asked without creating anything is summed as it ages, each sum as old as its newest.
    """
    known = sorted((s for s in spent if s.at > now - HOUR), key=lambda s: s.at)
    fresh = [s for s in known if s.at > now - MINUTE]
    aged = [s for s in known if s.at <= now - MINUTE]
    asked = (s for s in aged if not s.cost.content and s.cost.requests)
    sums = (_sum(tuple(some)) for _, some in groupby(asked, key=_minute))
    return (*sums, *(s for s in aged if s.cost.content), *fresh)


def _minute(one: Spending) -> int:
    return int(one.at.timestamp()) // _SUMMED_SECONDS


def _sum(some: tuple[Spending, ...]) -> Spending:
    return Spending(at=some[-1].at, cost=Cost(requests=sum(s.cost.requests for s in some)))


def priority_of(effect: Effect) -> Priority:
    """Whom an effect is for."""
    order = urgency(effect)
    if order <= Urgency.IMPORT:
        return Priority.LANDING
    return Priority.PEOPLE if order is Urgency.ANSWER else Priority.PROGRESS


def cost_of(effect: Effect) -> Cost:
    """What an effect writes at most; what it looks at is counted when it has looked."""
    match effect:
        case (
            ef.OpenIssue()
            | ef.LinkSubIssue()
            | ef.LinkBlockedBy()
            | ef.PostComment()
            | ef.PostCommitComment()
            | ef.OpenPull()
            | ef.OfferGates()
            | ef.ProposeSpec()
        ):
            return Cost(content=1, points=WRITE_POINTS, requests=1)
        case ef.PublishCheckRun():
            requests = max(1, -(-len(effect.text.annotations) // ANNOTATIONS_PER_REQUEST))
            return Cost(points=WRITE_POINTS * requests, requests=requests)
        case (
            ef.EditIssue()
            | ef.EditComment()
            | ef.DispatchOrder()
            | ef.CloseIssue()
            | ef.ReopenIssue()
            | ef.React()
            | ef.ClosePull()
            | ef.RevokeOrder()
            | ef.WithdrawSpec()
        ):
            return Cost(points=WRITE_POINTS, requests=1)
        case ef.LandCandidate():
            # GraphQL is asked for an id once, and to move main.
            return Cost(points=WRITE_POINTS + READ_POINTS, requests=2)
        case _:
            # Git is not counted among requests.
            return Cost()
