"""The faults of one day, drawn from its seed.

Each fault is something that GitHub, networks, machines or people do, and is written to the day's log.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass

from bot.localhub.faults import WEBHOOK, Fault, FaultKind
from tests.testkit.crash import CrashPoint, Side
from tests.testkit.house import House

REPOSITORY = "/repos/team/shop/*"
PUSHES = "*/git-receive-pack"
GRAPHQL = "/api/graphql"
# Every kind of create that a day needs, but for pushes and landings.
CREATES = (
    "*/issues",
    "*/sub_issues",
    "*/blocked_by",
    "*/issues/*/comments",
    "*/reactions",
    "*/pulls",
    "*/check-runs",
    "*/dispatches",
)
# Requests whose answers can be spoilt on the way.
_ANSWERS = [
    *((method, REPOSITORY) for method in ("POST", "PATCH", "GET")),
    ("POST", GRAPHQL),
    ("POST", PUSHES),
]

# The approximate number of requests of a day without faults, among which faults are planted.
_WRITES, _READS, _PUSHES, _DELIVERIES = 70, 80, 14, 90


@dataclass(frozen=True)
class Odds:
    """Probabilities, most of them at each crash point of a worker."""

    crash: float
    rival: float
    push: float
    ring_lost: float
    runner_crash: float
    pushes_max: int
    comments_max: int

    @classmethod
    def draw(cls, rng: random.Random) -> "Odds":
        """Zeroes are likely, so that many days have few kinds of faults."""
        return cls(
            crash=rng.choice([0, 0.005, 0.02, 0.05]),
            rival=rng.choice([0, 0.005, 0.02]),
            push=rng.choice([0, 0.005, 0.02]),
            ring_lost=rng.choice([0, 0.1, 0.4]),
            runner_crash=rng.choice([0, 0.03, 0.1]),
            pushes_max=rng.choice([0, 0, 1, 2]),
            comments_max=rng.choice([0, 1, 2]),
        )


def plant_faults(story: House, rng: random.Random, seed: int) -> list[str]:
    """Plant faults of requests and webhooks; returns them as lines for the log.

    Each rare fault has its turn, so that a few days in a row have them all.
    """
    first = _RARE_FAULTS[seed % len(_RARE_FAULTS)]
    others = [one for one in _RARE_FAULTS if one is not first]
    drawn = [make(rng) for make in (first, *rng.sample(others, rng.randrange(0, 4)))]
    faults = [*_request_faults(rng), *_webhook_faults(rng), *drawn]
    for fault in faults:
        story.hub.faults.add(fault)
    return [
        f"{f.kind} {f.method} {f.path_glob} number {f.nth} ({f.times} times, status {f.status})"
        for f in faults
    ]


def _request_faults(rng: random.Random) -> list[Fault]:
    found = []
    for _ in range(rng.randrange(0, 5)):
        method, total = rng.choice([("POST", _WRITES), ("PATCH", _WRITES // 2), ("GET", _READS)])
        found.append(
            Fault(
                kind=rng.choice([FaultKind.LOSE_ANSWER, FaultKind.REFUSE_BEFORE]),
                method=method,
                path_glob=REPOSITORY,
                nth=rng.randrange(1, total),
                times=rng.choice([1, 1, 2, 5]),
                status=rng.choice([500, 502, 503]),
            )
        )
    for _ in range(rng.randrange(0, 3)):
        kind = rng.choice([FaultKind.LOSE_ANSWER, FaultKind.REFUSE_BEFORE])
        found.append(
            Fault(kind=kind, method="POST", path_glob=PUSHES, nth=rng.randrange(1, _PUSHES))
        )
    if rng.random() < 0.3:
        kind = rng.choice([FaultKind.LOSE_ANSWER, FaultKind.REFUSE_BEFORE])
        status = rng.choice([404, 502])
        found.append(Fault(kind=kind, path_glob=GRAPHQL, nth=rng.randrange(1, 4), status=status))
    if rng.random() < 0.3:
        found.append(
            Fault(
                kind=FaultKind.REFUSE_BEFORE,
                method=rng.choice(["POST", "GET"]),
                path_glob=REPOSITORY,
                nth=rng.randrange(1, _WRITES),
                status=rng.choice([403, 429]),
                message="You have exceeded a secondary rate limit.",
                retry_after_seconds=rng.choice([None, 1, 60, 300]),
            )
        )
    return found


def _webhook_faults(rng: random.Random) -> list[Fault]:
    if rng.random() < 0.15:
        return [Fault(kind=FaultKind.DROP, method=WEBHOOK, times=10_000)]
    kinds = [FaultKind.DROP, FaultKind.DROP, FaultKind.DOUBLE, FaultKind.REORDER, FaultKind.DELAY]
    return [
        Fault(
            kind=rng.choice(kinds),
            method=WEBHOOK,
            nth=rng.randrange(1, _DELIVERIES),
            times=rng.choice([1, 1, 3]),
            delay_seconds=0.05,
        )
        for _ in range(rng.randrange(0, 8))
    ]


def _secondary_limit(rng: random.Random) -> Fault:
    return Fault(
        kind=FaultKind.SECONDARY_LIMIT,
        method=rng.choice(["POST", "PATCH", "GET"]),
        path_glob=REPOSITORY,
        # Early: a short day has few requests of a kind.
        nth=1 + rng.randrange(1, 15) // 3,
        times=rng.choice([1, 3]),
        retry_after_seconds=rng.choice([None, 1, 60]),
    )


def _timeout(rng: random.Random) -> Fault:
    method = rng.choice(["POST", "GET"])
    return Fault(
        kind=FaultKind.TIME_OUT,
        method=method,
        path_glob=REPOSITORY,
        nth=rng.randrange(1, 20),
        delay_seconds=0.05,
    )


def _lost_dispatch(rng: random.Random) -> Fault:
    return Fault(kind=FaultKind.LOSE_DISPATCH, nth=rng.randrange(1, 4))


def _delay(rng: random.Random) -> Fault:
    return Fault(
        kind=FaultKind.DELAY,
        path_glob=REPOSITORY,
        nth=rng.randrange(1, 40),
        times=3,
        delay_seconds=0.05,
    )


def _conflict(rng: random.Random) -> Fault:
    """GitHub's answer to concurrent requests."""
    return _refused_create(rng, 409, "Conflict")


