"""The journal in SQL: one writer, every event once, the same state in every process."""

import functools
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.adapters.store.engine import migrate, open_engine
from bot.adapters.store.journal import LEASE_SECONDS, SqlJournal
from bot.adapters.store.tables import repositories
from bot.core.journal.evolve import fold
from bot.core.state.observed import Hint, HintKind
from bot.ports import Lease, LeaseLost
from tests.adapters_store.kit import INSTALLED, NOW, OTHER, REPOSITORY, done, heard, later
from tests.adapters_store.racing import race

Engines = Callable[[], sa.Engine]


def _leased(journal: SqlJournal, holder: str = "w1", at: float = 0) -> Lease:
    lease = journal.acquire(REPOSITORY, holder, later(at))
    assert lease is not None
    return lease


class TestEvents:
    """Appended, numbered, folded, read by another process."""

    def test_a_journal_is_readable_by_another_process(self, engines: Engines) -> None:
        writer, reader = SqlJournal(engines()), SqlJournal(engines())
        assert reader.load(REPOSITORY).facts is None
        lease = _leased(writer)
        first = writer.append(lease, (INSTALLED, heard(1)), NOW)
        assert reader.load(REPOSITORY) == first
        second = writer.append(lease, (heard(2),), later(1))
        assert reader.load(REPOSITORY) == second == writer.load(REPOSITORY)
        assert second == fold((INSTALLED, heard(1), heard(2)))

    def test_records_carry_number_time_and_event(self, engine: sa.Engine) -> None:
        journal = SqlJournal(engine)
        lease = _leased(journal)
        journal.append(lease, (INSTALLED,), NOW)
        journal.append(lease, (heard(1), heard(2)), later(0.000001))
        records = tuple(journal.records(REPOSITORY, 1))
        assert [(r.number, r.event) for r in records] == [(2, heard(1)), (3, heard(2))]
        assert [r.at for r in journal.records(REPOSITORY, 0)] == [NOW, *[later(0.000001)] * 2]

    def test_journals_of_repositories_are_separate(self, engine: sa.Engine) -> None:
        journal = SqlJournal(engine)
        journal.append(_leased(journal), (INSTALLED,), NOW)
        other = journal.acquire(OTHER, "w1", NOW)
        assert other is not None
        journal.append(other, (heard(5),), NOW)
        assert journal.load(OTHER).facts is None
        assert set(journal.repositories()) == {REPOSITORY, OTHER}
        assert len(tuple(journal.records(REPOSITORY, 0))) == 1

    def test_an_append_without_events_only_renews_the_lease(self, engine: sa.Engine) -> None:
        journal = SqlJournal(engine)
        lease = _leased(journal)
        journal.append(lease, (), later(LEASE_SECONDS - 1))
        assert tuple(journal.records(REPOSITORY, 0)) == ()
        assert journal.acquire(REPOSITORY, "w2", later(LEASE_SECONDS + 1)) is None


