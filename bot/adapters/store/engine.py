"""Engines: one per database URL, with SQLite told how several processes can share it.

A deferred SQLite transaction that turns into a write fails at once with SQLITE_BUSY, whatever the
busy timeout: every transaction begins IMMEDIATE, but for those of `reading`, which never write and
so never wait. The write-ahead log is synced at each commit.
"""

import sqlite3
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection, ExceptionContext
from sqlalchemy.pool import ConnectionPoolEntry

from bot.adapters.store.tables import events, inbox_metadata, repositories
from bot.ports import Retryable

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

BUSY_TIMEOUT_SECONDS = 20
# Busy, locked, read-only, a failing or full disk, a file that cannot be opened.
_SQLITE_MAY_PASS = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
}
_ONLY_READS = "headgate_only_reads"

# The key of the lock under which PostgreSQL is migrated: any number of our own.
_MIGRATING = 4_177_230_301


def open_engine(url: str) -> sa.Engine:
    """An engine for a database URL, which raises `Retryable` where the database is away."""
    url = _with_driver(url)
    engine = sa.create_engine(url, pool_pre_ping=not url.startswith("sqlite"))
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _on_sqlite_connect)
        sa.event.listen(engine, "begin", _on_sqlite_begin)
    sa.event.listen(engine, "handle_error", _on_error)
    return engine


def _with_driver(url: str) -> str:
    """`postgres://` and `postgresql://`, as hosting services write them, with our driver."""
    scheme, separator, rest = url.partition("://")
    if scheme in {"postgres", "postgresql"}:
        return f"postgresql+psycopg{separator}{rest}"
    return url


def _on_error(context: ExceptionContext) -> None:
    """A database that is away, busy or full may be back soon: `Retryable`, as other ports fail."""
    failure = context.original_exception
    if isinstance(failure, sqlite3.OperationalError):
        may_pass = _may_pass(failure)
    else:
        may_pass = isinstance(context.sqlalchemy_exception, sa.exc.OperationalError)
    if may_pass:
        raise _away(failure) from context.sqlalchemy_exception


def _may_pass(failure: sqlite3.OperationalError) -> bool:
    return failure.sqlite_errorcode & 0xFF in _SQLITE_MAY_PASS


def _away(failure: BaseException) -> Retryable:
    return Retryable(f"The database fails: {failure}")


def _on_sqlite_connect(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
    if not isinstance(connection, sqlite3.Connection):
        return
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_SECONDS * 1000}")
    _keep_log_ahead(connection)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    # What a statement keeps aside while it runs needs no file, which would be one a commit.
    connection.execute("PRAGMA temp_store = MEMORY")


def _keep_log_ahead(connection: sqlite3.Connection) -> None:
    """The first connection to a file changes it. SQLite lets nobody wait for that, whatever its timeout is."""
    until = time.monotonic() + BUSY_TIMEOUT_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as failure:
            if failure.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        else:
            return
        time.sleep(0.05)


def _on_sqlite_begin(connection: sa.Connection) -> None:
    """By the driver itself: SQLAlchemy's care for one statement costs as much as storing a delivery."""
    driver = connection.connection.driver_connection
    if not isinstance(driver, sqlite3.Connection):
        return
    try:
        driver.execute("BEGIN" if is_reading(connection) else "BEGIN IMMEDIATE")
    except sqlite3.OperationalError as failure:
        if _may_pass(failure):
            raise _away(failure) from failure
        raise


def reading(engine: sa.Engine) -> sa.Connection:
    """A connection that only reads: one snapshot, while other processes may write."""
    return engine.connect().execution_options(**{_ONLY_READS: True})


def is_reading(connection: sa.Connection) -> bool:
    return _ONLY_READS in connection.get_execution_options()


def migrate(engine: sa.Engine, inbox: sa.Engine) -> None:
    """Bring both databases to the newest shape; safe to call again and from several processes.

    A database that a newer release has brought further is left as it is: migrations only add.
    """
    # Imported here: 9 MiB that every process would keep, and only this one deed needs.
    from alembic import command
    from alembic.config import Config
    from alembic.migration import MigrationContext
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    with engine.begin() as connection:
        _wait_for_turn(connection)
        if known.issuperset(MigrationContext.configure(connection).get_current_heads()):
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            note_repositories(connection)
    with inbox.begin() as connection:
        _wait_for_turn(connection)
        inbox_metadata.create_all(connection)


def note_repositories(connection: sa.Connection) -> None:
    """A row for each journal that has none: a release that knows no rows may have begun it."""
    known = sa.select(repositories.c.repository_id)
    begun = sa.select(events.c.repository_id).where(
        events.c.number == 1, events.c.repository_id.not_in(known)
    )
    connection.execute(repositories.insert().from_select(["repository_id"], begun))


def _wait_for_turn(connection: sa.Connection) -> None:
    """One process migrates at a time; SQLite's transactions see to that by themselves."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({_MIGRATING})"))


def insert_of(engine: sa.Engine) -> Callable[[sa.Table], "postgresql.Insert | sqlite.Insert"]:
    """An insert that may say what to do where the row is there already."""
    # Only one of them: a dialect's modules cost much of what SQLAlchemy itself costs to import.
    if engine.dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.insert
    from sqlalchemy.dialects import sqlite

    return sqlite.insert


def as_text(moment: datetime) -> str:
    """A time as it is stored: UTC, microseconds, sortable as text."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def latest(now: datetime, most: timedelta) -> str:
    """As far as a time that is `most` ahead can lie, by another machine's clock; what lies further was
    written by a clock that was wrong, and is over.
    """
    return as_text(now + 2 * most)


def is_ahead(
    kept: sa.ColumnElement[str] | sa.Column[str], now: datetime, most: timedelta
) -> sa.ColumnElement[bool]:
    """Whether a time that was kept is still to come."""
    return sa.and_(kept > as_text(now), kept <= latest(now, most))


def as_time(text: str) -> datetime:
    return datetime.fromisoformat(text)
