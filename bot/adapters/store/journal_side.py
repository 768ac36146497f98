"""What stands beside the journal: hints, times to wake, pauses."""

from collections.abc import Mapping
from datetime import datetime

import sqlalchemy as sa

from bot.adapters.store.engine import as_text, as_time, reading
from bot.adapters.store.tables import hints, pauses, wake_ups
from bot.core.state.observed import Hint
from bot.core.values.ids import RepositoryId


class SqlJournalSide:
    """The half of `SqlJournal` that holds no events."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def put_hints(self, repository: RepositoryId, new_hints: tuple[Hint, ...]) -> None:
        """Leave word of what to look at."""
        if not new_hints:
            return
        with self._engine.begin() as connection:
            connection.execute(
                hints.insert(),
                [
                    {"repository_id": repository, "body": hint.model_dump_json()}
                    for hint in new_hints
                ],
            )

    def hints(self, repository: RepositoryId) -> Mapping[int, Hint]:
        """The hints that wait, by number."""
        with reading(self._engine) as connection:
            rows = connection.execute(sa.select(hints).where(hints.c.repository_id == repository))
            return {r.number: Hint.model_validate_json(r.body) for r in rows}

    def drop_hints(self, numbers: tuple[int, ...]) -> None:
        """Forget hints that have been looked at."""
        if not numbers:
            return
        with self._engine.begin() as connection:
            connection.execute(hints.delete().where(hints.c.number.in_(numbers)))

    def set_wake_at(self, repository: RepositoryId, at: datetime | None) -> None:
        """When the sweep is to ring; None: only a nudge or the full look."""
        with self._engine.begin() as connection:
            connection.execute(wake_ups.delete().where(wake_ups.c.repository_id == repository))
            if at is not None:
                connection.execute(
                    wake_ups.insert().values(repository_id=repository, at=as_text(at))
                )

    def due(self, now: datetime) -> tuple[RepositoryId, ...]:
        """Repositories whose time has come, or for which hints wait."""
        with reading(self._engine) as connection:
            found = connection.execute(
                sa.union(
                    sa.select(wake_ups.c.repository_id).where(wake_ups.c.at <= as_text(now)),
                    sa.select(hints.c.repository_id),
                )
            )
            return tuple(RepositoryId(row[0]) for row in found)

    def pause(self, whom: str, until: datetime) -> None:
        """Ask nothing on somebody's behalf until then; an earlier time does not shorten it."""
        with self._engine.begin() as connection:
            known = connection.execute(
                sa.select(pauses.c.until).where(pauses.c.whom == whom)
            ).scalar()
            if known is not None and known >= as_text(until):
                return
            connection.execute(pauses.delete().where(pauses.c.whom == whom))
            connection.execute(pauses.insert().values(whom=whom, until=as_text(until)))

    def paused_until(self, whom: tuple[str, ...], now: datetime) -> datetime | None:
        """When the longest of these pauses ends; None where there is none now."""
        with self._engine.connect() as connection:
            until = connection.execute(
                sa.select(sa.func.max(pauses.c.until)).where(
                    pauses.c.whom.in_(whom), pauses.c.until > as_text(now)
                )
            ).scalar()
        return None if until is None else as_time(until)
