"""The doorbell on RQ: a nudge with an id, whose loss costs time and nothing else (law 11).

Rings for one repository, and those for deliveries, coalesce while a job waits; the mark is cleared
when the job begins, and runs out by itself should the job be lost. A job for a delivery reads all
that nobody has read. Deliberately absent: results, retries, unique job ids.
"""

import redis
from rq import Queue
from rq.serializers import JSONSerializer

from bot.core.values.ids import EffectKey, RepositoryId

QUEUE_NAME = "headgate"

# A lost job holds further nudges back this long at most; the sweep rings in the meantime.
_WAITING_SECONDS = 3

# Answers of a dead Redis must not hold a webhook up.
_TIMEOUT_SECONDS = 0.5


# The mark that a job which reads deliveries is in the queue.
_UNREAD_KEY = "headgate:waiting:deliveries"


def connect(url: str) -> redis.Redis:
    """A connection that gives up quickly."""
    return redis.Redis.from_url(
        url, socket_connect_timeout=_TIMEOUT_SECONDS, socket_timeout=_TIMEOUT_SECONDS
    )


def waiting_key(repository: RepositoryId) -> str:
    """The mark that a reconcile job for the repository is in the queue."""
    return f"headgate:waiting:{repository}"


class RedisDoorbell:
    """Implements the port `Doorbell`."""

    def __init__(self, url: str) -> None:
        self._redis = connect(url)
        self._queue = Queue(QUEUE_NAME, connection=self._redis, serializer=JSONSerializer)

    def ring_delivery(self, delivery_id: str) -> None:
        """Nudge a worker to read a delivery, unless one is about to read all."""
        if self._is_first(_UNREAD_KEY):
            self._enqueue("bot.entry.worker.digest", delivery_id)

    def ring_repository(self, repository: RepositoryId) -> None:
        """Nudge a worker to reconcile a repository, unless one is about to."""
        if self._is_first(waiting_key(repository)):
            self._enqueue("bot.entry.worker.reconcile", int(repository))

    def clear(self, repository: RepositoryId) -> None:
        """The job has begun: whoever rings now wants another."""
        self._forget(waiting_key(repository))

    def ring_prompt(self, repository: RepositoryId, effect: EffectKey) -> None:
        """Nudge a worker to ask a model; a question that somebody is asking is not asked again."""
        self._enqueue("bot.entry.worker.ask_model", int(repository), effect)

    def clear_deliveries(self) -> None:
        """The reading has begun: whoever rings now may have come too late for it."""
        self._forget(_UNREAD_KEY)

    def _is_first(self, key: str) -> bool:
        try:
            return bool(self._redis.set(key, "1", nx=True, ex=_WAITING_SECONDS))
        except redis.RedisError:
            return False

    def _forget(self, key: str) -> None:
        try:
            self._redis.delete(key)
        except redis.RedisError:
            return

    def _enqueue(self, function: str, *arguments: str | int) -> None:
        try:
            self._queue.enqueue(function, *arguments, result_ttl=0, failure_ttl=60)
        except redis.RedisError:
            return


def connect_worker(url: str) -> redis.Redis:
    """A connection for a worker, which waits for jobs longer than a nudge may take."""
    return redis.Redis.from_url(url)
