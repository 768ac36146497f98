"""What runs say and do while they work, and what people tell them, in SQL beside the orders.

The journal has nothing of it: it is for people who look, and goes after some weeks.
"""

from datetime import datetime, timedelta

import sqlalchemy as sa
from pydantic import TypeAdapter

from action.order import EventBatch, ToldWords
from bot.adapters.store.engine import as_text, as_time, insert_of, reading
from bot.adapters.store.tables import orders, transcripts
from bot.core.values.agent_activity import AgentActivity, UnshownRun
from bot.core.values.ids import OrderId, RepositoryId

_KEPT = timedelta(days=30)
# Of one run; where it says more, its beginning goes.
_CHARACTERS_MAX = 2 * 1024**2
# A run says something every few seconds at most.
_BATCHES_MAX = 10_000
_TOLD: TypeAdapter[tuple[ToldWords, ...]] = TypeAdapter(tuple[ToldWords, ...])
_SHOWN_TO_THE_END = "end"
_UNSHOWN = sa.select(orders.c.order_id, orders.c.doing, orders.c.shown_at).where(
    orders.c.repository_id == sa.bindparam("repository"),
    orders.c.doing.is_not(None),
    sa.or_(orders.c.shown.is_(None), orders.c.shown != _SHOWN_TO_THE_END),
)


class SqlTranscripts:
    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._insert = insert_of(engine)

    def tell(self, repository: RepositoryId, order: OrderId, told: tuple[ToldWords, ...]) -> None:
        with self._engine.begin() as connection:
            connection.execute(
                orders.update()
                .where(*_is_row(repository, order))
                .values(told=_TOLD.dump_json(told).decode())
            )

    def told(self, repository: RepositoryId, order: OrderId) -> tuple[ToldWords, ...]:
        with reading(self._engine) as connection:
            body = connection.execute(
                sa.select(orders.c.told).where(*_is_row(repository, order))
            ).scalar()
        return _TOLD.validate_json(body) if body else ()

    def keep(
        self, repository: RepositoryId, order: OrderId, batch: EventBatch, now: datetime
    ) -> None:
        doing = AgentActivity(status=batch.status, at=now)
        mine = (transcripts.c.repository_id == repository, transcripts.c.order_id == order)
        # A batch whose answer was lost comes again, with more lines behind it.
        values = {"at": as_text(now), "lines": "\n".join(batch.lines)}
        row = self._insert(transcripts).values(
            repository_id=repository, order_id=order, first=batch.first, **values
        )
        with self._engine.begin() as connection:
            connection.execute(
                orders.update()
                .where(*_is_row(repository, order))
                .values(doing=doing.model_dump_json())
            )
            if not batch.lines:
                return
            connection.execute(
                row.on_conflict_do_update(
                    index_elements=["repository_id", "order_id", "first"], set_=values
                )
            )
            connection.execute(transcripts.delete().where(transcripts.c.at < as_text(now - _KEPT)))
            sizes = connection.execute(
                sa.select(transcripts.c.first, sa.func.length(transcripts.c.lines))
                .where(*mine)
                .order_by(transcripts.c.first.desc())
            ).all()
            characters = 0
            for batches, (first, size) in enumerate(sizes):
                characters += size
                if characters > _CHARACTERS_MAX or batches >= _BATCHES_MAX:
                    connection.execute(
                        transcripts.delete().where(*mine, transcripts.c.first <= first)
                    )
                    return

    def doing(self, repository: RepositoryId, order: OrderId) -> AgentActivity | None:
        """The newest message of a run about what it does."""
        with reading(self._engine) as connection:
            body = connection.execute(
                sa.select(orders.c.doing).where(*_is_row(repository, order))
            ).scalar()
        return AgentActivity.model_validate_json(body) if body else None

    def lines(
        self, repository: RepositoryId, order: OrderId, since: int = 0
    ) -> tuple[tuple[int, str], ...]:
        with reading(self._engine) as connection:
            rows = connection.execute(
                sa.select(transcripts.c.first, transcripts.c.lines)
                .where(transcripts.c.repository_id == repository, transcripts.c.order_id == order)
                .order_by(transcripts.c.first)
            ).all()
        found: dict[int, str] = {}
        for first, lines in rows:
            found.update(enumerate(lines.split("\n"), start=first))
        return tuple((number, line) for number, line in sorted(found.items()) if number >= since)

    def unshown(self, repository: RepositoryId) -> tuple[UnshownRun, ...]:
        with reading(self._engine) as connection:
            rows = connection.execute(_UNSHOWN, {"repository": repository}).all()
        return tuple(
            UnshownRun(
                order=OrderId(row.order_id),
                doing=AgentActivity.model_validate_json(row.doing),
                shown_at=as_time(row.shown_at) if row.shown_at else None,
            )
            for row in rows
        )

    def shown(self, of: RepositoryId, order: OrderId, at: datetime, *, is_end: bool) -> None:
        with self._engine.begin() as connection:
            connection.execute(
                orders.update()
                .where(*_is_row(of, order))
                .values(shown_at=as_text(at), shown=_SHOWN_TO_THE_END if is_end else "")
            )


def _is_row(
    repository: RepositoryId, order: OrderId
) -> tuple[sa.ColumnElement[bool], sa.ColumnElement[bool]]:
    return (orders.c.repository_id == repository, orders.c.order_id == order)
