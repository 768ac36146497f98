"""Every test of the store runs on SQLite and on PostgreSQL."""

import gc
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis
import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection

from bot.adapters.store.engine import migrate, open_engine
from tests.testkit.own_postgres import own_postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server of our own, without a database's name."""
    with own_postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'journal.db'}"
    server: str = request.getfixturevalue("postgres")
    name = f"test_{uuid.uuid4().hex}"
    admin = sa.create_engine(server, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(sa.text(f'CREATE DATABASE "{name}"'))
    admin.dispose()
    return sa.make_url(server).set(database=name).render_as_string(hide_password=False)


@pytest.fixture
def engines(url: str, tmp_path: Path) -> Iterator[Callable[[], sa.Engine]]:
    """Engines on one migrated database, as several processes would have them."""
    made: list[sa.Engine] = []

    def engine() -> sa.Engine:
        made.append(open_engine(url))
        return made[-1]

    inbox = open_engine(f"sqlite:///{tmp_path / 'other-inbox.db'}")
    made.append(inbox)
    migrate(engine(), inbox)
    yield engine
    for one in made:
        one.dispose()


@pytest.fixture
def engine(engines: Callable[[], sa.Engine]) -> sa.Engine:
    """One engine on a migrated database."""
    return engines()


@pytest.fixture
def inboxes(tmp_path: Path) -> Iterator[Callable[[], sa.Engine]]:
    """Engines on one inbox in a file of its own."""
    made: list[sa.Engine] = []

    def inbox() -> sa.Engine:
        made.append(open_engine(f"sqlite:///{tmp_path / 'inbox.db'}"))
        return made[-1]

    journal = open_engine(f"sqlite:///{tmp_path / 'other-journal.db'}")
    made.append(journal)
    migrate(journal, inbox())
    yield inbox
    for one in made:
        one.dispose()


@pytest.fixture
def closing() -> Iterator[None]:
    """A server closes its connections when its process ends; here, each test does."""
    made: list[DBAPIConnection] = []

    def keep(connection: DBAPIConnection, _record: object) -> None:
        made.append(connection)

    sa.event.listen(sa.pool.Pool, "connect", keep)
    yield
    sa.event.remove(sa.pool.Pool, "connect", keep)
    for connection in made:
        connection.close()
    for pool in (one for one in gc.get_objects() if isinstance(one, redis.ConnectionPool)):
        pool.disconnect()
