"""Implements the port `Answers`: GitHub's last answers, in this process and in Redis for the others.

The rule: an answer is only ever used where GitHub has just said that it still holds, so a lost or an
old one costs a whole read and nothing else. Deliberately absent: large answers.
"""

import hashlib
import threading
import zlib
from collections import OrderedDict
from datetime import timedelta

from pydantic import ValidationError

from bot.adapters.quota.redis_link import RedisLink
from bot.ports import Remembered

# An open pull or a page of comments is asked for every half minute; what nobody asks for goes.
_KEPT = timedelta(hours=2)
_KEPT_HERE_MAX = 2_000
_CHARACTERS_MAX = 500_000


class EtagCache:
    """Safe for many threads; a Redis that is away leaves each process with its own."""

    def __init__(self, link: RedisLink) -> None:
        self._link = link
        self._lock = threading.Lock()
        self._here: OrderedDict[str, Remembered] = OrderedDict()

    def get(self, question: str) -> Remembered | None:
        """The last answer to exactly this."""
        key = _key(question)
        with self._lock:
            found = self._here.get(key)
        if found is not None:
            return found
        packed = self._link.ask(lambda redis: redis.get(key))
        return _unpacked(packed) if isinstance(packed, bytes) else None

    def put(self, question: str, answer: Remembered) -> None:
        """Remember it, unless it is large."""
        if len(answer.body) > _CHARACTERS_MAX:
            return
        key = _key(question)
        with self._lock:
            self._here[key] = answer
            self._here.move_to_end(key)
            while len(self._here) > _KEPT_HERE_MAX:
                self._here.popitem(last=False)
        packed = zlib.compress(answer.model_dump_json().encode(), level=1)
        self._link.ask(lambda redis: redis.set(key, packed, ex=_KEPT))


def _key(question: str) -> str:
    return f"headgate:answer:{hashlib.sha256(question.encode()).hexdigest()}"


def _unpacked(packed: bytes) -> Remembered | None:
    try:
        return Remembered.model_validate_json(zlib.decompress(packed))
    except (zlib.error, ValidationError):
        return None
