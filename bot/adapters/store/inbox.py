"""The inbox in SQL: raw deliveries, unique by GUID, stored before the 202."""

from datetime import datetime

import sqlalchemy as sa

from bot.adapters.store.engine import as_text, reading
from bot.adapters.store.tables import deliveries
from bot.ports import Delivery


class SqlInbox:
    """Implements the port `Inbox`."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def put(self, delivery: Delivery, now: datetime) -> bool:
        """Store a delivery; False where its GUID is there already."""
        try:
            with self._engine.begin() as connection:
                connection.execute(
                    deliveries.insert().values(
                        id=delivery.id,
                        event=delivery.event,
                        received_at=as_text(now),
                        is_read=False,
                        body=delivery.body,
                    )
                )
        except sa.exc.IntegrityError:
            return False
        return True

    def get(self, delivery_id: str) -> Delivery | None:
        """A stored delivery."""
        with reading(self._engine) as connection:
            row = connection.execute(
                sa.select(deliveries).where(deliveries.c.id == delivery_id)
            ).first()
        if row is None:
            return None
        return Delivery(id=row.id, event=row.event, body=row.body)

    def mark_read(self, delivery_id: str) -> None:
        """Its hints have been left; it is not read again. Its body is dropped: GUIDs stay."""
        with self._engine.begin() as connection:
            connection.execute(
                deliveries.update()
                .where(deliveries.c.id == delivery_id)
                .values(is_read=True, body=b"")
            )

    def unread(self, before: datetime) -> tuple[str, ...]:
        """Deliveries received before a time that nobody has read, oldest first."""
        with reading(self._engine) as connection:
            rows = connection.execute(
                sa.select(deliveries.c.id)
                .where(
                    deliveries.c.is_read.is_(False),
                    deliveries.c.received_at <= as_text(before),
                )
                .order_by(deliveries.c.received_at)
                .limit(500)
            )
            return tuple(row.id for row in rows)
