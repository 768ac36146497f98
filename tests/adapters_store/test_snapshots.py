"""Snapshots: a fresh process folds little, and little is written for that."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from bot.adapters.store.journal import SqlJournal
from bot.adapters.store.journal_rows import PIECE
from bot.adapters.store.snapshots import (
    SNAPSHOT_AGE,
    SNAPSHOT_BYTES_MIN,
    Folded,
    SqlSnapshots,
)
from bot.adapters.store.tables import events, snapshots
from bot.core.journal.evolve import fold
from bot.core.journal.state import FOLD_VERSION, RepositoryState, snapshot_of
from bot.core.values.ids import RepositoryId
from bot.ports import Lease
from tests.adapters_store.kit import INSTALLED, NOW, REPOSITORY, heard, heavy, later

Engines = Callable[[], sa.Engine]


def _leased(journal: SqlJournal, at: float = 0) -> Lease:
    lease = journal.acquire(REPOSITORY, "w1", later(at))
    assert lease is not None
    return lease


def _long(engines: Engines) -> SqlJournal:
    """A journal with a snapshot."""
    journal = SqlJournal(engines())
    lease = _leased(journal)
    journal.append(lease, (INSTALLED,), NOW)
    journal.append(lease, heavy(SNAPSHOT_BYTES_MIN), NOW)
    return journal


def _snapshot(engines: Engines) -> sa.Row[tuple[object, ...]] | None:
    with engines().connect() as connection:
        return connection.execute(sa.select(snapshots)).first()


def _statements(engine: sa.Engine, words: str) -> list[str]:
    """Every statement with these words that the engine sends from now on."""
    found: list[str] = []

    def note(*sent: object) -> None:
        if words in str(sent[2]):
            found.append(str(sent[2]))

    sa.event.listen(engine, "before_cursor_execute", note)
    return found


def test_a_snapshot_of_a_long_journal_is_written_and_used(engines: Engines) -> None:
    journal = _long(engines)
    row = _snapshot(engines)
    assert row is not None
    state = journal.load(REPOSITORY)
    assert (row.number, row.fold_version) == (state.events, FOLD_VERSION)
    lease = _leased(journal, at=1)
    journal.append(lease, (heard(5_000),), later(1))
    # What is before the snapshot is not looked at any more.
    with engines().begin() as connection:
        connection.execute(sa.update(events).where(events.c.number < 3).values(body="{}"))
    assert SqlJournal(engines()).load(REPOSITORY) == journal.load(REPOSITORY)


def test_a_snapshot_of_another_fold_version_is_discarded(engines: Engines) -> None:
    journal = _long(engines)
    with engines().begin() as connection:
        connection.execute(
            sa.update(snapshots).values(
                fold_version=FOLD_VERSION - 1, body=snapshot_of(RepositoryState())
            )
        )
    assert SqlJournal(engines()).load(REPOSITORY) == journal.load(REPOSITORY)


def test_a_short_journal_has_no_snapshot(engines: Engines) -> None:
    journal = SqlJournal(engines())
    journal.append(_leased(journal), (INSTALLED,), NOW)
    assert _snapshot(engines) is None


def test_snapshots_write_no_more_bytes_than_events(engine: sa.Engine) -> None:
    journal = SqlJournal(engine)
    lease = _leased(journal)
    journal.append(lease, (INSTALLED,), NOW)
    written = 0
    taken = set()
    for n in range(60):
        journal.append(lease, heavy(SNAPSHOT_BYTES_MIN // 10, n), NOW)
        with engine.connect() as connection:
            row = connection.execute(sa.select(snapshots)).first()
        if row is not None and row.number not in taken:
            taken.add(row.number)
            written += len(row.body)
    with engine.connect() as connection:
        total = connection.execute(sa.select(sa.func.sum(sa.func.length(events.c.body)))).scalar()
    assert 1 < len(taken) < 7
    assert written <= int(total or 0)


def test_an_old_snapshot_is_renewed_after_fewer_events(engines: Engines) -> None:
    journal = _long(engines)
    before = _snapshot(engines)
    assert before is not None
    lease = _leased(journal, at=1)
    few = heavy(SNAPSHOT_BYTES_MIN // 4)
    journal.append(lease, few, later(1))
    assert _snapshot(engines) == before
    journal.append(lease, (heard(7),), later(SNAPSHOT_AGE.total_seconds() + 2))
    after = _snapshot(engines)
    assert after is not None
    assert after.number == before.number + len(few) + 1


def test_a_failed_snapshot_loses_no_event(engines: Engines) -> None:
    engine = engines()
    journal = SqlJournal(engine)
    lease = _leased(journal)
    journal.append(lease, (INSTALLED,), NOW)

    def fail(*sent: object) -> None:
        if "INSERT INTO snapshots" in str(sent[2]):
            raise sa.exc.OperationalError("a snapshot", {}, Exception("no room on the disk"))

    sa.event.listen(engine, "before_cursor_execute", fail)
    many = heavy(SNAPSHOT_BYTES_MIN)
    state = journal.append(lease, many, NOW)
    assert _snapshot(engines) is None
    assert state == fold((INSTALLED, *many)) == SqlJournal(engines()).load(REPOSITORY)


def test_a_process_that_folded_many_events_stores_a_snapshot(engines: Engines) -> None:
    journal = _long(engines)
    with engines().begin() as connection:
        connection.execute(snapshots.delete())
    state = SqlJournal(engines()).load(REPOSITORY)
    row = _snapshot(engines)
    assert row is not None
    assert row.number == state.events == journal.load(REPOSITORY).events


class TestALongJournalWithoutASnapshot:
    """After an upgrade with another fold, one process folds and the others wait for it."""

    def _very_long(self, engines: Engines) -> tuple[SqlJournal, RepositoryState]:
        journal = SqlJournal(engines())
        lease = _leased(journal)
        journal.append(lease, (INSTALLED,), NOW)
        state = journal.append(lease, tuple(heard(n) for n in range(4 * PIECE)), NOW)
        with engines().begin() as connection:
            connection.execute(snapshots.delete())
        return journal, state

    def test_loading_waits_for_a_process_that_folds_the_same_journal(
        self, engines: Engines
    ) -> None:
        _, state = self._very_long(engines)
        other = SqlSnapshots(engines())
        # As long as a claim can be: by a clock that is a little ahead.
        assert other.claim(REPOSITORY, datetime.now(UTC) + timedelta(seconds=15))
        waiting = engines()
        looks = _statements(waiting, "FROM snapshots")
        pieces = _statements(waiting, "FROM events")

        def end(*sent: object) -> None:
            # Once at the beginning, and then again and again.
            if "FROM snapshots" in str(sent[2]) and len(looks) == 3:
                other.take(REPOSITORY, Folded(number=state.events, state=state))

        sa.event.listen(waiting, "before_cursor_execute", end)
        assert SqlJournal(waiting).load(REPOSITORY) == state
        assert len(pieces) == 2

    def test_loading_does_not_wait_for_the_claim_of_a_dead_process(self, engines: Engines) -> None:
        _, state = self._very_long(engines)
        assert SqlSnapshots(engines()).claim(REPOSITORY, later(0))
        assert SqlJournal(engines()).load(REPOSITORY) == state

    def test_writing_a_snapshot_releases_the_claim(self, engines: Engines) -> None:
        _, state = self._very_long(engines)
        assert SqlJournal(engines()).load(REPOSITORY) == state
        # By the clock by which it was claimed: what is far ahead of now is no claim.
        now = datetime.now(UTC)
        assert SqlSnapshots(engines()).claim(REPOSITORY, now)
        assert not SqlSnapshots(engines()).claim(REPOSITORY, now + timedelta(seconds=1))

    @pytest.mark.parametrize("after", [0, PIECE - 1, PIECE, 2 * PIECE])
    def test_every_event_is_read_once_and_in_order(self, engines: Engines, after: int) -> None:
        journal, state = self._very_long(engines)
        numbers = [r.number for r in journal.records(REPOSITORY, after)]
        assert numbers == list(range(after + 1, state.events + 1))


def test_unused_states_are_dropped_from_memory(engines: Engines) -> None:
    engine = engines()
    journal = SqlJournal(engine, known_max=2)
    asked = _statements(engine, "FROM snapshots")
    for number in (1, 2, 1, 3, 1, 2):
        journal.load(RepositoryId(number))
    # The third forgets the second, which is asked for again.
    assert len(asked) == 4
