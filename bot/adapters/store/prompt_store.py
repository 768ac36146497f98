"""Prompt attempts in SQL: one row each, with its claim and then its result.

Prompts, keys and addresses are not stored.
"""

from collections.abc import Mapping
from datetime import datetime

import sqlalchemy as sa

from bot.adapters.store.engine import as_text, as_time, is_ahead, reading
from bot.adapters.store.tables import questions
from bot.core.values.ids import RepositoryId
from bot.core.values.prompt import PromptResult
from bot.ports import PromptAttempt


class SqlPromptStore:
    """Implements the port `PromptStore`."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def claim(self, attempt: PromptAttempt, holder: str, until: datetime, now: datetime) -> bool:
        """True if the attempt is new, its claim has run out, or it is ours from before a restart."""
        row = {"holder": holder, "until": as_text(until)}
        key = {"repository_id": attempt.repository, "asking": attempt.id}
        try:
            with self._engine.begin() as connection:
                taken = connection.execute(
                    questions.update()
                    .where(
                        _is(attempt),
                        questions.c.reply.is_(None),
                        sa.or_(
                            ~is_ahead(questions.c.until, now, until - now),
                            questions.c.holder == holder,
                        ),
                    )
                    .values(**row)
                )
                if taken.rowcount:
                    return True
                connection.execute(questions.insert().values(**key, **row))
        except sa.exc.IntegrityError:
            # Another holder has claimed it, or it has a result.
            return False
        return True

    def keep(self, attempt: PromptAttempt, result: PromptResult) -> None:
        """Store a result; the first one stays."""
        with self._engine.begin() as connection:
            connection.execute(
                questions.update()
                .where(_is(attempt), questions.c.reply.is_(None))
                .values(reply=result.model_dump_json())
            )

    def kept(self, repository: RepositoryId) -> Mapping[str, PromptResult]:
        with reading(self._engine) as connection:
            rows = connection.execute(
                sa.select(questions.c.asking, questions.c.reply).where(
                    questions.c.repository_id == repository, questions.c.reply.is_not(None)
                )
            ).all()
        return {row.asking: PromptResult.model_validate_json(row.reply) for row in rows}

    def claims(self, repository: RepositoryId) -> Mapping[str, datetime]:
        """When the claim of each attempt without a result ends."""
        with reading(self._engine) as connection:
            rows = connection.execute(
                sa.select(questions.c.asking, questions.c.until).where(
                    questions.c.repository_id == repository, questions.c.reply.is_(None)
                )
            ).all()
        return {row.asking: as_time(row.until) for row in rows}

    def release_claims_of(self, holder: str) -> None:
        """Free the attempts of a holder that is dead or has just started again."""
        mine = sa.and_(questions.c.holder == holder, questions.c.reply.is_(None))
        with self._engine.begin() as connection:
            connection.execute(questions.delete().where(mine))

    def forget(self, repository: RepositoryId, attempts: tuple[str, ...]) -> None:
        """Delete the rows of attempts that the journal has recorded."""
        with self._engine.begin() as connection:
            connection.execute(
                questions.delete().where(
                    questions.c.repository_id == repository, questions.c.asking.in_(attempts)
                )
            )


def _is(attempt: PromptAttempt) -> sa.ColumnElement[bool]:
    return sa.and_(
        questions.c.repository_id == attempt.repository, questions.c.asking == attempt.id
    )
