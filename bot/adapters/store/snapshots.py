"""Snapshots: what a repository's journal amounted to after one of its events.

A snapshot that is stale, lost, or another release's is harmless: the state is folded from the one
before it, or from the beginning. So it is written outside of the append's transaction. It is due
when the events since the last one weigh as much as that one: what is written for snapshots grows
with what is written for events.
"""

import contextlib
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import sqlalchemy as sa
from pydantic import ValidationError

from bot.adapters.store.engine import as_text, is_ahead, reading
from bot.adapters.store.tables import repositories, snapshots
from bot.core.journal.state import FOLD_VERSION, RepositoryState, snapshot_of, state_of
from bot.core.journal.upcast import KNOWN_EVENTS
from bot.core.values.ids import RepositoryId

# So much is folded in some ten milliseconds; a snapshot of less is not worth its row.
SNAPSHOT_BYTES_MIN = 100_000
# A snapshot this old is renewed for an eighth of the events, so that fresh processes fold little.
SNAPSHOT_AGE = timedelta(minutes=10)
_SHARE_WHEN_OLD = 8

# A process that folds a long journal renews its claim after each piece, which takes a second at most.
_FOLDING = timedelta(seconds=20)


@dataclass(frozen=True)
class Folded:
    """A state, the number of its last event, and what was folded since the snapshot below it.

    `base` is the number of that snapshot's last event, `size` its bytes, `since` those of the events
    after it, `tip` tells the last event from another of its number. `known_at` is when this process came to know it, if it has told the time since.
    """

    number: int = 0
    state: RepositoryState = field(default_factory=RepositoryState)
    base: int = 0
    size: int = 0
    since: int = 0
    known_at: datetime | None = None
    tip: str = ""

    def onto(self, number: int, state: RepositoryState, weight: int, tip: str) -> "Folded":
        return replace(self, number=number, state=state, since=self.since + weight, tip=tip)

    def is_due(self, now: datetime | None = None) -> bool:
        weight = max(SNAPSHOT_BYTES_MIN, self.size)
        if now is None or self.known_at is None or now < self.known_at + SNAPSHOT_AGE:
            return self.since >= weight
        return self.since * _SHARE_WHEN_OLD >= weight


class SqlSnapshots:
    """The newest snapshot of each repository, and which process folds if there is none yet."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def newest(self, repository: RepositoryId, after: int = 0) -> Folded | None:
        """The snapshot that this release can read, if it is of more events than `after`."""
        with reading(self._engine) as connection:
            row = connection.execute(
                sa.select(snapshots).where(
                    snapshots.c.repository_id == repository,
                    snapshots.c.number > after,
                    _is_ours(),
                )
            ).first()
        if row is None:
            return None
        try:
            state = state_of(row.body)
        except ValidationError:
            # Another release's state under the same version: the events say it all again.
            return None
        return Folded(row.number, state, base=row.number, size=len(row.body))

    def take(self, repository: RepositoryId, folded: Folded, now: datetime | None = None) -> Folded:
        """Write a snapshot, unless another process has; failing loses nothing but time."""
        there = self._size_after(repository, folded.base)
        if there is not None:
            base, size = there
            return replace(folded, base=base, size=size, since=0, known_at=now)
        body = snapshot_of(folded.state)
        with contextlib.suppress(sa.exc.SQLAlchemyError), self._engine.begin() as connection:
            connection.execute(snapshots.delete().where(snapshots.c.repository_id == repository))
            connection.execute(
                snapshots.insert().values(
                    repository_id=repository,
                    number=folded.number,
                    fold_version=FOLD_VERSION,
                    body=body,
                    known_events=KNOWN_EVENTS,
                )
            )
        return replace(folded, base=folded.number, size=len(body), since=0, known_at=now)

    def forget(self, repository: RepositoryId) -> None:
        """It may be of events that were lost."""
        with self._engine.begin() as connection:
            connection.execute(snapshots.delete().where(snapshots.c.repository_id == repository))

    def _size_after(self, repository: RepositoryId, number: int) -> tuple[int, int] | None:
        """Number and size of a snapshot that is later than the one of this number."""
        with reading(self._engine) as connection:
            row = connection.execute(
                sa.select(snapshots.c.number, sa.func.length(snapshots.c.body)).where(
                    snapshots.c.repository_id == repository,
                    snapshots.c.number > number,
                    _is_ours(),
                )
            ).first()
        return None if row is None else (row[0], row[1])

    def claim(self, repository: RepositoryId, now: datetime) -> bool:
        """Whether no other process folds this journal; asked again before each piece."""
        with self._engine.begin() as connection:
            taken = connection.execute(
                repositories.update()
                .where(
                    repositories.c.repository_id == repository,
                    sa.or_(
                        repositories.c.folding_until.is_(None),
                        ~is_ahead(repositories.c.folding_until, now, _FOLDING),
                    ),
                )
                .values(folding_until=as_text(now + _FOLDING))
            )
            if taken.rowcount == 1:
                return True
            known = sa.select(repositories).where(repositories.c.repository_id == repository)
            return connection.execute(known).first() is None

    def claim_again(self, repository: RepositoryId, now: datetime | None) -> None:
        """Still folding; None: done."""
        until = None if now is None else as_text(now + _FOLDING)
        with self._engine.begin() as connection:
            connection.execute(
                repositories.update()
                .where(repositories.c.repository_id == repository)
                .values(folding_until=until)
            )


def _is_ours() -> sa.ColumnElement[bool]:
    return sa.and_(
        snapshots.c.fold_version == FOLD_VERSION, snapshots.c.known_events == KNOWN_EVENTS
    )
