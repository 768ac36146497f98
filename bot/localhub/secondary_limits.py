"""The secondary rate limits, by the hub's clock: points, content and concurrent requests.

GitHub, "Rate limits for the REST API": no more than 900 points a minute for an endpoint (2,000 for
GraphQL), 80 requests a minute and 500 an hour that create content, 100 concurrent requests. A
refused request costs nothing here. The limit of CPU time is not imitated.
"""

import math
from collections import defaultdict, deque
from dataclasses import dataclass

from bot.localhub.errors import ApiError
from bot.localhub.model import Actor
from bot.localhub.state import State

MESSAGE = (
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
)

MINUTE_SECONDS = 60.0
HOUR_SECONDS = 3600.0
POINTS_A_MINUTE = 900
GRAPHQL_POINTS_A_MINUTE = 2000
CONTENT_A_MINUTE = 80
CONTENT_AN_HOUR = 500
AT_ONCE = 100

READ_POINTS = 1
WRITE_POINTS = 5

# Operations of which GitHub's description says that they trigger notifications, and that creating
# content too quickly may exceed a secondary limit.
CREATES_CONTENT = frozenset(
    {
        "commit_comments.add_commit_comment",
        "comments.add_comment",
        "issues.open_issue",
        "pulls.create_review",
        "pulls.merge_pull",
        "pulls.open_pull",
        "relations.add_blocked_by",
        "relations.add_sub_issue",
        "relations.remove_blocked_by",
        "relations.remove_sub_issue",
        "review_comments.add_review_comment",
        "review_comments.reply_to_review_comment",
    }
)


class TooFast(ApiError):
    def __init__(self, retry_after_seconds: int) -> None:
        super().__init__(403, MESSAGE)
        self.retry_after_seconds = retry_after_seconds


@dataclass(frozen=True)
class Spending:
    endpoint: str
    points: int
    creates_content: bool
    points_a_minute: int = POINTS_A_MINUTE


class _Window:
    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._spent: deque[tuple[float, int]] = deque()
        self._sum = 0

    def wait_seconds(self, now: float, cost: int, limit: int) -> float:
        """How long until this amount fits; 0 if it does now."""
        while self._spent and self._spent[0][0] <= now - self._seconds:
            self._sum -= self._spent.popleft()[1]
        excess = self._sum + cost - limit
        for moment, spent in self._spent:
            if excess <= 0:
                return 0.0
            excess -= spent
            if excess <= 0:
                return moment + self._seconds - now
        return 0.0 if excess <= 0 else self._seconds

    def spend(self, now: float, cost: int) -> None:
        self._spent.append((now, cost))
        self._sum += cost


class SecondaryLimits:
    """Counts per caller. In force until they are lifted."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._are_lifted = False
        self._points: dict[tuple[str, str], _Window] = defaultdict(lambda: _Window(MINUTE_SECONDS))
        self._by_minute: dict[str, _Window] = defaultdict(lambda: _Window(MINUTE_SECONDS))
        self._by_hour: dict[str, _Window] = defaultdict(lambda: _Window(HOUR_SECONDS))
        self._at_once: dict[str, int] = defaultdict(int)

    def lift(self) -> None:
        """Stop counting, for tests of other things that run faster than real time."""
        self._are_lifted = True

    def spend(self, actor: Actor, spending: Spending) -> None:
        """Count a request; raises `TooFast` if it exceeds a limit."""
        if self._are_lifted:
            return
        with self._state.lock:
            now, who = self._state.now().timestamp(), caller(actor)
            points = self._points[who, spending.endpoint]
            waits = [points.wait_seconds(now, spending.points, spending.points_a_minute)]
            if spending.creates_content:
                waits.append(self._by_minute[who].wait_seconds(now, 1, CONTENT_A_MINUTE))
                waits.append(self._by_hour[who].wait_seconds(now, 1, CONTENT_AN_HOUR))
            longest = max(waits)
            if longest > 0:
                raise TooFast(max(1, math.ceil(longest)))
            points.spend(now, spending.points)
            if spending.creates_content:
                self._by_minute[who].spend(now, 1)
                self._by_hour[who].spend(now, 1)

    def enter(self, actor: Actor) -> None:
        """A request of this caller has begun; raises `TooFast` if too many are in progress."""
        with self._state.lock:
            who = caller(actor)
            if self._at_once[who] >= AT_ONCE and not self._are_lifted:
                raise TooFast(int(MINUTE_SECONDS))
            self._at_once[who] += 1

    def leave(self, actor: Actor) -> None:
        with self._state.lock:
            self._at_once[caller(actor)] -= 1


def caller(actor: Actor) -> str:
    """Whose requests are counted together: an installation's, a user's, a job's, an address'."""
    if actor.installation is not None:
        return f"installation {actor.installation.id}"
    if actor.account is not None:
        return f"account {actor.account.id} {actor.kind}"
    return "127.0.0.1"