class TestLease:
    """One writer per repository (law 5)."""

    def test_only_one_holder_at_a_time(self, engines: Engines) -> None:
        one, two = SqlJournal(engines()), SqlJournal(engines())
        lease = _leased(one)
        assert two.acquire(REPOSITORY, "w2", later(1)) is None
        one.release(lease)
        taken = two.acquire(REPOSITORY, "w2", later(2))
        assert taken is not None
        assert taken.epoch > lease.epoch

    def test_other_repositories_are_free(self, engine: sa.Engine) -> None:
        journal = SqlJournal(engine)
        _leased(journal)
        assert journal.acquire(OTHER, "w2", NOW) is not None

    def test_the_former_holder_of_an_expired_lease_cannot_write(self, engines: Engines) -> None:
        old, new = SqlJournal(engines()), SqlJournal(engines())
        stale = _leased(old)
        old.append(stale, (INSTALLED,), NOW)
        assert new.acquire(REPOSITORY, "w2", later(LEASE_SECONDS - 1)) is None
        lease = _leased(new, "w2", LEASE_SECONDS + 1)
        with pytest.raises(LeaseLost):
            old.append(stale, (heard(1),), later(LEASE_SECONDS + 2))
        new.append(lease, (heard(2),), later(LEASE_SECONDS + 2))
        assert [r.event for r in new.records(REPOSITORY, 0)] == [INSTALLED, heard(2)]
        assert old.load(REPOSITORY) == new.load(REPOSITORY)

    def test_a_restarted_worker_of_the_same_name_takes_over_at_once(self, engines: Engines) -> None:
        before, after = SqlJournal(engines()), SqlJournal(engines())
        stale = _leased(before)
        lease = _leased(after, at=1)
        with pytest.raises(LeaseLost):
            before.append(stale, (INSTALLED,), later(2))
        after.append(lease, (INSTALLED,), later(2))

    def test_an_append_renews_the_lease(self, engines: Engines) -> None:
        one, two = SqlJournal(engines()), SqlJournal(engines())
        lease = _leased(one)
        for n in range(4):
            one.append(lease, (heard(n),), later(n * (LEASE_SECONDS - 1)))
        assert two.acquire(REPOSITORY, "w2", later(3 * (LEASE_SECONDS - 1) + 1)) is None

    def test_resting_appends_events_releases_the_lease_and_sets_the_wake_time(
        self, engines: Engines
    ) -> None:
        one, two = SqlJournal(engines()), SqlJournal(engines())
        lease = _leased(one)
        one.put_hints(REPOSITORY, (Hint(kind=HintKind.MAIN),))
        (hint,) = one.hints(REPOSITORY)
        state = one.rest(lease, (INSTALLED,), later(1), (hint,), later(10))
        assert state == two.load(REPOSITORY)
        assert [r.event for r in two.records(REPOSITORY, 0)] == [INSTALLED]
        assert two.hints(REPOSITORY) == {}
        assert (two.due(later(9)), two.due(later(10))) == ((), (REPOSITORY,))
        assert two.acquire(REPOSITORY, "w2", later(2)) is not None

    def test_resting_without_the_lease_has_no_effect(self, engines: Engines) -> None:
        old, new = SqlJournal(engines()), SqlJournal(engines())
        stale = _leased(old)
        _leased(new, "w2", LEASE_SECONDS + 1)
        with pytest.raises(LeaseLost):
            old.rest(stale, (INSTALLED,), later(LEASE_SECONDS + 2), (), later(LEASE_SECONDS + 3))
        assert new.due(later(LEASE_SECONDS + 3)) == ()
        assert list(new.records(REPOSITORY, 0)) == []
        assert new.acquire(REPOSITORY, "w3", later(LEASE_SECONDS + 4)) is None

    def test_releasing_a_lease_of_another_holder_has_no_effect(self, engines: Engines) -> None:
        one, two = SqlJournal(engines()), SqlJournal(engines())
        stale = _leased(one)
        _leased(two, "w2", LEASE_SECONDS + 1)
        one.release(stale)
        assert one.acquire(REPOSITORY, "w3", later(LEASE_SECONDS + 2)) is None

    def test_one_of_many_concurrent_callers_gets_the_lease(self, engines: Engines) -> None:
        def ask(journal: SqlJournal, holder: str) -> Lease | None:
            return journal.acquire(REPOSITORY, holder, NOW)

        journals = [SqlJournal(engines()) for _ in range(6)]
        racers = [functools.partial(ask, j, f"w{n}") for n, j in enumerate(journals)]
        assert len([lease for lease in race(racers) if lease is not None]) == 1

    def test_two_racing_writers_leave_consecutive_event_numbers(self, engines: Engines) -> None:
        first, second = SqlJournal(engines()), SqlJournal(engines())
        stale = _leased(first)
        first.append(stale, (INSTALLED,), NOW)

        def write_on() -> int:
            for n in range(30):
                try:
                    first.append(stale, (heard(n), done(n)), NOW)
                except LeaseLost:
                    return n
            return 30

        def take_over() -> int:
            lease = _leased(second, "w2", LEASE_SECONDS + 60)
            for n in range(30):
                second.append(lease, (heard(100 + n), done(n)), later(LEASE_SECONDS + 60))
            return 30

        written, taken = race([write_on, take_over])
        assert taken == 30
        records = tuple(second.records(REPOSITORY, 0))
        assert [r.number for r in records] == list(range(1, len(records) + 1))
        assert len(records) == 1 + 2 * written + 2 * taken
        assert SqlJournal(engines()).load(REPOSITORY) == fold(r.event for r in records)


