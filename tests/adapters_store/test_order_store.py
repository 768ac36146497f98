"""The order store in SQL: one order for one runner and one report, in spite of late messages."""

import functools
from collections.abc import Callable

import pytest
import sqlalchemy as sa

from action.order import Order
from bot.adapters.store.journal import SqlJournal
from bot.adapters.store.order_store import SqlOrderStore
from bot.adapters.store.tables import orders as table
from bot.core.values.ids import Digest, OrderId, Sha, WorkflowRunId
from bot.order_ports import ApprovedFile
from tests.adapters_store.kit import AGAIN, NOW, OTHER, REPOSITORY, later, order, report
from tests.adapters_store.racing import race

Engines = Callable[[], sa.Engine]
O1 = OrderId("o1")
RUN = WorkflowRunId(2**40)
ELSE = WorkflowRunId(5)
FIRST = "t1"
D1, D2 = Digest("1" * 64), Digest("2" * 64)


def _take(
    order_store: SqlOrderStore, token: str = FIRST, run: WorkflowRunId = RUN, seconds: float = 45
) -> Order | None:
    return order_store.take(REPOSITORY, O1, run, (token, later(seconds)), NOW)


def _laid(engine: sa.Engine) -> SqlOrderStore:
    order_store = SqlOrderStore(engine)
    order_store.place(REPOSITORY, order())
    return order_store


class TestLeasing:
    """An order is given out once, to the workflow run that it was dispatched as."""

    def test_a_taken_order_equals_the_placed_order(self, engine: sa.Engine) -> None:
        assert _take(_laid(engine)) == order()

    def test_an_order_cannot_be_taken_again_after_its_token_was_used(
        self, engine: sa.Engine
    ) -> None:
        order_store = _laid(engine)
        assert _take(order_store, "t1") is not None
        order_store.renew("t1", later(45), NOW)
        assert _take(order_store, "t2") is None
        assert _take(order_store, "t1") is None

    def test_an_order_that_was_never_placed_cannot_be_taken(self, engine: sa.Engine) -> None:
        assert _take(SqlOrderStore(engine)) is None

    def test_one_of_many_workflow_runs_gets_the_order(self, engines: Engines) -> None:
        _laid(engines())
        desks = [SqlOrderStore(engines()) for _ in range(8)]
        racers = [
            functools.partial(_take, d, f"t{n}", WorkflowRunId(n + 1)) for n, d in enumerate(desks)
        ]
        assert len([o for o in race(racers) if o is not None]) == 1

    def test_concurrent_requests_of_one_run_leave_one_valid_token(self, engines: Engines) -> None:
        order_store = _laid(engines())
        racers = [functools.partial(_take, SqlOrderStore(engines()), f"t{n}") for n in range(6)]
        race(racers)
        assert len([n for n in range(6) if order_store.leased(f"t{n}") is not None]) == 1

    def test_another_workflow_run_does_not_get_the_order(self, engine: sa.Engine) -> None:
        order_store = _laid(engine)
        order_store.bind(REPOSITORY, O1, RUN)
        order_store.bind(REPOSITORY, O1, ELSE)
        assert _take(order_store, run=ELSE) is None
        assert _take(order_store, run=RUN) is not None

    @pytest.mark.attack(
        "A run that has its order asks for others, whose names it counts up, before they are known as runs of their own",
        held="`bot.adapters.store.order_store.SqlOrderStore.take`: one run, one order",
    )
    def test_a_run_with_an_order_gets_no_second_one(self, engine: sa.Engine) -> None:
        order_store = _laid(engine)
        order_store.place(REPOSITORY, order("o2"))
        order_store.place(OTHER, order("o2", repository="acme/other"))
        assert _take(order_store) is not None
        o2, lease = OrderId("o2"), ("t2", later(45))
        assert order_store.take(REPOSITORY, o2, RUN, lease, NOW) is None
        assert order_store.leased(FIRST) is not None
        assert order_store.take(REPOSITORY, o2, ELSE, lease, NOW) is not None
        assert order_store.take(OTHER, o2, RUN, ("t3", later(45)), NOW) is not None

    def test_orders_of_two_repositories_may_have_the_same_name(self, engine: sa.Engine) -> None:
        order_store = _laid(engine)
        order_store.place(OTHER, order(repository="acme/other"))
        mine = order_store.take(OTHER, O1, RUN, ("t9", later(45)), NOW)
        assert mine is not None
        assert mine.repository == "acme/other"
        assert _take(order_store) == order()

    def test_placing_an_order_again_gives_no_second_lease(self, engines: Engines) -> None:
        order_store = _laid(engines())
        assert _take(order_store) is not None
        order_store.renew(FIRST, later(45), NOW)
        order_store.place(REPOSITORY, order().model_copy(update={"attempt": 9}))
        assert _take(order_store, "t2") is None
        entry = order_store.entries(REPOSITORY, (O1,))[O1]
        assert entry.leased_at == NOW
        race([functools.partial(SqlOrderStore(engines()).place, REPOSITORY, order("o2"))] * 4)
        assert set(order_store.entries(REPOSITORY, (OrderId("o2"),))) == {OrderId("o2")}

    def test_an_order_belongs_to_the_workflow_file_of_its_last_placement(
        self, engine: sa.Engine
    ) -> None:
        order_store = SqlOrderStore(engine)
        assert order_store.workflow(REPOSITORY, O1) is None
        files = [
            ApprovedFile(
                path=".github/workflows/agent.yml", content=Sha(n * 40), commit=Sha("c" * 40)
            )
            for n in ("1", "2", "3")
        ]
        order_store.place(REPOSITORY, order("o2"))
        order_store.place(OTHER, order(), files[2])
        for file in files[:2]:
            order_store.place(REPOSITORY, order(), file)
        assert order_store.workflow(REPOSITORY, O1) == files[1]
        assert order_store.workflow(OTHER, O1) == files[2]
        assert order_store.workflow(REPOSITORY, OrderId("o2")) is None

    def test_a_revoked_order_cannot_be_taken(self, engine: sa.Engine) -> None:
        order_store = _laid(engine)
        order_store.revoke(REPOSITORY, O1)
        assert _take(order_store) is None