def _too_early(rng: random.Random) -> Fault:
    """GitHub's answer about things created just before."""
    return _refused_create(rng, 422, "Validation Failed")


def _refused_create(rng: random.Random, status: int, message: str) -> Fault:
    return Fault(
        kind=FaultKind.REFUSE_BEFORE,
        method="POST",
        path_glob=rng.choice(["*/pulls", "*/check-runs", "*/sub_issues", "*/dispatches"]),
        nth=1 + rng.randrange(1, 4) // 3,
        status=status,
        message=message,
    )


def _rewound_main(rng: random.Random) -> Fault:
    return Fault(
        kind=FaultKind.REWIND,
        method="POST",
        path_glob=PUSHES,
        nth=1 + rng.randrange(1, 10) // 3,
        commits=rng.choice([1, 2]),
        repository="team/shop",
    )


def _push_on_main(rng: random.Random) -> Fault:
    return _concurrent_push(rng, "")


def _push_on_a_change(rng: random.Random) -> Fault:
    return _concurrent_push(rng, "headgate/*")


def _concurrent_push(rng: random.Random, branch: str) -> Fault:
    """During one of our requests."""
    number = rng.randrange(1_000)
    return Fault(
        kind=FaultKind.PUSH,
        method="POST",
        path_glob=rng.choice([PUSHES, "*/check-runs", "*/pulls"]),
        nth=rng.randrange(1, 4),
        branch=branch,
        file=f"pushed-{number}.md",
        repository="team/shop",
    )


def _clock_drift(rng: random.Random) -> Fault:
    return Fault(
        kind=FaultKind.DRIFT,
        method="POST",
        nth=rng.randrange(1, 20),
        drift_seconds=rng.choice([-45, -10, 20, 45]),
    )


def _truncated(rng: random.Random) -> Fault:
    method, path = rng.choice(_ANSWERS)
    return Fault(
        kind=FaultKind.TRUNCATE,
        method=method,
        path_glob=path,
        nth=rng.randrange(1, 8),
        times=rng.choice([1, 3]),
    )


def _page(rng: random.Random) -> Fault:
    method, path = rng.choice(_ANSWERS)
    return Fault(
        kind=FaultKind.PAGE,
        method=method,
        path_glob=path,
        nth=rng.randrange(1, 8),
        times=rng.choice([1, 3]),
    )


def _lagging_list(rng: random.Random) -> Fault:
    """A replica that is behind by less than what we wait before we look."""
    return Fault(
        kind=FaultKind.LAG,
        method="GET",
        path_glob=rng.choice(["*/issues", "*/comments", "*/check-runs", "*/runs", "*/pulls"]),
        nth=rng.randrange(1, 10),
        times=rng.choice([1, 5]),
        delay_seconds=2.5,
    )


# Each day draws one to four of these.
_RARE_FAULTS: list[Callable[[random.Random], Fault]] = [
    _truncated,
    _page,
    _lagging_list,
    _secondary_limit,
    _timeout,
    _lost_dispatch,
    _delay,
    _conflict,
    _too_early,
    _rewound_main,
    _push_on_main,
    _push_on_a_change,
    _clock_drift,
]

# The points between the renewal of the lease and the answer to a create.
_BEFORE_ANSWER = {("renew",), ("place",)}


def lease_may_expire_at(point: CrashPoint) -> bool:
    """Whether the lease can expire here without a create being sent twice.

    Between the renewal of the lease and the answer to a create it cannot be known whether the create
    was done, because GitHub has no idempotency keys. A real lease lasts far longer than that.
    """
    if point.side is Side.AFTER:
        return point.names not in _BEFORE_ANSWER
    is_append = any(" " in name or name[:1].isupper() for name in point.names)
    return is_append or point.names in {("acquire",), ("renew",)}
