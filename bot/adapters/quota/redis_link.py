"""A Redis that may be down: callers get None then, and have another way.

After a failure Redis is not asked for a few seconds, so that a server that is down costs one timeout.
"""

import time
from collections.abc import Callable
from typing import TypeVar

import redis

_TIMEOUT_SECONDS = 0.5
_RETRY_AFTER_SECONDS = 5.0

_Found = TypeVar("_Found")


class RedisLink:
    """One connection pool; made after any fork."""

    def __init__(self, url: str) -> None:
        self._redis = redis.Redis.from_url(
            url, socket_connect_timeout=_TIMEOUT_SECONDS, socket_timeout=_TIMEOUT_SECONDS
        )
        self._down_until = 0.0

    def ask(self, what: Callable[[redis.Redis], _Found]) -> _Found | None:
        """The answer of Redis; None if it is down (or has no value)."""
        if time.monotonic() < self._down_until:
            return None
        try:
            return what(self._redis)
        except redis.RedisError:
            self._down_until = time.monotonic() + _RETRY_AFTER_SECONDS
            return None
