"""Prompt attempts in SQL: one row each, with its claim and then its result.

Prompts, keys and addresses are not stored.
"""

from collections.abc import Mapping
from datetime import datetime

import sqlalchemy as sa

from bot.adapters.store.engine import as_text, as_time, is_ahead, reading
from bot.adapters.store.tables import prompts
from bot.core.values.ids import RepositoryId
from bot.core.values.prompt import PromptResult
from bot.ports import PromptAttempt


class SqlPromptStore:
    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def claim(self, attempt: PromptAttempt, holder: str, until: datetime, now: datetime) -> bool:
        """True if the attempt is new, its claim has run out, or it is ours from before a restart."""
        row = {"holder": holder, "until": as_text(until)}
        key = {"repository_id": attempt.repository, "asking": attempt.id}
        try:
            with self._engine.begin() as connection:
                taken = connection.execute(
                    prompts.update()
                    .where(
                        _is(attempt),
                        prompts.c.reply.is_(None),
                        sa.or_(
                            ~is_ahead(prompts.c.until, now, until - now),
                            prompts.c.holder == holder,
                        ),
                    )
                    .values(**row)
                )
                if taken.rowcount:
                    return True
                connection.execute(prompts.insert().values(**key, **row))
        except sa.exc.IntegrityError:
            # Another holder has claimed it, or it has a result.
            return False
        return True

    def keep(self, attempt: PromptAttempt, result: PromptResult) -> None:
        with self._engine.begin() as connection:
            connection.execute(
                prompts.update()
                .where(_is(attempt), prompts.c.reply.is_(None))
                .values(reply=result.model_dump_json())
            )

    def kept(self, repository: RepositoryId) -> Mapping[str, PromptResult]:
        with reading(self._engine) as connection:
            rows = connection.execute(
                sa.select(prompts.c.asking, prompts.c.reply).where(
                    prompts.c.repository_id == repository, prompts.c.reply.is_not(None)
                )
            ).all()
        return {row.asking: PromptResult.model_validate_json(row.reply) for row in rows}

    def claims(self, repository: RepositoryId) -> Mapping[str, datetime]:
        with reading(self._engine) as connection:
            rows = connection.execute(
                sa.select(prompts.c.asking, prompts.c.until).where(
                    prompts.c.repository_id == repository, prompts.c.reply.is_(None)
                )
            ).all()
        return {row.asking: as_time(row.until) for row in rows}

    def release_claims_of(self, holder: str) -> None:
        """Free the attempts of a holder that is dead or has just started again."""
        mine = sa.and_(prompts.c.holder == holder, prompts.c.reply.is_(None))
        with self._engine.begin() as connection:
            connection.execute(prompts.delete().where(mine))

    def forget(self, repository: RepositoryId, attempts: tuple[str, ...]) -> None:
        """Delete the rows of attempts that the journal has recorded."""
        with self._engine.begin() as connection:
            connection.execute(
                prompts.delete().where(
                    prompts.c.repository_id == repository, prompts.c.asking.in_(attempts)
                )
            )


def _is(attempt: PromptAttempt) -> sa.ColumnElement[bool]:
    return sa.and_(prompts.c.repository_id == attempt.repository, prompts.c.asking == attempt.id)
