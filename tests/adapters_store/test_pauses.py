"""Pauses that GitHub asked for: kept for every process, and never shortened."""

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.adapters.store.engine import migrate, open_engine
from bot.adapters.store.journal import SqlJournal

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def test_a_pause_holds_for_every_process_until_its_end(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/journal.db"
    journal, inbox = open_engine(url), open_engine(f"sqlite:///{tmp_path}/inbox.db")
    migrate(journal, inbox)
    mine, other = SqlJournal(journal), SqlJournal(open_engine(url))
    end = NOW + timedelta(seconds=60)
    mine.pause("installation 1", end)
    mine.pause("installation 1", NOW + timedelta(seconds=5))
    assert other.paused_until(("installation 1", "7"), NOW) == end
    assert other.paused_until(("installation 2", "7"), NOW) is None
    assert other.paused_until(("installation 1",), end) is None
    journal.dispose()
    inbox.dispose()


def test_pauses_are_read_while_another_process_writes(tmp_path: Path) -> None:
    engine, inbox = open_engine(f"sqlite:///{tmp_path}/journal.db"), open_engine("sqlite://")
    migrate(engine, inbox)
    journal = SqlJournal(engine)
    journal.pause("7", NOW + timedelta(seconds=60))
    writer = sqlite3.connect(tmp_path / "journal.db", isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")

    assert journal.paused_until(("7",), NOW) == NOW + timedelta(seconds=60)

    writer.close()
    engine.dispose()
    inbox.dispose()
