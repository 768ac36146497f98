"""What keeps failing, in SQL beside the inbox: writing it down never waits for the journal."""

from collections.abc import Collection
from datetime import datetime

import sqlalchemy as sa

from bot.adapters.store.engine import as_text, as_time, insert_of, reading
from bot.adapters.store.tables import troubles
from bot.core.state.troubles import TOLD_FOR, met_again
from bot.core.values.trouble import Trouble, TroubleKind

_NAMED = sa.and_(
    troubles.c.kind.in_(sa.bindparam("kinds", expanding=True)),
    troubles.c.about.in_(sa.bindparam("abouts", expanding=True)),
)
_IS_KNOWN = sa.select(sa.exists().where(_NAMED))
_FORGET = troubles.delete().where(_NAMED)


class SqlTroubles:
    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._insert = insert_of(engine)

    def meet(self, trouble: Trouble) -> tuple[Trouble, bool]:
        mine = sa.and_(troubles.c.kind == trouble.kind.value, troubles.c.about == trouble.about)
        with self._engine.begin() as connection:
            row = connection.execute(sa.select(troubles).where(mine).with_for_update()).first()
            known = None if row is None else _read(row)
            now = met_again(known, trouble)
            values = {
                "since": as_text(now.since),
                "at": as_text(now.at),
                "tries": now.tries,
                "until": as_text(now.until),
                "why": now.why,
                "progress": now.progress,
            }
            keys = {"kind": now.kind.value, "about": now.about}
            row_now = self._insert(troubles).values(**keys, **values)
            connection.execute(
                row_now.on_conflict_do_update(index_elements=["kind", "about"], set_=values)
            )
            self._forget_old(connection, trouble.at)
        return now, known is None or (known.tries, known.since) != (now.tries, now.since)

    def _forget_old(self, connection: sa.Connection, now: datetime) -> None:
        """A delivery that was given up is never reported as over, so its trouble ends by age."""
        connection.execute(troubles.delete().where(troubles.c.at < as_text(now - TOLD_FOR)))

    def over(self, kinds: Collection[TroubleKind], abouts: Collection[str]) -> None:
        named = {"kinds": [kind.value for kind in kinds], "abouts": list(abouts)}
        with reading(self._engine) as connection:
            if connection.execute(_IS_KNOWN, named).scalar() is not True:
                return
        with self._engine.begin() as connection:
            connection.execute(_FORGET, named)

    def all(self) -> tuple[Trouble, ...]:
        with reading(self._engine) as connection:
            # A newer release may run on the same database: it reports the kinds that only it knows.
            mine = troubles.c.kind.in_([kind.value for kind in TroubleKind])
            return tuple(_read(row) for row in connection.execute(sa.select(troubles).where(mine)))


def _read(row: sa.Row[tuple[object, ...]]) -> Trouble:
    return Trouble(
        kind=TroubleKind(row.kind),
        about=row.about,
        since=as_time(row.since),
        at=as_time(row.at),
        tries=row.tries,
        until=as_time(row.until),
        why=row.why,
        progress=row.progress,
    )
