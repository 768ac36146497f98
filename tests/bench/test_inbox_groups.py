"""Deliveries share commits, and each gets its own answer."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.adapters.store.engine import open_engine
from bot.adapters.store.inbox import SqlInbox
from bot.adapters.store.tables import inbox_metadata
from bot.ports import Delivery

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def delivery(id_: str) -> Delivery:
    return Delivery(id=id_, event="push", body=f"body of {id_}".encode())


def inbox(folder: Path) -> tuple[SqlInbox, sa.Engine]:
    engine = open_engine(f"sqlite:///{folder}/inbox.db")
    inbox_metadata.create_all(engine)
    return SqlInbox(engine), engine


def test_deliveries_of_many_threads_are_stored_once_each(tmp_path: Path) -> None:
    store, engine = inbox(tmp_path)
    commits: list[int] = []
    sa.event.listen(engine, "commit", lambda _: commits.append(1))
    # Every GUID comes four times, as when GitHub sends a delivery again after a late answer.
    ids = [f"guid-{number % 50}" for number in range(200)]

    with ThreadPoolExecutor(16) as pool:
        new = list(pool.map(lambda id_: store.put(delivery(id_), NOW), ids))

    assert new.count(True) == 50
    assert len(store.unread(NOW)) == 50
    assert all(store.get(id_) == delivery(id_) for id_ in ids)
    assert len(commits) <= len(ids)


def test_a_group_that_cannot_be_written_fails_for_every_caller(tmp_path: Path) -> None:
    store, engine = inbox(tmp_path)
    inbox_metadata.drop_all(engine)

    with pytest.raises(sa.exc.OperationalError):
        store.put(delivery("guid"), NOW)

    inbox_metadata.create_all(engine)
    assert store.put(delivery("guid"), NOW)
