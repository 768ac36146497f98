"""Every test of the store runs on SQLite and on PostgreSQL."""

import shutil
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis
import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection

from bot.adapters.store.engine import migrate, open_engine
from bot.adapters.store.tables import events
from tests.testkit.own_postgres import own_postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server of our own, without a database's name."""
    with own_postgres() as url:
        yield url


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a journal and an inbox of the newest shape: to bring one there takes 60 ms."""
    folder = tmp_path_factory.mktemp("migrated")
    made = [open_engine(f"sqlite:///{folder / name}") for name in ("journal.db", "inbox.db")]
    migrate(*made)
    for one in made:
        one.dispose()
    return folder


@pytest.fixture(scope="session")
def migrated_postgres(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a database of the newest shape, to be copied."""
    name = "migrated"
    inbox = open_engine(f"sqlite:///{tmp_path_factory.mktemp('inbox') / 'inbox.db'}")
    made = open_engine(_create(postgres, name, "template1"))
    migrate(made, inbox)
    for one in (made, inbox):
        one.dispose()
    return name


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database; of one of the newest shape for a test that asks for `engines`."""
    is_empty = "engines" not in request.fixturenames
    if request.param == "sqlite":
        place = tmp_path / "journal.db"
        if not is_empty:
            shutil.copy(request.getfixturevalue("migrated") / place.name, place)
        return f"sqlite:///{place}"
    template = "template1" if is_empty else request.getfixturevalue("migrated_postgres")
    return _create(request.getfixturevalue("postgres"), f"test_{uuid.uuid4().hex}", template)


def _create(server: str, name: str, template: str) -> str:
    """A database of PostgreSQL that is a copy of another; its URL."""
    admin = sa.create_engine(server, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(sa.text(f'CREATE DATABASE "{name}" TEMPLATE "{template}"'))
    admin.dispose()
    return sa.make_url(server).set(database=name).render_as_string(hide_password=False)


@pytest.fixture
def engines(url: str, tmp_path: Path) -> Iterator[Callable[[], sa.Engine]]:
    """Engines on one migrated database, as several processes would have them."""
    made: list[sa.Engine] = []

    def engine() -> sa.Engine:
        made.append(open_engine(url))
        return made[-1]

    # A module may have a `url` of its own.
    if not sa.inspect(engine()).has_table(events.name):
        made.append(open_engine(f"sqlite:///{tmp_path / 'other-inbox.db'}"))
        migrate(made[0], made[1])
    yield engine
    for one in made:
        one.dispose()


@pytest.fixture
def engine(engines: Callable[[], sa.Engine]) -> sa.Engine:
    """One engine on a migrated database."""
    return engines()


@pytest.fixture
def inboxes(tmp_path: Path, migrated: Path) -> Iterator[Callable[[], sa.Engine]]:
    """Engines on one inbox in a file of its own."""
    made: list[sa.Engine] = []
    shutil.copy(migrated / "inbox.db", tmp_path)

    def inbox() -> sa.Engine:
        made.append(open_engine(f"sqlite:///{tmp_path / 'inbox.db'}"))
        return made[-1]

    yield inbox
    for one in made:
        one.dispose()


@pytest.fixture
def closing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server closes its connections when its process ends; here, each test does."""
    made: list[DBAPIConnection] = []
    pools: list[redis.ConnectionPool] = []
    make_pool: Callable[..., None] = redis.ConnectionPool.__init__

    def keep(connection: DBAPIConnection, _record: object) -> None:
        made.append(connection)

    def keep_pool(pool: redis.ConnectionPool, *given: object, **named: object) -> None:
        pools.append(pool)
        make_pool(pool, *given, **named)

    sa.event.listen(sa.pool.Pool, "connect", keep)
    monkeypatch.setattr(redis.ConnectionPool, "__init__", keep_pool)
    yield
    sa.event.remove(sa.pool.Pool, "connect", keep)
    for connection in made:
        connection.close()
    for pool in pools:
        pool.disconnect()
