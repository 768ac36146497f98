"""The inbox in SQL: raw deliveries, unique by GUID, stored before the 202.

Deliveries that come at the same time share a commit: a thread that finds no other writing writes all
that wait, and each returns after the commit that holds its own row. So a slow disk makes larger
groups, not a longer queue. Each waits at a gate of its own, so that nobody is woken but
the threads that are answered and the one that writes next.
"""

import threading
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import sqlalchemy as sa

from bot.adapters.store.engine import as_text, insert_of, latest, reading
from bot.adapters.store.tables import deliveries, troubles
from bot.core.values.trouble import TroubleKind
from bot.ports import Delivery, Retryable

_MARK_READ = (
    deliveries.update()
    .where(deliveries.c.id.in_(sa.bindparam("ids", expanding=True)))
    .values(is_read=True, body=b"")
)
_CLOCKS_DIFFER = timedelta(minutes=1)
# Between two tries of one that failed.
_WAIT_MOST = timedelta(hours=1)
_WAITS = sa.exists().where(
    troubles.c.kind == TroubleKind.DELIVERY.value,
    troubles.c.about == deliveries.c.id,
    troubles.c.until.between(sa.bindparam("before"), sa.bindparam("latest")),
)
_UNREAD = (
    sa.select(deliveries.c.id)
    .where(
        deliveries.c.is_read.is_(False),
        ~deliveries.c.received_at.between(sa.bindparam("after"), sa.bindparam("received")),
        ~_WAITS,
    )
    .order_by(deliveries.c.received_at)
    .limit(500)
)


@dataclass
class _Row:
    """A delivery on its way; `is_new` once it is committed, or why it could not be.

    `gate` opens once: when the row is settled, or when its thread is to write (`is_turn`).
    """

    delivery: Delivery
    received_at: str
    is_new: bool | None = None
    failure: sa.exc.SQLAlchemyError | Retryable | None = None
    is_turn: bool = False
    gate: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.gate.acquire()


class SqlInbox:
    """Implements the port `Inbox`; for many threads of one process, and many processes."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._waiting: list[_Row] = []
        self._is_writing = False
        self._turn = threading.Lock()
        # The database itself tells which rows are new; a look before would be a race.
        insert = insert_of(engine)
        self._insert = insert(deliveries).on_conflict_do_nothing().returning(deliveries.c.id)

    def put(self, delivery: Delivery, now: datetime) -> bool:
        mine = _Row(delivery, as_text(now))
        with self._turn:
            self._waiting.append(mine)
            mine.is_turn = not self._is_writing
            self._is_writing = True
        if not mine.is_turn:
            mine.gate.acquire()
        if mine.is_turn:
            self._write_all_that_wait()
        if mine.is_new is None:
            raise mine.failure or RuntimeError("whoever wrote this delivery's group did not end")
        return mine.is_new

    def _write_all_that_wait(self) -> None:
        """Write a group, with the caller's own row first in it, and hand the turn on."""
        with self._turn:
            group, self._waiting = self._waiting, []
        try:
            self._write(group)
        finally:
            with self._turn:
                following = self._waiting[0] if self._waiting else None
                self._is_writing = following is not None
            # The next group goes to the disk while this one is answered.
            if following is not None:
                following.is_turn = True
                following.gate.release()
            for row in group[1:]:
                row.gate.release()

    def _write(self, group: list[_Row]) -> None:
        """Write all rows of a group in one commit; each row gets its outcome."""
        rows = [
            {
                "id": row.delivery.id,
                "event": row.delivery.event,
                "received_at": row.received_at,
                "is_read": False,
                "body": row.delivery.body,
            }
            for row in group
        ]
        try:
            with self._engine.begin() as connection:
                new = set(connection.execute(self._insert, rows).scalars())
        except (sa.exc.SQLAlchemyError, Retryable) as failure:
            for row in group:
                row.failure = failure
            return
        for row in group:
            row.is_new = row.delivery.id in new
            # The same GUID twice in one group is stored once, for the first of them.
            new.discard(row.delivery.id)

    def get(self, delivery_id: str) -> Delivery | None:
        with reading(self._engine) as connection:
            row = connection.execute(
                sa.select(deliveries).where(deliveries.c.id == delivery_id)
            ).first()
        if row is None:
            return None
        return Delivery(id=row.id, event=row.event, body=row.body)

    def mark_read(self, delivery_ids: tuple[str, ...]) -> None:
        """Their hints have been left; they are not read again. Bodies are dropped: GUIDs stay."""
        with self._engine.begin() as connection:
            connection.execute(_MARK_READ, {"ids": delivery_ids})

    def unread(self, before: datetime) -> tuple[str, ...]:
        """Unread deliveries received before a time, oldest first, without those that failed and wait
        for their next try.
        """
        with reading(self._engine) as connection:
            # What was received later than it can have been was received by a clock that was wrong.
            times = {
                "before": as_text(before),
                "after": as_text(before + timedelta.resolution),
                "received": latest(before, _CLOCKS_DIFFER),
                "latest": latest(before, _WAIT_MOST),
            }
            return tuple(connection.execute(_UNREAD, times).scalars())
