"""The order store: an order belongs to one workflow run, and a lost answer does not lose it."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

import bot.adapters.store as store
from action.order import GateOrder, SandboxRule
from action.report import GateOrderReport
from bot.adapters.store.engine import migrate, open_engine
from bot.adapters.store.order_store import SqlOrderStore
from bot.core.state.observed import Hint, HintKind
from bot.core.values.ids import Digest, OrderId, RepositoryId, WorkflowRunId

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
UNTIL = NOW + timedelta(seconds=45)
REPOSITORY, ORDER, RUN = RepositoryId(1), OrderId("o1"), WorkflowRunId(7)


def an_order() -> GateOrder:
    """An order with the least that an order needs."""
    return GateOrder(
        order_id=ORDER,
        repository="team/shop",
        clone_url="http://127.0.0.1/team/shop.git",
        candidate_sha="c" * 40,
        candidate_ref="refs/headgate/candidates/x/1",
        diff_base_sha="b" * 40,
        definition_hash="h",
        gates=(),
        protected=(),
        setup=(),
        egress_hosts=(),
        sandbox=SandboxRule.REQUIRED,
    )


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[sa.Engine]:
    """A journal's database of the newest shape."""
    journal = open_engine(f"sqlite:///{tmp_path}/journal.db")
    inbox = open_engine(f"sqlite:///{tmp_path}/inbox.db")
    migrate(journal, inbox)
    yield journal
    journal.dispose()
    inbox.dispose()


@pytest.fixture
def order_store(engine: sa.Engine) -> SqlOrderStore:
    """An order store with one order in it, dispatched as one workflow run."""
    found = SqlOrderStore(engine)
    found.place(REPOSITORY, an_order())
    found.bind(REPOSITORY, ORDER, RUN)
    return found


def test_a_run_that_lost_the_answer_gets_its_order_again_with_a_new_token(
    order_store: SqlOrderStore,
) -> None:
    assert order_store.take(REPOSITORY, ORDER, RUN, ("first", UNTIL), NOW) == an_order()
    later = NOW + timedelta(seconds=3)
    assert order_store.take(REPOSITORY, ORDER, RUN, ("second", UNTIL), later) == an_order()
    assert order_store.leased("first") is None
    assert order_store.leased("second") is not None
    assert order_store.entries(REPOSITORY, (ORDER,))[ORDER].leased_at == NOW


def test_another_run_never_gets_the_order(order_store: SqlOrderStore) -> None:
    other = WorkflowRunId(8)
    assert order_store.take(REPOSITORY, ORDER, other, ("other", UNTIL), NOW) is None
    order_store.take(REPOSITORY, ORDER, RUN, ("first", UNTIL), NOW)
    assert order_store.take(REPOSITORY, ORDER, other, ("other", UNTIL), NOW) is None


def test_a_lease_in_use_is_not_given_again(order_store: SqlOrderStore) -> None:
    order_store.take(REPOSITORY, ORDER, RUN, ("first", UNTIL), NOW)
    order_store.renew("first", UNTIL, NOW)
    assert order_store.take(REPOSITORY, ORDER, RUN, ("second", UNTIL), NOW) is None
    assert order_store.leased("first") is not None


def test_an_order_that_was_handed_in_or_revoked_is_not_given_again(
    order_store: SqlOrderStore,
) -> None:
    order_store.take(REPOSITORY, ORDER, RUN, ("first", UNTIL), NOW)
    again = Hint(kind=HintKind.AGAIN)
    order_store.hand_in(
        "first", GateOrderReport(order_id=ORDER, sentence="Done."), Digest("d"), again
    )
    assert order_store.take(REPOSITORY, ORDER, RUN, ("second", UNTIL), NOW) is None
    order_store.place(REPOSITORY, an_order().model_copy(update={"order_id": "o2"}))
    order_store.revoke(REPOSITORY, OrderId("o2"))
    assert order_store.take(REPOSITORY, OrderId("o2"), RUN, ("second", UNTIL), NOW) is None


def test_an_expired_lease_ends_only_when_it_is_revoked(order_store: SqlOrderStore) -> None:
    order_store.take(REPOSITORY, ORDER, RUN, ("first", NOW - timedelta(seconds=1)), NOW)
    leased = order_store.leased("first")
    assert leased is not None
    assert not leased.is_over
    order_store.revoke(REPOSITORY, ORDER)
    leased = order_store.leased("first")
    assert leased is not None
    assert leased.is_over


def test_leases_from_before_the_second_shape_count_as_used(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path}/journal.db")
    config = Config()
    config.set_main_option("script_location", str(Path(store.__path__[0]) / "migrations"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "m0001")
        connection.execute(
            sa.text(
                "INSERT INTO desk (repository_id, order_id, body, workflow_run, lease_hash,"
                " leased_at, lease_until, revoked) VALUES (1, 'o1', :body, 7, 'x', :at, :at, 0)"
            ),
            {"body": an_order().model_dump_json(), "at": NOW.isoformat()},
        )
        command.upgrade(config, "head")
    assert SqlOrderStore(engine).take(REPOSITORY, ORDER, RUN, ("again", UNTIL), NOW) is None
    engine.dispose()