class TestLease:
    """A token is for one order until it is revoked or handed in."""

    def test_a_token_identifies_its_repository_and_order(self, engine: sa.Engine) -> None:
        order_store = _laid(engine)
        _take(order_store)
        leased = order_store.leased(FIRST)
        assert leased is not None
        assert (leased.repository, leased.order, leased.is_over) == (REPOSITORY, O1, False)
        assert order_store.leased("t2") is None

    def test_a_heartbeat_extends_the_lease(self, engine: sa.Engine) -> None:
        order_store = _laid(engine)
        _take(order_store)
        order_store.renew(FIRST, later(90), NOW)
        order_store.renew("stolen", later(900), NOW)
        assert order_store.entries(REPOSITORY, (O1,))[O1].lease_until == later(90)

    def test_a_revoked_lease_is_over_and_not_renewed(self, engine: sa.Engine) -> None:
        order_store = _laid(engine)
        _take(order_store)
        order_store.revoke(REPOSITORY, O1)
        order_store.renew(FIRST, later(900), NOW)
        leased = order_store.leased(FIRST)
        assert leased is not None
        assert leased.is_over
        assert order_store.entries(REPOSITORY, (O1,))[O1].lease_until == later(45)

    def test_the_token_itself_is_not_stored(self, engine: sa.Engine) -> None:
        order_store = _laid(engine)
        _take(order_store, "very-secret-token")
        with engine.connect() as connection:
            (row,) = connection.execute(sa.select(table)).all()
        assert "very-secret-token" not in str(tuple(row))


