"""The budget and the response cache, with Redis and without."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import redis

from bot.adapters.quota.budget import SharedBudget
from bot.adapters.quota.etag_cache import EtagCache
from bot.adapters.quota.redis_link import RedisLink
from bot.core.state.rate_limits import Priority
from bot.core.values.github_cost import Cost
from bot.ports import CachedResponse
from tests.testkit.valkey import valkey

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
CREATE = Cost(content=1, points=6)
NOBODY = "redis://127.0.0.1:1/0"
ANSWER = CachedResponse(etag='W/"1"', link="", body="[1]")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The URL of a Valkey of these tests."""
    with valkey() as url:
        yield url


@pytest.fixture
def url(server: str) -> str:
    """The server, empty."""
    with redis.Redis.from_url(server) as client:
        client.flushall()
    return server


def test_workers_share_one_budget(url: str) -> None:
    workers = [SharedBudget(RedisLink(url)) for _ in range(4)]
    granted: list[bool] = []

    def spend(budget: SharedBudget) -> None:
        for _ in range(30):
            wait = budget.spend("installation 1", CREATE, Priority.LANDING, NOW)
            granted.append(wait is None)

    threads = [threading.Thread(target=spend, args=(one,)) for one in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert granted.count(True) == 80
    later = NOW + timedelta(seconds=62)
    assert workers[0].spend("installation 1", CREATE, Priority.PROGRESS, later) is None
    assert workers[0].spend("installation 2", CREATE, Priority.PROGRESS, NOW) is None


def test_without_redis_each_process_counts_its_own_requests() -> None:
    budget = SharedBudget(RedisLink(NOBODY))
    waits = [budget.spend("a", CREATE, Priority.PROGRESS, NOW) for _ in range(75)]
    assert waits[:74] == [None] * 74
    assert waits[74] == timedelta(seconds=61)
    assert budget.acquire_slot("a", "worker", NOW)


@pytest.mark.parametrize("has_server", [True, False])
def test_counted_reads_reduce_the_budget_of_the_next_caller(url: str, has_server: bool) -> None:
    budget = SharedBudget(RedisLink(url if has_server else NOBODY))
    read = Cost(points=1, requests=1)
    assert budget.wait("a", read, Priority.SWEEP, NOW) is None

    budget.count("a", Cost(points=890, requests=890), NOW)
    budget.count("a", Cost(points=20, requests=20), NOW)

    assert budget.wait("a", read, Priority.LANDING, NOW) == timedelta(seconds=61)
    assert budget.spend("a", CREATE, Priority.LANDING, NOW) == timedelta(seconds=61)
    assert budget.wait("b", read, Priority.SWEEP, NOW) is None


def test_spending_from_before_an_outage_of_redis_still_counts(url: str) -> None:
    link = RedisLink(url)
    budget = SharedBudget(link)
    for _ in range(80):
        assert budget.spend("a", CREATE, Priority.LANDING, NOW) is None
    link.ask(lambda client: client.set("text", "x"))
    link.ask(lambda client: client.incr("text"))
    assert budget.spend("a", CREATE, Priority.LANDING, NOW) is not None


def test_a_hundred_workers_get_a_slot_and_the_next_does_not(url: str) -> None:
    budget = SharedBudget(RedisLink(url))
    assert all(budget.acquire_slot("a", f"worker {n}", NOW) for n in range(100))
    assert budget.acquire_slot("a", "worker 1", NOW)
    assert not budget.acquire_slot("a", "one more", NOW)
    budget.release_slot("a", "worker 1")
    assert budget.acquire_slot("a", "one more", NOW)
    assert budget.acquire_slot("b", "worker 1", NOW)
    long_after = NOW + timedelta(minutes=11)
    assert budget.acquire_slot("a", "after the dead", long_after)


def test_slots_taken_with_a_wrong_clock_are_free_once_it_is_right(url: str) -> None:
    budget = SharedBudget(RedisLink(url))
    ahead = NOW + timedelta(days=365)
    assert all(budget.acquire_slot("a", f"worker {n}", ahead) for n in range(100))
    assert budget.acquire_slot("a", "one more", NOW)


def test_a_cached_response_is_shared_by_processes(url: str) -> None:
    EtagCache(RedisLink(url)).put("GET /x", ANSWER)
    other = EtagCache(RedisLink(url))
    assert other.get("GET /x") == ANSWER
    assert other.get("GET /y") is None


def test_without_redis_a_response_is_cached_in_its_process() -> None:
    kept = EtagCache(RedisLink(NOBODY))
    kept.put("GET /x", ANSWER)
    assert kept.get("GET /x") == ANSWER


def test_a_damaged_cache_entry_is_none(url: str) -> None:
    kept = EtagCache(RedisLink(url))
    kept.put("GET /x", ANSWER)
    with redis.Redis.from_url(url) as client:
        for key in client.keys("headgate:answer:*"):
            client.set(key, b"rubbish")
    assert EtagCache(RedisLink(url)).get("GET /x") is None
