"""What was read of texts that may cost much, in SQL beside the journal; a cache by content."""

import zlib
from datetime import datetime, timedelta

import sqlalchemy as sa

from bot.adapters.store.engine import as_text, insert_of, is_ahead, reading
from bot.adapters.store.tables import readings

# A pull that nobody has looked at for so long is read again.
_KEPT = timedelta(days=14)
# A job of a reading is ended before that.
_ENDED = timedelta(seconds=90)


class SqlReadings:
    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._insert = insert_of(engine)

    def get(self, key: str) -> bytes | None:
        with reading(self._engine) as connection:
            body = connection.execute(
                sa.select(readings.c.body).where(readings.c.key == key)
            ).scalar()
        return None if body is None else zlib.decompress(body)

    def begin(self, key: str, now: datetime) -> int | None:
        row = self._insert(readings).values(key=key, at=as_text(now), tries=1, body=None)
        mine = readings.c.key == key
        is_under_way = is_ahead(readings.c.at, now - _ENDED, _ENDED)
        is_given_up = sa.and_(mine, readings.c.body.is_(None), ~is_under_way)
        with self._engine.begin() as connection:
            connection.execute(readings.delete().where(readings.c.at < as_text(now - _KEPT)))
            # The rows of an insert are not counted by every driver.
            is_first = row.on_conflict_do_nothing().returning(readings.c.key)
            if connection.execute(is_first).scalar() is not None:
                return 1
            again = {"tries": readings.c.tries + 1, "at": as_text(now)}
            done = connection.execute(readings.update().where(is_given_up).values(**again))
            if done.rowcount != 1:
                return None
            return int(connection.execute(sa.select(readings.c.tries).where(mine)).scalar_one())

    def put(self, key: str, body: bytes, now: datetime) -> None:
        values = {"at": as_text(now), "body": zlib.compress(body)}
        row = self._insert(readings).values(key=key, tries=1, **values)
        with self._engine.begin() as connection:
            connection.execute(row.on_conflict_do_update(index_elements=["key"], set_=values))