class TestReports:
    """The first report counts; a late one is kept."""

    def test_the_first_report_counts(self, engine: sa.Engine) -> None:
        order_store = _laid(engine)
        _take(order_store)
        order_store.hand_in("t1", report(), D1, AGAIN)
        order_store.hand_in("t1", report(sentence="Something else."), D2, AGAIN)
        entry = order_store.entries(REPOSITORY, (O1,))[O1]
        assert (entry.report, entry.report_digest) == (report(), D1)
        leased = order_store.leased(FIRST)
        assert leased is not None
        assert leased.is_over

    def test_one_of_many_concurrent_reports_counts(self, engines: Engines) -> None:
        order_store = _laid(engines())
        _take(order_store)
        digests = [Digest(str(n) * 64) for n in range(5)]
        racers = [
            functools.partial(
                SqlOrderStore(engines()).hand_in, "t1", report(sentence=str(n)), d, AGAIN
            )
            for n, d in enumerate(digests)
        ]
        race(racers)
        entry = order_store.entries(REPOSITORY, (O1,))[O1]
        assert entry.report_digest in digests
        assert entry.report is not None
        assert digests.index(entry.report_digest) == int(entry.report.sentence)

    def test_a_report_after_the_end_of_the_lease_is_kept(self, engine: sa.Engine) -> None:
        order_store = _laid(engine)
        _take(order_store)
        order_store.revoke(REPOSITORY, O1)
        order_store.hand_in("t1", report(), D1, AGAIN)
        assert order_store.entries(REPOSITORY, (O1,))[O1].report_digest == D1

    def test_an_unknown_token_cannot_hand_in_a_report(self, engine: sa.Engine) -> None:
        order_store = _laid(engine)
        _take(order_store)
        order_store.hand_in("stolen", report(), D1, AGAIN)
        assert order_store.entries(REPOSITORY, (O1,))[O1].report is None
        assert SqlJournal(engine).hints(REPOSITORY) == {}

    def test_handing_in_a_report_leaves_a_hint(self, engine: sa.Engine) -> None:
        order_store = _laid(engine)
        _take(order_store)
        order_store.hand_in("t1", report(), D1, AGAIN)
        assert list(SqlJournal(engine).hints(REPOSITORY).values()) == [AGAIN]


def test_only_requested_entries_are_returned(engine: sa.Engine) -> None:
    order_store = _laid(engine)
    order_store.place(REPOSITORY, order("o2"))
    assert order_store.entries(REPOSITORY, ()) == {}
    assert set(order_store.entries(REPOSITORY, (OrderId("o2"), OrderId("o3")))) == {"o2"}
    fresh = order_store.entries(REPOSITORY, (O1,))[O1]
    assert (fresh.leased_at, fresh.lease_until, fresh.workflow_run) == (None, None, None)


class TestBytes:
    """A lease has a limit of bytes, and running uploads count."""

    def _taken(self, engine: sa.Engine) -> SqlOrderStore:
        order_store = _laid(engine)
        assert _take(order_store) is not None
        return order_store

    def test_bytes_are_reserved_until_the_real_size_is_known(self, engine: sa.Engine) -> None:
        order_store = self._taken(engine)
        assert order_store.reserve(FIRST, 60, 100)
        assert not order_store.reserve(FIRST, 41, 100)
        assert order_store.reserve(FIRST, 40, 100)
        order_store.settle(FIRST, 60, (10, D1))
        order_store.settle(FIRST, 40, (0, None))
        assert not order_store.reserve(FIRST, 91, 100)
        assert order_store.reserve(FIRST, 90, 100)

    def test_the_same_bundle_again_counts_once(self, engine: sa.Engine) -> None:
        order_store = self._taken(engine)
        for digest in (D1, D1, D2, D2):
            assert order_store.reserve(FIRST, 20, 50)
            order_store.settle(FIRST, 20, (15, digest))
        assert not order_store.reserve(FIRST, 11, 40)
        assert order_store.reserve(FIRST, 10, 40)

    def test_an_unknown_token_cannot_reserve_bytes(self, engine: sa.Engine) -> None:
        assert not self._taken(engine).reserve("stolen", 1, 100)

    def test_concurrent_reservations_stay_within_the_limit(self, engines: Engines) -> None:
        order_store = self._taken(engines())
        racers = [
            functools.partial(SqlOrderStore(engines()).reserve, FIRST, 10, 35) for _ in range(6)
        ]
        assert race(racers).count(True) == 3
        assert order_store.reserve(FIRST, 5, 35)
