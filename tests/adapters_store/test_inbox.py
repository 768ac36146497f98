"""The inbox in SQL: every delivery is stored once, even if it arrives several times."""

import functools
from collections.abc import Callable

import sqlalchemy as sa

from bot.adapters.store.inbox import SqlInbox
from bot.adapters.store.tables import inbox_metadata
from bot.ports import Delivery
from tests.adapters_store.kit import NOW, later
from tests.adapters_store.racing import race

Engines = Callable[[], sa.Engine]


def _delivery(id_: str = "g1", body: bytes = b'{"a": "\xc3\xbc"}\x00') -> Delivery:
    return Delivery(id=id_, event="push", body=body)


def test_a_delivery_is_kept_byte_for_byte(inboxes: Engines) -> None:
    inbox = SqlInbox(inboxes())
    assert inbox.put(_delivery(), NOW)
    assert SqlInbox(inboxes()).get("g1") == _delivery()
    assert inbox.get("g2") is None


def test_the_same_delivery_again_is_known_and_the_first_one_stays(inboxes: Engines) -> None:
    inbox = SqlInbox(inboxes())
    assert inbox.put(_delivery(), NOW)
    assert not inbox.put(_delivery(body=b"{}"), later(1))
    assert inbox.get("g1") == _delivery()


def test_only_one_of_many_concurrent_deliveries_is_new(inboxes: Engines) -> None:
    racers = [functools.partial(SqlInbox(inboxes()).put, _delivery(), NOW) for _ in range(8)]
    assert sorted(race(racers)) == [False] * 7 + [True]


def test_all_of_many_different_concurrent_deliveries_are_kept(inboxes: Engines) -> None:
    racers = [functools.partial(SqlInbox(inboxes()).put, _delivery(f"g{n}"), NOW) for n in range(8)]
    assert race(racers) == [True] * 8
    assert len(SqlInbox(inboxes()).unread(NOW)) == 8


def test_a_failed_group_of_deliveries_fails_for_each_caller_and_the_next_is_kept(
    inboxes: Engines,
) -> None:
    engine = inboxes()
    inbox = SqlInbox(engine)
    inbox_metadata.drop_all(engine)

    def is_refused(id_: str) -> bool:
        try:
            inbox.put(_delivery(id_), NOW)
        except sa.exc.SQLAlchemyError:
            return True
        return False

    assert race([functools.partial(is_refused, f"g{n}") for n in range(8)]) == [True] * 8
    inbox_metadata.create_all(engine)
    assert race([functools.partial(inbox.put, _delivery(f"g{n}"), NOW) for n in range(8)]) == (
        [True] * 8
    )


def test_a_read_delivery_is_known_forever(inboxes: Engines) -> None:
    inbox = SqlInbox(inboxes())
    for n in range(3):
        inbox.put(_delivery(f"g{n}"), later(2 - n))
    assert inbox.unread(later(-1)) == ()
    assert inbox.unread(later(1)) == ("g2", "g1")
    inbox.mark_read(("g2",))
    assert inbox.unread(later(9)) == ("g1", "g0")
    assert not inbox.put(_delivery("g2"), later(9))
    read = inbox.get("g2")
    assert read is not None
    assert read.body == b""
