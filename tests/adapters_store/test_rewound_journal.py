"""A failing store: nothing is written twice, and lost events are noticed and recorded."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from pydantic import SecretStr

from bot.adapters.store.engine import migrate, open_engine
from bot.adapters.store.journal import SqlJournal
from bot.adapters.store.snapshots import SNAPSHOT_BYTES_MIN
from bot.adapters.store.tables import events, hints
from bot.core.journal.evolve import fold
from bot.core.state.observed import Hint, HintKind
from bot.entry.settings import Settings
from bot.entry.wiring import make_ports
from bot.ports import LeaseLost, Retryable
from bot.shell.journal_buffer import JournalBuffer
from bot.shell.process_ports import Ports
from tests.adapters_store.kit import (
    AGAIN,
    INSTALLED,
    NOW,
    REPOSITORY,
    done,
    heard,
    heavy,
    later,
)
from tests.testkit.house import RecordingDoorbell
from tests.testkit.store_faults import StoreFault, plant_store_faults

Engines = Callable[[], sa.Engine]
REWOUND = Hint(kind=HintKind.REWOUND, since=NOW)


def _journal(engines: Engines) -> SqlJournal:
    """A journal whose second event is lost, as a failover or a backup loses it."""
    journal = SqlJournal(engines())
    lease = journal.acquire(REPOSITORY, "one", NOW)
    assert lease is not None
    journal.append(lease, (INSTALLED,), NOW)
    journal.append(lease, (heard(1),), later(1))
    _lose(engines, 2)
    return journal


def _lose(engines: Engines, number: int) -> None:
    with engines().begin() as connection:
        connection.execute(events.delete().where(events.c.number == number))


def _hints(journal: SqlJournal) -> list[Hint]:
    return list(journal.hints(REPOSITORY).values())


def _numbers(journal: SqlJournal) -> list[int]:
    return [r.number for r in journal.records(REPOSITORY, 0)]


class TestLostEvents:
    """Events that this process wrote or read are not in the journal any more."""

    def test_no_event_is_appended_after_lost_events(self, engines: Engines) -> None:
        journal = _journal(engines)
        lease = journal.acquire(REPOSITORY, "one", later(2))
        assert lease is not None
        with pytest.raises(LeaseLost, match="rewound"):
            journal.append(lease, (heard(2),), later(2))
        with pytest.raises(LeaseLost, match="rewound"):
            journal.append(lease, (heard(2),), later(2))
        assert _numbers(journal) == [1]

    def test_the_next_lease_continues_from_the_remaining_events(self, engines: Engines) -> None:
        journal = _journal(engines)
        assert journal.load(REPOSITORY) == fold((INSTALLED,))
        lease = journal.acquire(REPOSITORY, "one", later(2))
        assert lease is not None
        assert journal.append(lease, (heard(2),), later(2)) == fold((INSTALLED, heard(2)))
        assert _numbers(journal) == [1, 2]

    def test_loading_a_rewound_journal_leaves_a_hint(self, engines: Engines) -> None:
        journal = _journal(engines)
        assert _hints(journal) == []
        journal.load(REPOSITORY)
        assert _hints(journal) == [REWOUND]

    def test_new_events_with_the_numbers_of_lost_ones_are_recognised(
        self, engines: Engines
    ) -> None:
        journal = _journal(engines)
        other = SqlJournal(engines())
        lease = other.acquire(REPOSITORY, "two", later(200))
        assert lease is not None
        other.append(lease, (heard(7),), later(200))
        assert journal.load(REPOSITORY) == fold((INSTALLED, heard(7)))
        assert _hints(journal) == [Hint(kind=HintKind.REWOUND, since=later(200))]

    def test_a_process_that_only_read_the_lost_events_notices_the_loss(
        self, engines: Engines
    ) -> None:
        journal = SqlJournal(engines())
        lease = journal.acquire(REPOSITORY, "one", NOW)
        assert lease is not None
        journal.append(lease, (INSTALLED, heard(1)), NOW)
        reader = SqlJournal(engines())
        assert reader.load(REPOSITORY) == fold((INSTALLED, heard(1)))
        assert reader.load(REPOSITORY) == fold((INSTALLED, heard(1)))
        _lose(engines, 2)
        assert reader.load(REPOSITORY) == fold((INSTALLED,))
        assert _hints(reader) == [REWOUND]

    def test_a_snapshot_of_lost_events_is_discarded(self, engines: Engines) -> None:
        journal = SqlJournal(engines())
        lease = journal.acquire(REPOSITORY, "one", NOW)
        assert lease is not None
        journal.append(lease, (INSTALLED,), NOW)
        many = heavy(SNAPSHOT_BYTES_MIN)
        journal.append(lease, many, NOW)
        _lose(engines, 1 + len(many))
        lost = fold((INSTALLED, *many[:-1]))
        for _ in range(2):
            assert SqlJournal(engines()).load(REPOSITORY) == lost
        assert _hints(journal) == [REWOUND]


def test_a_hint_of_a_newer_release_triggers_a_full_look(engines: Engines) -> None:
    journal = SqlJournal(engines())
    journal.put_hints(REPOSITORY, (AGAIN,))
    with engines().begin() as connection:
        connection.execute(hints.update().values(body='{"kind": "of_a_newer_release"}'))
    assert _hints(journal) == [Hint(kind=HintKind.EVERYTHING)]


class Stage:
    """A journal whose engine fails as it is told to."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "journal.db"
        self.engine = open_engine(f"sqlite:///{self.path}")
        inbox = open_engine(f"sqlite:///{folder / 'inbox.db'}")
        migrate(self.engine, inbox)
        inbox.dispose()
        self.next: list[StoreFault | None] = []
        plant_store_faults(self.engine, lambda: self.next.pop(0) if self.next else None)
        self.journal = SqlJournal(self.engine)
        lease = self.journal.acquire(REPOSITORY, "one", NOW)
        assert lease is not None
        self.lease = lease
        self.journal.append(lease, (INSTALLED,), NOW)


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path)
    yield made
    made.engine.dispose()


