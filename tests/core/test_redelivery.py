"""Which failed deliveries are requested again: once per interval, a few times, never a good one."""

from datetime import timedelta

import pytest

from bot.core.values.redelivery import AGAIN_AFTER, AT_ONCE_MAX, ATTEMPTS_MAX, Attempt, due_again
from tests.core.values import START as NOW

LATER = AGAIN_AFTER + timedelta(seconds=1)


def attempt(id_: int, guid: str = "a", good: bool = False, ago: float = 60) -> Attempt:
    return Attempt(id=id_, guid=guid, at=NOW - timedelta(seconds=ago), is_good=good)


@pytest.mark.parametrize(
    ("attempts", "due"),
    [
        ([], []),
        ([attempt(1)], [1]),
        ([attempt(1, good=True)], []),
        ([attempt(1), attempt(2, good=True, ago=30)], []),
        ([attempt(1), attempt(2, ago=30)], []),
        ([attempt(1, ago=700), attempt(2, ago=400)], [2]),
        ([attempt(1, ago=3_700)], []),
        ([attempt(n, ago=3_000 - n) for n in range(ATTEMPTS_MAX)], []),
        ([attempt(3, "c", ago=10), attempt(1, "a", ago=30), attempt(2, "b", True)], [1, 3]),
    ],
)
def test_failed_deliveries_are_requested_again_with_delays(
    attempts: list[Attempt], due: list[int]
) -> None:
    assert [one.id for one in due_again(attempts, {}, NOW)] == due


def test_a_late_delivery_list_does_not_request_a_delivery_twice() -> None:
    asked = {"a": NOW}
    assert due_again([attempt(1)], asked, NOW + timedelta(minutes=1)) == ()
    assert [a.id for a in due_again([attempt(1)], asked, NOW + LATER)] == [1]


def test_after_an_outage_deliveries_are_requested_in_portions_oldest_first() -> None:
    many = [attempt(n, str(n), ago=1_000 - n) for n in range(AT_ONCE_MAX + 5)]
    assert [a.id for a in due_again(reversed(many), {}, NOW)] == list(range(AT_ONCE_MAX))
