"""Counts what an installation has spent at GitHub, for all workers together.

Redis is read and written in one transaction (WATCH), so that two workers never spend the same points;
the core computes what may be spent. While Redis is down each process counts its own spending, which
may allow too much for a moment and blocks no work.
"""

import contextlib
import threading
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import cast

import redis
from pydantic import TypeAdapter, ValidationError

from bot.adapters.quota.redis_link import RedisLink
from bot.core.state.rate_limits import (
    HOUR,
    REQUESTS_AT_ONCE,
    Priority,
    Spending,
    left,
    still_counted,
    wait_for,
)
from bot.core.values.github_cost import Cost

_SPENT = TypeAdapter(tuple[Spending, ...])

# The slot of a worker that died is free after this long.
_SLOT_SECONDS = 600

# After this many transactions that collided with another worker's, the caller comes back later.
_TRIES = 20
_CONTENDED_WAIT = timedelta(seconds=1)


class _Verdict:
    """A wait that Redis decided; a class of its own, because None means that Redis is down."""

    def __init__(self, wait: timedelta | None) -> None:
        self.wait = wait


class _Found:
    """A value of Redis; a class of its own, because None means that Redis is down."""

    def __init__(self, raw: object) -> None:
        self.raw = cast("bytes | None", raw)


class SharedBudget:
    """Implements the port `Budget`; safe for many threads and processes."""

    def __init__(self, link: RedisLink) -> None:
        self._link = link
        self._lock = threading.Lock()
        self._here: dict[str, tuple[Spending, ...]] = {}

    def spend(self, whom: str, cost: Cost, priority: Priority, now: datetime) -> timedelta | None:
        one = Spending(at=now, cost=cost)
        verdict = self._link.ask(lambda client: _spend_there(client, whom, one, priority))
        with self._lock:
            known = still_counted(self._here.get(whom, ()), now)
            wait = verdict.wait if verdict else wait_for(known, cost, priority, now)
            self._here[whom] = known if wait is not None else (*known, one)
        return wait

    def wait(self, whom: str, cost: Cost, priority: Priority, now: datetime) -> timedelta | None:
        raw = self._link.ask(lambda client: _Found(client.get(_key(whom))))
        with self._lock:
            known = _read(raw.raw) if raw else self._here.get(whom, ())
        return wait_for(known, cost, priority, now)

    def left(self, whom: str, now: datetime) -> dict[str, int]:
        raw = self._link.ask(lambda client: _Found(client.get(_key(whom))))
        with self._lock:
            return left(_read(raw.raw) if raw else self._here.get(whom, ()), now)

    def count(self, whom: str, cost: Cost, now: datetime) -> None:
        """Adds the cost even where the budget is exhausted."""
        one = Spending(at=now, cost=cost)
        self._link.ask(lambda client: _spend_there(client, whom, one, None))
        with self._lock:
            self._here[whom] = (*still_counted(self._here.get(whom, ()), now), one)

    def acquire_slot(self, whom: str, holder: str, now: datetime) -> bool:
        """Taking a slot twice is the same as once."""

        def take(client: redis.Redis) -> bool:
            key = f"headgate:seats:{whom}"
            client.zremrangebyscore(key, "-inf", now.timestamp() - _SLOT_SECONDS)
            client.zremrangebyscore(key, now.timestamp() + _SLOT_SECONDS, "+inf")
            client.zadd(key, {holder: now.timestamp()})
            client.expire(key, _SLOT_SECONDS)
            if client.zcard(key) <= REQUESTS_AT_ONCE:
                return True
            client.zrem(key, holder)
            return False

        return self._link.ask(take) is not False

    def release_slot(self, whom: str, holder: str) -> None:
        self._link.ask(lambda client: client.zrem(f"headgate:seats:{whom}", holder))


def _key(whom: str) -> str:
    return f"headgate:spent:{whom}"


def _spend_there(
    client: redis.Redis, whom: str, one: Spending, priority: Priority | None
) -> _Verdict:
    """Spend for a priority; without a priority the cost was paid before and is only counted."""
    key = _key(whom)
    with client.pipeline() as pipe:
        for _ in range(_TRIES):
            pipe.watch(key)  # type: ignore[no-untyped-call]
            known = still_counted(_read(cast("bytes | None", pipe.get(key))), one.at)
            wait = None if priority is None else wait_for(known, one.cost, priority, one.at)
            if wait is not None:
                return _Verdict(wait)
            pipe.multi()
            pipe.set(key, _SPENT.dump_json((*known, one)), ex=HOUR)
            with contextlib.suppress(redis.WatchError):
                pipe.execute()
                return _Verdict(None)
    return _Verdict(_CONTENDED_WAIT)


def _read(raw: bytes | None) -> Sequence[Spending]:
    try:
        return _SPENT.validate_json(raw) if raw else ()
    except ValidationError:
        return ()
