"""Links to logs that work for a minute without a token, as GitHub's do.

GitHub answers a request for a job's log with a redirect to such a link. The link is signed, so that
nothing has to be stored.
"""

import hashlib
import hmac
import secrets
from datetime import datetime

LIFE_SECONDS = 60


class LogLinks:
    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def query(self, job_id: int, now: datetime) -> str:
        expires = int(now.timestamp()) + LIFE_SECONDS
        return f"expires={expires}&signature={self._signature(job_id, expires)}"

    def is_valid(self, job_id: int, expires: str, signature: str, now: datetime) -> bool:
        if not expires.isdecimal() or int(expires) < now.timestamp():
            return False
        expected = self._signature(job_id, int(expires))
        return hmac.compare_digest(expected.encode(), signature.encode())

    def _signature(self, job_id: int, expires: int) -> str:
        return hmac.new(self._key, f"{job_id}:{expires}".encode(), hashlib.sha256).hexdigest()
