"""A Redis that may be away: asked through here, it answers, or None at once for a while.

The rule: nothing that depends on it may stop for it; whoever gets None has a way of its own. After a
failure it is left alone for some seconds, so that a dead server costs one time-out and not each.
"""

import time
from collections.abc import Callable
from typing import TypeVar

import redis

_TIMEOUT_SECONDS = 0.5
_LEFT_ALONE_SECONDS = 5.0

_Found = TypeVar("_Found")


class RedisLink:
    """One connection pool; made after any fork, like the process's bench."""

    def __init__(self, url: str) -> None:
        self._redis = redis.Redis.from_url(
            url, socket_connect_timeout=_TIMEOUT_SECONDS, socket_timeout=_TIMEOUT_SECONDS
        )
        self._away_until = 0.0

    def ask(self, what: Callable[[redis.Redis], _Found]) -> _Found | None:
        """What Redis answers; None where it is away (or has nothing)."""
        if time.monotonic() < self._away_until:
            return None
        try:
            return what(self._redis)
        except redis.RedisError:
            self._away_until = time.monotonic() + _LEFT_ALONE_SECONDS
            return None