class TestHintsAndWakeUps:
    """What to look at, and when to look without a hint."""

    def test_hints_wait_until_they_are_dropped(self, engines: Engines) -> None:
        one, two = SqlJournal(engines()), SqlJournal(engines())
        hint = Hint(kind=HintKind.COMMENT, number=2**62, issue=4)
        one.put_hints(REPOSITORY, (hint, Hint(kind=HintKind.MAIN)))
        one.put_hints(REPOSITORY, ())
        waiting = two.hints(REPOSITORY)
        assert list(waiting.values()) == [hint, Hint(kind=HintKind.MAIN)]
        one.put_hints(REPOSITORY, (Hint(kind=HintKind.EVERYTHING),))
        two.drop_hints(tuple(waiting))
        two.drop_hints(())
        assert [h.kind for h in one.hints(REPOSITORY).values()] == [HintKind.EVERYTHING]
        assert two.hints(OTHER) == {}

    def test_hint_numbers_are_never_reused(self, engine: sa.Engine) -> None:
        journal = SqlJournal(engine)
        seen: set[int] = set()
        for _ in range(4):
            journal.put_hints(REPOSITORY, (Hint(kind=HintKind.MAIN),))
            (number,) = journal.hints(REPOSITORY)
            assert number not in seen
            seen.add(number)
            journal.drop_hints((number,))

    def test_a_repository_is_due_at_its_time_or_when_hints_wait(self, engine: sa.Engine) -> None:
        journal = SqlJournal(engine)
        assert journal.due(later(1e6)) == ()
        journal.set_wake_at(REPOSITORY, later(10))
        assert journal.due(later(9)) == ()
        assert journal.due(later(10)) == (REPOSITORY,)
        journal.set_wake_at(REPOSITORY, later(20))
        assert journal.due(later(10)) == ()
        journal.set_wake_at(REPOSITORY, None)
        assert journal.due(later(1e6)) == ()
        journal.put_hints(OTHER, (Hint(kind=HintKind.MAIN),))
        assert journal.due(NOW) == (OTHER,)
        journal.set_wake_at(OTHER, NOW)
        assert journal.due(NOW) == (OTHER,)

    def test_a_repository_is_known_from_its_first_event_on(
        self, engines: Engines, tmp_path: Path
    ) -> None:
        journal = SqlJournal(engines())
        assert journal.repositories() == ()
        journal.append(_leased(journal), (INSTALLED,), NOW)
        assert journal.repositories() == (REPOSITORY,)
        # A release that knew no such rows began it.
        with engines().begin() as connection:
            connection.execute(repositories.delete())
        inbox = open_engine(f"sqlite:///{tmp_path / 'inbox.db'}")
        migrate(engines(), inbox)
        migrate(engines(), inbox)
        inbox.dispose()
        assert journal.repositories() == (REPOSITORY,)

    def test_a_repository_with_only_a_hint_is_known(self, engine: sa.Engine) -> None:
        journal = SqlJournal(engine)
        journal.put_hints(OTHER, (Hint(kind=HintKind.MAIN),))
        assert journal.repositories() == (OTHER,)
