"""When to look at a repository: hints, times to wake, pauses."""

from collections.abc import Mapping
from datetime import datetime, timedelta

import sqlalchemy as sa
from pydantic import ValidationError

from bot.adapters.store.engine import as_text, as_time, latest, reading
from bot.adapters.store.tables import hints, pauses, repositories, wake_ups
from bot.core.state.observed import Hint, HintKind
from bot.core.values.ids import RepositoryId

# What is asked in every round is built once: to build a statement takes longer than to execute it.
_HINTS = sa.select(hints).where(hints.c.repository_id == sa.bindparam("repository"))
_DUE = sa.union(
    sa.select(wake_ups.c.repository_id).where(wake_ups.c.at <= sa.bindparam("now")),
    sa.select(hints.c.repository_id),
)
_STIRRED = sa.select(repositories.c.repository_id, repositories.c.stirred)
_HINTED = sa.select(hints.c.repository_id).distinct()
_DROP = hints.delete().where(hints.c.number.in_(sa.bindparam("numbers", expanding=True)))
_MY_WAKE_UP = wake_ups.c.repository_id == sa.bindparam("repository")
_WAKES_AT = sa.select(wake_ups.c.at).where(_MY_WAKE_UP)
_NO_WAKE = wake_ups.delete().where(_MY_WAKE_UP)
# GitHub is waited for a day at most, and so is what fails.
_PAUSE_MOST = timedelta(days=1)
_IS_IN_FORCE = pauses.c.until.between(sa.bindparam("now"), sa.bindparam("latest"))
_PAUSED = sa.select(pauses.c.whom).where(_IS_IN_FORCE)
_PAUSED_UNTIL = sa.select(sa.func.max(pauses.c.until)).where(
    pauses.c.whom.in_(sa.bindparam("whom", expanding=True)), _IS_IN_FORCE
)


class SqlSchedule:
    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def put_hints(self, repository: RepositoryId, new_hints: tuple[Hint, ...]) -> None:
        self.put_hints_of({repository: new_hints})

    def put_hints_of(self, new_hints: Mapping[RepositoryId, tuple[Hint, ...]]) -> None:
        if not any(new_hints.values()):
            return
        with self._engine.begin() as connection:
            write_hints(connection, new_hints)

    def stirred(self) -> Mapping[RepositoryId, int]:
        """Every repository of `repositories`, and how often hints were left but by the sweep."""
        with reading(self._engine) as connection:
            rows = connection.execute(_STIRRED).all()
            hinted = connection.execute(_HINTED).scalars()
            found = dict.fromkeys(map(RepositoryId, hinted), 0)
        return found | {RepositoryId(row[0]): row[1] for row in rows}

    def hints(self, repository: RepositoryId) -> Mapping[int, Hint]:
        with reading(self._engine) as connection:
            rows = connection.execute(_HINTS, {"repository": repository})
            return {r.number: _hint_of(r.body) for r in rows}

    def drop_hints(self, numbers: tuple[int, ...]) -> None:
        if numbers:
            with self._engine.begin() as connection:
                drop(connection, numbers)

    def set_wake_at(self, repository: RepositoryId, at: datetime | None) -> None:
        """When the sweep is to ring; None: only a nudge or the full look."""
        with self._engine.begin() as connection:
            write_wake_at(connection, repository, at)

    def due(self, now: datetime) -> tuple[RepositoryId, ...]:
        """Repositories whose time has come or for which hints wait, without the paused ones."""
        with reading(self._engine) as connection:
            paused = set(connection.execute(_PAUSED, _in_force(now)).scalars())
            found = connection.execute(_DUE, {"now": as_text(now)})
            return tuple(RepositoryId(row[0]) for row in found if str(row[0]) not in paused)

    def pause(self, whom: str, until: datetime) -> None:
        """Ask nothing on somebody's behalf until then; an earlier time does not shorten it."""
        with self._engine.begin() as connection:
            known = connection.execute(
                sa.select(pauses.c.until).where(pauses.c.whom == whom)
            ).scalar()
            if known is not None and as_text(until) <= known <= latest(until, _PAUSE_MOST):
                return
            connection.execute(pauses.delete().where(pauses.c.whom == whom))
            connection.execute(pauses.insert().values(whom=whom, until=as_text(until)))

    def paused_until(self, whom: tuple[str, ...], now: datetime) -> datetime | None:
        with reading(self._engine) as connection:
            asked = {"whom": whom, **_in_force(now)}
            until = connection.execute(_PAUSED_UNTIL, asked).scalar()
        return None if until is None else as_time(until)


def _in_force(now: datetime) -> dict[str, str]:
    return {
        "now": as_text(now + timedelta.resolution),
        "latest": latest(now, _PAUSE_MOST),
    }


def _hint_of(body: str) -> Hint:
    """A hint; one that a newer release left is a reason to look at everything."""
    try:
        return Hint.model_validate_json(body)
    except ValidationError:
        return Hint(kind=HintKind.EVERYTHING)


def _needs_a_look_soon(hint: Hint) -> bool:
    return hint.kind is not HintKind.EVERYTHING


def drop(connection: sa.Connection, numbers: tuple[int, ...]) -> None:
    """Forget hints, in a transaction of the caller's."""
    if numbers:
        connection.execute(_DROP, {"numbers": numbers})


def write_hints(
    connection: sa.Connection, new_hints: Mapping[RepositoryId, tuple[Hint, ...]]
) -> None:
    """Part of a transaction; at least one hint."""
    rows = [
        {"repository_id": repository, "body": hint.model_dump_json()}
        for repository, some in new_hints.items()
        for hint in some
    ]
    connection.execute(hints.insert(), rows)
    stirred = [r for r, some in new_hints.items() if any(map(_needs_a_look_soon, some))]
    if stirred:
        connection.execute(
            repositories.update()
            .where(repositories.c.repository_id.in_(stirred))
            .values(stirred=repositories.c.stirred + 1)
        )


def write_wake_at(connection: sa.Connection, repository: RepositoryId, at: datetime | None) -> None:
    """Part of a transaction; writes nothing where the time is known."""
    mine = {"repository": repository}
    known = connection.execute(_WAKES_AT, mine).scalar()
    if known == (None if at is None else as_text(at)):
        return
    connection.execute(_NO_WAKE, mine)
    if at is not None:
        connection.execute(wake_ups.insert().values(repository_id=repository, at=as_text(at)))
