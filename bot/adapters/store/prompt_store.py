"""The questions' desk in SQL: one row an asking, with its claim and then its reply.

The rule: a reply is written once and claims never overwrite one. Prompts, keys and addresses are
not stored.
"""

from collections.abc import Mapping
from datetime import datetime

import sqlalchemy as sa

from bot.adapters.store.engine import as_text, as_time, reading
from bot.adapters.store.tables import questions
from bot.core.values.ids import RepositoryId
from bot.core.values.prompt import Asked
from bot.ports import Asking


class SqlPromptStore:
    """Implements the port `PromptStore`."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def claim(self, asking: Asking, holder: str, until: datetime, now: datetime) -> bool:
        """Whether the asking is ours now: new, run out, or ours from before a restart."""
        row = {"holder": holder, "until": as_text(until)}
        key = {"repository_id": asking.repository, "asking": asking.id}
        try:
            with self._engine.begin() as connection:
                taken = connection.execute(
                    questions.update()
                    .where(
                        _is(asking),
                        questions.c.reply.is_(None),
                        sa.or_(questions.c.until <= as_text(now), questions.c.holder == holder),
                    )
                    .values(**row)
                )
                if taken.rowcount:
                    return True
                connection.execute(questions.insert().values(**key, **row))
        except sa.exc.IntegrityError:
            # It is there: being asked by another, or answered.
            return False
        return True

    def keep(self, asking: Asking, asked: Asked) -> None:
        """Keep what came of an asking; the first reply stays."""
        with self._engine.begin() as connection:
            connection.execute(
                questions.update()
                .where(_is(asking), questions.c.reply.is_(None))
                .values(reply=asked.model_dump_json())
            )

    def kept(self, repository: RepositoryId) -> Mapping[str, Asked]:
        """Every reply that lies ready."""
        with reading(self._engine) as connection:
            rows = connection.execute(
                sa.select(questions.c.asking, questions.c.reply).where(
                    questions.c.repository_id == repository, questions.c.reply.is_not(None)
                )
            ).all()
        return {row.asking: Asked.model_validate_json(row.reply) for row in rows}

    def claims(self, repository: RepositoryId) -> Mapping[str, datetime]:
        """Until when each asking without a reply is claimed."""
        with reading(self._engine) as connection:
            rows = connection.execute(
                sa.select(questions.c.asking, questions.c.until).where(
                    questions.c.repository_id == repository, questions.c.reply.is_(None)
                )
            ).all()
        return {row.asking: as_time(row.until) for row in rows}

    def let_go(self, holder: str) -> None:
        """Free what an asker that is dead, or has just begun again, was asking."""
        mine = sa.and_(questions.c.holder == holder, questions.c.reply.is_(None))
        with self._engine.begin() as connection:
            connection.execute(questions.delete().where(mine))

    def forget(self, repository: RepositoryId, askings: tuple[str, ...]) -> None:
        """Drop rows that have been taken."""
        with self._engine.begin() as connection:
            connection.execute(
                questions.delete().where(
                    questions.c.repository_id == repository, questions.c.asking.in_(askings)
                )
            )


def _is(asking: Asking) -> sa.ColumnElement[bool]:
    return sa.and_(questions.c.repository_id == asking.repository, questions.c.asking == asking.id)
