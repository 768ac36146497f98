"""The doorbell on a real server: rings coalesce, and a dead server is silent and soon given up."""

import json
import socket
import time
from collections.abc import Iterator

import pytest
import redis
from rq import Queue
from rq.serializers import JSONSerializer

from bot.adapters.doorbell.redis_queue import QUEUE_NAME, RedisDoorbell, connect, waiting_key
from bot.core.values.wanted_reading import Reading, ReadingKind
from bot.entry.jobs import Jobs
from bot.entry.rq_worker import QUEUES
from tests.adapters_store.kit import OTHER, REPOSITORY
from tests.testkit.valkey import valkey

# Two commands at half a second each, and what a busy machine takes.
_SOON_SECONDS = 3


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The URL of a server of our own."""
    with valkey() as url:
        yield url


@pytest.fixture
def client(server: str) -> Iterator[redis.Redis]:
    connection = connect(server)
    connection.flushall()
    yield connection
    connection.close()


def _jobs(client: redis.Redis) -> list[tuple[str | None, tuple[object, ...]]]:
    queue = Queue(QUEUE_NAME, connection=client, serializer=JSONSerializer)
    return [(job.func_name, tuple(job.args)) for job in queue.jobs]


def test_several_rings_for_a_repository_make_one_waiting_job(
    server: str, client: redis.Redis
) -> None:
    bell = RedisDoorbell(server)
    for _ in range(5):
        bell.ring_repository(REPOSITORY)
    bell.ring_repository(OTHER)
    job = "bot.entry.worker.reconcile"
    assert _jobs(client) == [(job, (REPOSITORY,)), (job, (OTHER,))]
    bell.clear(REPOSITORY)
    bell.ring_repository(REPOSITORY)
    assert len(_jobs(client)) == 3


def test_the_mark_of_a_lost_job_expires(server: str, client: redis.Redis) -> None:
    RedisDoorbell(server).ring_repository(REPOSITORY)
    left = client.ttl(waiting_key(REPOSITORY))
    assert isinstance(left, int)
    assert 0 < left <= 3


def test_several_deliveries_make_one_waiting_job(server: str, client: redis.Redis) -> None:
    bell = RedisDoorbell(server)
    bell.ring_delivery("g1")
    bell.ring_delivery("g2")
    assert _jobs(client) == [("bot.entry.worker.digest", ("g1",))]
    bell.clear_deliveries()
    bell.ring_delivery("g3")
    assert len(_jobs(client)) == 2


def test_jobs_are_json_and_not_pickles(server: str, client: redis.Redis) -> None:
    RedisDoorbell(server).ring_delivery("g1")
    queue = Queue(QUEUE_NAME, connection=client, serializer=JSONSerializer)
    assert json.loads(queue.jobs[0].data)[2] == ["g1"]


def test_parsing_of_untrusted_texts_has_its_own_queue(server: str, client: redis.Redis) -> None:
    bell = RedisDoorbell(server)
    bell.ring_reading(REPOSITORY, Reading(kind=ReadingKind.PULL, number=7, is_strangers=True))
    bell.ring_reading(REPOSITORY, Reading(kind=ReadingKind.PULL, number=8))
    bell.ring_reading(REPOSITORY, Reading(kind=ReadingKind.SPEC, path="specs/x.md", commit="c"))
    for jobs in (Jobs.READINGS, Jobs.ALL):
        queues = [Queue(one, connection=client, serializer=JSONSerializer) for one in QUEUES[jobs]]
        found = [Reading.model_validate_json(job.args[1]) for one in queues for job in one.jobs]
        assert [(one.number, one.path) for one in found] == [(8, ""), (0, "specs/x.md"), (7, "")]


def _dead() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"redis://127.0.0.1:{free.getsockname()[1]}/0"


def test_a_dead_redis_server_is_given_up_quickly_without_an_error() -> None:
    bell = RedisDoorbell(_dead())
    began = time.monotonic()
    bell.ring_delivery("g1")
    bell.ring_repository(REPOSITORY)
    bell.clear(REPOSITORY)
    assert time.monotonic() - began < _SOON_SECONDS


def test_a_redis_server_that_never_answers_is_given_up_quickly() -> None:
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen(8)
        bell = RedisDoorbell(f"redis://127.0.0.1:{mute.getsockname()[1]}/0")
        began = time.monotonic()
        bell.ring_repository(REPOSITORY)
        assert time.monotonic() - began < _SOON_SECONDS
