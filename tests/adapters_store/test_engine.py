"""What a transaction holds from its first moment, so that none fails in its middle."""

import sqlite3
from pathlib import Path

import pytest

from bot.adapters.store.engine import open_engine, reading


def test_a_writer_has_the_database_before_it_writes(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path}/journal.db")
    rival = sqlite3.connect(tmp_path / "journal.db", timeout=0, isolation_level=None)
    with reading(engine) as connection, connection.begin():
        rival.execute("BEGIN IMMEDIATE")
        rival.execute("ROLLBACK")
    with engine.begin(), pytest.raises(sqlite3.OperationalError, match="locked"):
        rival.execute("BEGIN IMMEDIATE")
    rival.close()
    engine.dispose()