class TestFailingAppend:
    """A write that fails, or seems to."""

    @pytest.mark.parametrize("fault", [StoreFault.BUSY, StoreFault.FULL])
    def test_a_temporary_failure_of_the_store_leaves_no_trace(
        self, stage: Stage, fault: StoreFault
    ) -> None:
        stage.next = [fault]
        with pytest.raises(Retryable, match=r"locked|full"):
            stage.journal.append(stage.lease, (heard(1),), NOW)
        assert _numbers(stage.journal) == [1]
        stage.journal.append(stage.lease, (heard(1),), NOW)
        assert _numbers(stage.journal) == [1, 2]

    def test_a_commit_with_a_lost_answer_is_read_from_the_journal(self, stage: Stage) -> None:
        stage.next = [StoreFault.LOST_ANSWER]
        with pytest.raises(Retryable, match="I/O"):
            stage.journal.append(stage.lease, (heard(1),), NOW)
        assert stage.journal.load(REPOSITORY) == fold((INSTALLED, heard(1)))
        stage.journal.append(stage.lease, (done(1),), NOW)
        assert _numbers(stage.journal) == [1, 2, 3]

    def test_a_commit_lost_in_a_failover_is_noticed(self, stage: Stage) -> None:
        stage.next = [StoreFault.LOST_COMMIT]
        stage.journal.append(stage.lease, (heard(1),), NOW)
        with pytest.raises(LeaseLost, match="rewound"):
            stage.journal.append(stage.lease, (heard(2),), NOW)
        assert stage.journal.load(REPOSITORY) == fold((INSTALLED,))
        assert _hints(stage.journal) == [REWOUND]

    def test_a_full_disk_is_reported_as_full(self, stage: Stage) -> None:
        with stage.engine.connect() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(Retryable, match="full"):
            stage.journal.append(stage.lease, heavy(1_000_000), NOW)
        assert _numbers(stage.journal) == [1]

    def test_a_locked_database_is_reported_as_locked(self, stage: Stage) -> None:
        with stage.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA busy_timeout = 1")
        writer = sqlite3.connect(stage.path, isolation_level=None)
        writer.execute("BEGIN IMMEDIATE")
        with pytest.raises(Retryable, match="locked"):
            stage.journal.append(stage.lease, (heard(1),), NOW)
        writer.close()


def test_events_that_may_be_stored_already_are_not_appended_again(
    stage: Stage, tmp_path: Path
) -> None:
    """A failing reconcile stores its finished effects, unless storing itself failed."""
    settings = Settings(
        var=tmp_path, app_id=7, private_key=SecretStr("key"), database_url=str(stage.engine.url)
    )
    made = make_ports(settings, "worker", RecordingDoorbell())
    ports = Ports(**{**made.__dict__, "journal": stage.journal})
    buffer = JournalBuffer(ports, stage.lease, stage.journal.load(REPOSITORY))
    buffer.note((done(1),))
    stage.next = [StoreFault.LOST_ANSWER]
    with pytest.raises(Retryable):
        buffer.append()
    buffer.append()
    assert _numbers(stage.journal) == [1, 2]
    fresh = JournalBuffer(ports, stage.lease, stage.journal.load(REPOSITORY))
    for number in (2, 3):
        fresh.note((done(number),))
        fresh.append()
    assert _numbers(stage.journal) == [1, 2, 3, 4]
