"""The doorbell on RQ. A ring may be lost, which costs time and nothing else (law 11).

While a job waits, further rings for deliveries, or for the same repository, are dropped; a mark in
Redis says so. The mark is cleared when the job begins and expires if the job is lost.
"""

import contextlib

import redis
from rq import Queue
from rq.serializers import JSONSerializer

from bot.core.values.ids import EffectKey, RepositoryId
from bot.core.values.wanted_reading import Reading

QUEUE_NAME = "headgate"
# Texts are read from a queue of their own, which comes after everything that people wait for.
READING_QUEUE_NAME = "headgate-readings"
# And strangers' texts after those, so that their pulls delay no others.
STRANGERS_QUEUE_NAME = "headgate-strangers"

# A job that takes longer is ended, and its repository waits; nobody holds a worker for longer.
JOB_SECONDS_MAX = 180
_READING_SECONDS_MAX = 60

# A lost job suppresses further rings for at most this long; the sweep rings too.
_WAITING_SECONDS = 3

# A webhook must not wait for a Redis that is down.
_TIMEOUT_SECONDS = 0.5

# The mark that a job which reads deliveries is queued.
_UNREAD_KEY = "headgate:waiting:deliveries"


def connect(url: str) -> redis.Redis:
    """A connection with short timeouts, for ringing."""
    return redis.Redis.from_url(
        url, socket_connect_timeout=_TIMEOUT_SECONDS, socket_timeout=_TIMEOUT_SECONDS
    )


def waiting_key(repository: RepositoryId) -> str:
    return f"headgate:waiting:{repository}"


def _reading_key(repository: RepositoryId, reading: Reading) -> str:
    return f"{waiting_key(repository)}:{reading.model_dump_json()}"


class RedisDoorbell:
    def __init__(self, url: str) -> None:
        self._redis = connect(url)
        self._queue = Queue(QUEUE_NAME, connection=self._redis, serializer=JSONSerializer)
        self._readings = Queue(
            READING_QUEUE_NAME, connection=self._redis, serializer=JSONSerializer
        )
        self._strangers = Queue(
            STRANGERS_QUEUE_NAME, connection=self._redis, serializer=JSONSerializer
        )

    def ring_delivery(self, delivery_id: str) -> None:
        """One job reads all unread deliveries, so a second one is not queued."""
        if self._is_first(_UNREAD_KEY):
            self._enqueue("bot.entry.worker.digest", delivery_id)

    def ring_repository(self, repository: RepositoryId) -> None:
        if self._is_first(waiting_key(repository)):
            self._enqueue("bot.entry.worker.reconcile", int(repository))

    def clear(self, repository: RepositoryId) -> None:
        """Called when the job begins: a ring from now on queues another."""
        self._forget(waiting_key(repository))

    def ring_prompt(self, repository: RepositoryId, effect: EffectKey) -> None:
        """Not coalesced: a claim keeps a prompt from being sent twice."""
        self._enqueue("bot.entry.worker.ask_model", int(repository), effect)

    def ring_reading(self, repository: RepositoryId, reading: Reading) -> None:
        """While a job for it waits, or has just begun, another one is not queued."""
        if self._is_first(_reading_key(repository, reading)):
            queue = self._strangers if reading.is_strangers else self._readings
            asked = reading.model_dump_json(exclude_defaults=True)
            self._enqueue_reading(queue, "bot.entry.worker.read", int(repository), asked)

    def clear_reading(self, repository: RepositoryId, reading: Reading) -> None:
        self._forget(_reading_key(repository, reading))

    def ring_self_test(self, repository: RepositoryId, effect: EffectKey) -> None:
        """Not coalesced: the worker that begins one keeps others from beginning it."""
        job = "bot.entry.worker.self_test"
        self._enqueue_reading(self._readings, job, int(repository), effect)

    def clear_deliveries(self) -> None:
        """Called when the job begins: it may miss a delivery that is rung for from now on."""
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

    def _enqueue_reading(self, queue: Queue, function: str, *arguments: str | int) -> None:
        with contextlib.suppress(redis.RedisError):
            queue.enqueue(
                function,
                *arguments,
                job_timeout=_READING_SECONDS_MAX,
                result_ttl=0,
                failure_ttl=60,
            )

    def _enqueue(self, function: str, *arguments: str | int) -> None:
        try:
            self._queue.enqueue(
                function, *arguments, job_timeout=JOB_SECONDS_MAX, result_ttl=0, failure_ttl=60
            )
        except redis.RedisError:
            return


def connect_worker(url: str) -> redis.Redis:
    """A connection without the short timeouts, because a worker blocks while it waits for jobs."""
    return redis.Redis.from_url(url)
