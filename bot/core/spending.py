"""What an effect costs at GitHub, and whether it may be spent now. Pure.

GitHub, "Rate limits for the REST API": 80 requests a minute and 500 an hour that create content, and
900 points a minute, a read being one and a write five. The rule: moving main and what leads there
come first, then what people asked for; progress leaves the last of every limit to them.
Deliberately absent: where it is counted.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import IntEnum

from bot.core.ids import Frozen
from bot.core.journal import effects as ef
from bot.core.journal.effects import Effect
from bot.core.talk.check_run import ANNOTATIONS_PER_REQUEST
from bot.core.urgency import Urgency, urgency

CONTENT_A_MINUTE = 80
CONTENT_AN_HOUR = 500
POINTS_A_MINUTE = 900
REQUESTS_AT_ONCE = 100

READ_POINTS = 1
WRITE_POINTS = 5

# GitHub counts a request when it arrives, we when it leaves: our minute outlasts theirs.
MINUTE = timedelta(seconds=61)
HOUR = timedelta(hours=1, seconds=5)


class Priority(IntEnum):
    """Who comes first where not everybody can; lower is earlier."""

    LANDING = 1
    PEOPLE = 2
    PROGRESS = 3


class Cost(Frozen):
    """What a deed asks of GitHub at most: things created that people are told of, and points."""

    content: int = 0
    points: int = 0


class Spending(Frozen):
    """What was spent once."""

    at: datetime
    cost: Cost


class _Limit(Frozen):
    """One limit; `kept_back` is what each priority may not touch, the first nothing at all."""

    content: bool
    window: timedelta
    allowed: int
    kept_back: tuple[int, int, int]

    def of(self, cost: Cost) -> int:
        """What of a cost this limit counts."""
        return cost.content if self.content else cost.points


_LIMITS = (
    _Limit(content=True, window=MINUTE, allowed=CONTENT_A_MINUTE, kept_back=(0, 2, 6)),
    _Limit(content=True, window=HOUR, allowed=CONTENT_AN_HOUR, kept_back=(0, 10, 30)),
    _Limit(content=False, window=MINUTE, allowed=POINTS_A_MINUTE, kept_back=(0, 50, 150)),
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
    """What some limit still counts: content for an hour, mere points for a minute."""
    return tuple(s for s in spent if s.at > now - HOUR and (s.cost.content or s.at > now - MINUTE))


def priority_of(effect: Effect) -> Priority:
    """Whom an effect is for."""
    order = urgency(effect)
    if order <= Urgency.IMPORT:
        return Priority.LANDING
    return Priority.PEOPLE if order is Urgency.ANSWER else Priority.PROGRESS


def cost_of(effect: Effect) -> Cost:
    """What an effect costs at most, the look before a second try included."""
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
            return Cost(content=1, points=WRITE_POINTS + READ_POINTS)
        case ef.PublishCheckRun():
            requests = max(1, -(-len(effect.text.annotations) // ANNOTATIONS_PER_REQUEST))
            return Cost(points=WRITE_POINTS * requests + READ_POINTS)
        case ef.EditIssue() | ef.EditComment() | ef.DispatchOrder():
            return Cost(points=WRITE_POINTS + READ_POINTS)
        case ef.CloseIssue() | ef.ReopenIssue() | ef.React() | ef.ClosePull() | ef.RevokeOrder():
            return Cost(points=WRITE_POINTS)
        case ef.WithdrawSpec():
            return Cost(points=WRITE_POINTS + READ_POINTS)
        case ef.LandCandidate():
            # The pull is looked at; GraphQL is asked for an id once, and to move main.
            return Cost(points=WRITE_POINTS + 2 * READ_POINTS)
        case _:
            # Git is not counted among requests.
            return Cost()
