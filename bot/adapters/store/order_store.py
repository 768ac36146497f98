"""The order store in SQL: one row an order, given to one workflow run, renewed, handed in once.

Taking an order is one conditional update, so that two runners never hold one order; a
lease whose answer was lost is given to the same workflow run again, until somebody uses its token.
A token is kept as its hash. The caller decides whether a lease is over; here it is only kept. A report
after revocation is kept too, but never as an open order's.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime

import sqlalchemy as sa
from pydantic import TypeAdapter

from action.order import Order
from action.report import AgentReport, GateOrderReport, Report
from bot.adapters.store.engine import as_text, as_time, is_ahead, reading
from bot.adapters.store.schedule import write_hints
from bot.adapters.store.tables import orders
from bot.core.state.observed import Hint, OrderEntry
from bot.core.values.agent_activity import AgentActivity
from bot.core.values.ids import Digest, OrderId, RepositoryId, WorkflowRunId
from bot.order_ports import LEASE, ApprovedFile, LeasedOrder

_ORDERS: TypeAdapter[Order] = TypeAdapter(Order)
_REPORTS: TypeAdapter[Report] = TypeAdapter(Report)
_ENTRIES = sa.select(orders).where(
    orders.c.repository_id == sa.bindparam("repository"),
    orders.c.order_id.in_(sa.bindparam("orders", expanding=True)),
)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class SqlOrderStore:
    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def place(
        self, repository: RepositoryId, order: Order, workflow: ApprovedFile | None = None
    ) -> None:
        """Lay an order out; the same order laid out again keeps its first body."""
        file = workflow.model_dump_json() if workflow else None
        row = orders.insert().values(
            repository_id=repository,
            order_id=order.order_id,
            body=_ORDERS.dump_json(order).decode(),
            revoked=False,
            workflow_file=file,
        )
        again = (
            orders.update()
            .where(orders.c.repository_id == repository, orders.c.order_id == order.order_id)
            .values(workflow_file=file)
        )
        try:
            with self._engine.begin() as connection:
                connection.execute(row)
        except sa.exc.IntegrityError:
            with self._engine.begin() as connection:
                connection.execute(again)

    def workflow(self, repository: RepositoryId, order: OrderId) -> ApprovedFile | None:
        with reading(self._engine) as connection:
            found = connection.execute(
                sa.select(orders.c.workflow_file).where(
                    orders.c.repository_id == repository, orders.c.order_id == order
                )
            ).scalar()
        return ApprovedFile.model_validate_json(found) if found else None

    def bind(self, repository: RepositoryId, order: OrderId, run: WorkflowRunId) -> None:
        with self._engine.begin() as connection:
            connection.execute(
                orders.update()
                .where(
                    orders.c.repository_id == repository,
                    orders.c.order_id == order,
                    orders.c.workflow_run.is_(None),
                )
                .values(workflow_run=run)
            )

    def take(
        self,
        repository: RepositoryId,
        order: OrderId,
        run: WorkflowRunId,
        lease: tuple[str, datetime],
        now: datetime,
    ) -> Order | None:
        """Give the order to a workflow run; `lease` is the token and when it runs out.

        The same run may ask again until its token was used: then only the newest token is good. A run
        that has an order gets no other, not even one whose run is not known yet.
        """
        token, until = lease
        others = orders.alias()
        has_another = sa.exists().where(
            others.c.repository_id == repository,
            others.c.workflow_run == run,
            others.c.order_id != order,
        )
        with self._engine.begin() as connection:
            taken = connection.execute(
                orders.update()
                .where(
                    orders.c.repository_id == repository,
                    orders.c.order_id == order,
                    orders.c.used_at.is_(None),
                    orders.c.report.is_(None),
                    orders.c.revoked.is_(False),
                    sa.or_(orders.c.workflow_run.is_(None), orders.c.workflow_run == run),
                    ~has_another,
                )
                .values(
                    lease_hash=_hash(token),
                    workflow_run=run,
                    leased_at=sa.func.coalesce(orders.c.leased_at, as_text(now)),
                    lease_until=as_text(until),
                )
            )
            if taken.rowcount != 1:
                return None
            body = connection.execute(
                sa.select(orders.c.body).where(
                    orders.c.repository_id == repository, orders.c.order_id == order
                )
            ).scalar_one()
        return _ORDERS.validate_json(body)

    def leased(self, token: str) -> LeasedOrder | None:
        """The order of a token; None for an unknown token, or one that is not the newest of its order."""
        with reading(self._engine) as connection:
            row = connection.execute(
                sa.select(orders).where(orders.c.lease_hash == _hash(token))
            ).first()
        if row is None:
            return None
        return LeasedOrder(
            repository=RepositoryId(row.repository_id),
            order=OrderId(row.order_id),
            is_over=row.revoked or row.report is not None,
        )

    def at_work(self, repository: RepositoryId, order: OrderId, now: datetime) -> Order | None:
        """The order while a runner works on it; None before, afterwards, and without heartbeats."""
        with reading(self._engine) as connection:
            body = connection.execute(
                sa.select(orders.c.body).where(
                    orders.c.repository_id == repository,
                    orders.c.order_id == order,
                    orders.c.revoked.is_(False),
                    orders.c.report.is_(None),
                    is_ahead(orders.c.lease_until, now, LEASE),
                )
            ).scalar()
        return _ORDERS.validate_json(body) if body is not None else None

    def renew(self, token: str, until: datetime, now: datetime) -> None:
        """The token was used: the runner is alive, and has the answer to its `take`."""
        with self._engine.begin() as connection:
            connection.execute(_renewal(token, until, now))

    def reserve(self, token: str, count: int, most: int) -> bool:
        """Whether so many bytes more may be taken of the lease's runner: `most` in all."""
        after = sa.func.coalesce(orders.c.kept_bytes, 0) + count
        with self._engine.begin() as connection:
            done = connection.execute(
                orders.update()
                .where(orders.c.lease_hash == _hash(token), after <= most)
                .values(kept_bytes=after)
            )
        return done.rowcount == 1

    def settle(
        self,
        token: str,
        reserved: int,
        kept: tuple[int, Digest | None],
        renewed: tuple[datetime, datetime] | None = None,
    ) -> None:
        """Count what was kept, in place of what was reserved; the same bundle again counts once."""
        count, bundle = kept
        again = orders.c.bundle_digest == bundle if bundle else sa.false()
        with self._engine.begin() as connection:
            connection.execute(
                orders.update()
                .where(orders.c.lease_hash == _hash(token))
                .values(
                    kept_bytes=orders.c.kept_bytes - reserved + sa.case((again, 0), else_=count),
                    bundle_digest=bundle or orders.c.bundle_digest,
                )
            )
            if renewed is not None:
                connection.execute(_renewal(token, *renewed))

    def revoke(self, repository: RepositoryId, order: OrderId) -> None:
        with self._engine.begin() as connection:
            connection.execute(
                orders.update()
                .where(orders.c.repository_id == repository, orders.c.order_id == order)
                .values(revoked=True)
            )

    def hand_in(self, token: str, report: Report, digest: Digest, hint: Hint) -> None:
        """Keep the report, and leave the hint; the first one counts, and the same one again
        changes nothing."""
        mine = sa.select(orders.c.repository_id).where(orders.c.lease_hash == _hash(token))
        with self._engine.begin() as connection:
            repository = connection.execute(mine).scalar()
            if repository is not None:
                write_hints(connection, {RepositoryId(repository): (hint,)})
            connection.execute(
                orders.update()
                .where(orders.c.lease_hash == _hash(token), orders.c.report.is_(None))
                .values(report=_REPORTS.dump_json(report).decode(), report_digest=digest)
            )

    def entries(
        self, repository: RepositoryId, orders: tuple[OrderId, ...]
    ) -> Mapping[OrderId, OrderEntry]:
        if not orders:
            return {}
        with reading(self._engine) as connection:
            asked = {"repository": repository, "orders": orders}
            rows = connection.execute(_ENTRIES, asked).all()
        return {OrderId(r.order_id): _entry(r) for r in rows}


def _renewal(token: str, until: datetime, now: datetime) -> sa.Update:
    return (
        orders.update()
        .where(orders.c.lease_hash == _hash(token), orders.c.revoked.is_(False))
        .values(
            lease_until=as_text(until), used_at=sa.func.coalesce(orders.c.used_at, as_text(now))
        )
    )


def _entry(row: sa.Row[tuple[object, ...]]) -> OrderEntry:
    report: AgentReport | GateOrderReport | None = (
        _REPORTS.validate_json(row.report) if row.report else None
    )
    return OrderEntry(
        order=OrderId(row.order_id),
        workflow_run=row.workflow_run,
        leased_at=as_time(row.leased_at) if row.leased_at else None,
        lease_until=as_time(row.lease_until) if row.lease_until else None,
        report_digest=row.report_digest,
        report=report,
        doing=AgentActivity.model_validate_json(row.doing) if row.doing else None,
    )
