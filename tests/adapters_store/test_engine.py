"""What a transaction holds from its first moment, so that none fails in its middle."""

import sqlite3
import threading
from pathlib import Path

import pytest

from bot.adapters.store import engine as engine_module
from bot.adapters.store.engine import open_engine, reading
from bot.ports import Retryable


def test_a_writer_locks_the_database_before_it_writes(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path}/journal.db")
    rival = sqlite3.connect(tmp_path / "journal.db", timeout=0, isolation_level=None)
    with reading(engine) as connection, connection.begin():
        rival.execute("BEGIN IMMEDIATE")
        rival.execute("ROLLBACK")
    with engine.begin(), pytest.raises(sqlite3.OperationalError, match="locked"):
        rival.execute("BEGIN IMMEDIATE")
    rival.close()
    engine.dispose()


def test_a_writer_that_meets_a_lock_is_retryable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "BUSY_TIMEOUT_SECONDS", 0)
    engine = open_engine(f"sqlite:///{tmp_path}/journal.db")
    with engine.begin():
        pass
    rival = sqlite3.connect(tmp_path / "journal.db", isolation_level=None)
    rival.execute("BEGIN IMMEDIATE")
    with pytest.raises(Retryable, match="database is locked"), engine.begin():
        pass
    rival.close()
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE made (it)")
    engine.dispose()


def test_opening_waits_for_a_process_that_creates_the_database(tmp_path: Path) -> None:
    file = tmp_path / "journal.db"
    rival = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    rival.execute("CREATE TABLE made (it)")
    rival.execute("BEGIN IMMEDIATE")
    rival.execute("INSERT INTO made VALUES (1)")
    end = threading.Timer(0.2, rival.execute, ("COMMIT",))
    end.start()
    engine = open_engine(f"sqlite:///{file}")
    with reading(engine) as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("SELECT it FROM made").scalar() == 1
    end.join()
    rival.close()
    engine.dispose()
