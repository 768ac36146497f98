"""Keeps GitHub's last responses in this process and in Redis, for conditional requests.

A cached response is used only after GitHub has answered 304, so a lost or old entry costs a full read
and nothing else.
"""

import hashlib
import threading
import zlib
from collections import OrderedDict
from datetime import timedelta

from pydantic import ValidationError

from bot.adapters.quota.redis_link import RedisLink
from bot.ports import CachedResponse

# An open pull is read every half minute; an entry that is not read for this long expires.
_KEPT = timedelta(hours=2)
_KEPT_HERE_MAX = 2_000
_CHARACTERS_MAX = 500_000


class EtagCache:
    """Safe for many threads; without Redis each process has a cache of its own."""

    def __init__(self, link: RedisLink) -> None:
        self._link = link
        self._lock = threading.Lock()
        self._here: OrderedDict[str, CachedResponse] = OrderedDict()

    def get(self, request: str) -> CachedResponse | None:
        key = _key(request)
        with self._lock:
            found = self._here.get(key)
        if found is not None:
            return found
        packed = self._link.ask(lambda redis: redis.get(key))
        return _unpacked(packed) if isinstance(packed, bytes) else None

    def put(self, request: str, response: CachedResponse) -> None:
        """Large responses are not kept."""
        if len(response.body) > _CHARACTERS_MAX:
            return
        key = _key(request)
        with self._lock:
            self._here[key] = response
            self._here.move_to_end(key)
            while len(self._here) > _KEPT_HERE_MAX:
                self._here.popitem(last=False)
        packed = zlib.compress(response.model_dump_json().encode(), level=1)
        self._link.ask(lambda redis: redis.set(key, packed, ex=_KEPT))


def _key(request: str) -> str:
    return f"headgate:answer:{hashlib.sha256(request.encode()).hexdigest()}"


def _unpacked(packed: bytes) -> CachedResponse | None:
    try:
        return CachedResponse.model_validate_json(zlib.decompress(packed))
    except (zlib.error, ValidationError):
        return None
