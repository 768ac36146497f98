"""A database that fails: busy, full, an answer that is lost, a last commit that a failover forgets.

Faults hit an engine's write transactions, at `BEGIN` or at `COMMIT`, as the drivers would raise them.
"""

import sqlite3
from collections.abc import Callable
from enum import StrEnum

import sqlalchemy as sa

from bot.adapters.store.engine import is_reading
from bot.ports import Retryable


class StoreFault(StrEnum):
    """What happens to one write transaction."""

    BUSY = "busy"
    FULL = "full"
    LOST_ANSWER = "lost answer"
    LOST_COMMIT = "lost commit"


_Draw = Callable[[], StoreFault | None]


def plant_store_faults(engine: sa.Engine, draw: _Draw) -> None:
    """From now on `draw` is asked before each write transaction of an engine on a SQLite file."""
    assert engine.url.database is not None
    _Faults(engine.url.database, draw).listen(engine)


class _Faults:
    def __init__(self, path: str, draw: _Draw) -> None:
        self._path, self._draw = path, draw
        self._drawn: StoreFault | None = None

    def listen(self, engine: sa.Engine) -> None:
        sa.event.listen(engine, "begin", self._on_begin, insert=True)
        commit = engine.dialect.do_commit

        def do_commit(connection: sa.PoolProxiedConnection) -> None:
            drawn, self._drawn = self._drawn, None
            match drawn:
                case StoreFault.FULL:
                    raise _error("database or disk is full", sqlite3.SQLITE_FULL)
                case StoreFault.LOST_ANSWER:
                    commit(connection)
                    raise _error("disk I/O error", sqlite3.SQLITE_IOERR)
                case StoreFault.LOST_COMMIT:
                    self._commit_and_lose(lambda: commit(connection))
                case _:
                    commit(connection)

        engine.dialect.do_commit = do_commit  # type: ignore[method-assign,assignment]

    def _on_begin(self, connection: sa.Connection) -> None:
        if is_reading(connection):
            return
        self._drawn = self._draw()
        if self._drawn is StoreFault.BUSY:
            raise Retryable("The database fails: database is locked")

    def _commit_and_lose(self, commit: Callable[[], None]) -> None:
        """The commit is answered; then another server goes on, which never got it."""
        other = sqlite3.connect(":memory:")
        live = sqlite3.connect(self._path)
        try:
            # Beside the writer, whose changes nobody else sees yet.
            live.backup(other)
            commit()
            other.backup(live)
        finally:
            live.close()
            other.close()


def _error(text: str, code: int) -> sqlite3.OperationalError:
    found = sqlite3.OperationalError(text)
    found.sqlite_errorcode = code
    return found
