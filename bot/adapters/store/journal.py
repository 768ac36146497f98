"""The journal in SQL: append-only events, folded with what this process already knows.

The rule: an append checks the lease's epoch in its own transaction, so a writer that was replaced
writes nothing more (law 5). A snapshot every so many events keeps a fresh process from folding the
whole past; it is thrown away when the fold's version or the events that can be folded have changed.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

import sqlalchemy as sa
from pydantic import ValidationError

from bot.adapters.store.engine import as_text, as_time, reading
from bot.adapters.store.tables import events, hints, pauses, repository_leases, snapshots, wake_ups
from bot.core.journal.events import EVENTS, Event
from bot.core.journal.evolve import fold
from bot.core.journal.state import FOLD_VERSION, RepositoryState, snapshot_of, state_of
from bot.core.journal.upcast import KNOWN_EVENTS, UnreadableEvent, event_of, version_of
from bot.core.state.observed import Hint
from bot.core.values.ids import RepositoryId
from bot.ports import JournalUnreadable, Lease, LeaseLost, Record

# A lease that is not renewed by an append for this long may be taken by another holder. It is
# renewed before each effect and must outlast the slowest create, whose second doer would not find
# it: a look that is sent twice and the create itself, at 30 seconds each.
LEASE_SECONDS = 90

# A fresh process folds at most about this many events; a snapshot costs one row.
SNAPSHOT_EVERY = 200


class SqlJournal:
    """Implements the port `Journal`; one object per process, one engine inside."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._known: dict[RepositoryId, tuple[int, RepositoryState]] = {}

    def repositories(self) -> tuple[RepositoryId, ...]:
        """Every repository that has a journal or a hint that one should begin."""
        with reading(self._engine) as connection:
            found = connection.execute(
                sa.union(
                    sa.select(events.c.repository_id).where(events.c.number == 1),
                    sa.select(hints.c.repository_id),
                )
            )
            return tuple(RepositoryId(row[0]) for row in found)

    def acquire(self, repository: RepositoryId, holder: str, now: datetime) -> Lease | None:
        """The lease, if it is free, run out, or held under the same name (a restarted worker)."""
        try:
            return self._take_lease(repository, holder, now)
        except sa.exc.IntegrityError:
            # Two holders met at a repository's first lease; the other was faster.
            return None

    def _take_lease(self, repository: RepositoryId, holder: str, now: datetime) -> Lease | None:
        with self._engine.begin() as connection:
            row = connection.execute(
                sa.select(repository_leases)
                .where(repository_leases.c.repository_id == repository)
                .with_for_update()
            ).first()
            if row is not None and row.holder not in {"", holder} and as_time(row.until) > now:
                return None
            epoch = row.epoch + 1 if row is not None else 1
            until = as_text(now + timedelta(seconds=LEASE_SECONDS))
            if row is None:
                connection.execute(
                    repository_leases.insert().values(
                        repository_id=repository, epoch=epoch, holder=holder, until=until
                    )
                )
            else:
                connection.execute(
                    repository_leases.update()
                    .where(repository_leases.c.repository_id == repository)
                    .values(epoch=epoch, holder=holder, until=until)
                )
        return Lease(repository=repository, holder=holder, epoch=epoch)

    def release(self, lease: Lease) -> None:
        """Give the lease back, if it is still ours."""
        with self._engine.begin() as connection:
            connection.execute(
                repository_leases.update()
                .where(
                    repository_leases.c.repository_id == lease.repository,
                    repository_leases.c.epoch == lease.epoch,
                )
                .values(holder="")
            )

    def release_all_of(self, holder: str) -> tuple[RepositoryId, ...]:
        """Free what a holder that is dead still holds; whoever acquires it begins a new epoch."""
        with self._engine.begin() as connection:
            found = connection.execute(
                sa.select(repository_leases.c.repository_id).where(
                    repository_leases.c.holder == holder
                )
            ).all()
            connection.execute(
                repository_leases.update()
                .where(repository_leases.c.holder == holder)
                .values(holder="")
            )
        return tuple(RepositoryId(row[0]) for row in found)

    def load(self, repository: RepositoryId) -> RepositoryState:
        """The state now: a snapshot or what this process knows, and the events since.

        It ends before the first event that this release cannot read, which is named in it.
        """
        with reading(self._engine) as connection:
            number, state = self._known.get(repository) or self._snapshot(connection, repository)
            fresh, unreadable = self._after(connection, repository, number)
        state = fold((r.event for r in fresh), state)
        self._known[repository] = (number + len(fresh), state)
        return replace(state, unreadable=unreadable) if unreadable else state

    def _snapshot(
        self, connection: sa.Connection, repository: RepositoryId
    ) -> tuple[int, RepositoryState]:
        row = connection.execute(
            sa.select(snapshots).where(
                snapshots.c.repository_id == repository,
                snapshots.c.fold_version == FOLD_VERSION,
                snapshots.c.known_events == KNOWN_EVENTS,
            )
        ).first()
        if row is None:
            return 0, RepositoryState()
        try:
            return row.number, state_of(row.body)
        except ValidationError:
            # Another release's state under the same version: the events say it all again.
            return 0, RepositoryState()

    def _after(
        self, connection: sa.Connection, repository: RepositoryId, number: int
    ) -> tuple[list[Record], UnreadableEvent | None]:
        """What can be read, and the event that ends it."""
        rows = connection.execute(
            sa.select(events)
            .where(events.c.repository_id == repository, events.c.number > number)
            .order_by(events.c.number)
        )
        found: list[Record] = []
        for row in rows:
            event = event_of(row.number, row.type, row.version, row.body)
            if isinstance(event, UnreadableEvent):
                return found, event
            found.append(Record(number=row.number, at=as_time(row.at), event=event))
        return found, None

    def append(self, lease: Lease, new_events: tuple[Event, ...], now: datetime) -> RepositoryState:
        """Write events under the lease; raises `LeaseLost` where another epoch holds it.

        Raises `JournalUnreadable` where the journal holds an event that this release cannot read.
        """
        repository = lease.repository
        known = self.load(repository)
        if known.unreadable is not None:
            raise JournalUnreadable(known.unreadable.sentence)
        if not new_events and self._is_fresh(lease, now):
            return known
        number = self._known[repository][0]
        state = fold(new_events, known)
        with self._engine.begin() as connection:
            held = connection.execute(
                repository_leases.update()
                .where(
                    repository_leases.c.repository_id == repository,
                    repository_leases.c.epoch == lease.epoch,
                )
                .values(until=as_text(now + timedelta(seconds=LEASE_SECONDS)))
            )
            if held.rowcount != 1:
                raise LeaseLost(f"repository {repository}: epoch {lease.epoch} is over")
            if new_events:
                connection.execute(
                    events.insert(),
                    [
                        {
                            "repository_id": repository,
                            "number": number + place,
                            "at": as_text(now),
                            "type": event.type,
                            "body": EVENTS.dump_json(event).decode(),
                            "version": version_of(event.type),
                        }
                        for place, event in enumerate(new_events, start=1)
                    ],
                )
            last = number + len(new_events)
            if last // SNAPSHOT_EVERY > number // SNAPSHOT_EVERY:
                self._write_snapshot(connection, repository, last, state)
        self._known[repository] = (last, state)
        return state

    def _is_fresh(self, lease: Lease, now: datetime) -> bool:
        """Whether the lease is ours and was renewed a moment ago, so that nothing is to be written.

        Raises `LeaseLost` where another epoch holds it.
        """
        with reading(self._engine) as connection:
            row = connection.execute(
                sa.select(repository_leases.c.epoch, repository_leases.c.until).where(
                    repository_leases.c.repository_id == lease.repository
                )
            ).first()
        if row is None or row.epoch != lease.epoch:
            raise LeaseLost(f"repository {lease.repository}: epoch {lease.epoch} is over")
        return as_time(row.until) > now + timedelta(seconds=LEASE_SECONDS * 2 / 3)

    def _write_snapshot(
        self,
        connection: sa.Connection,
        repository: RepositoryId,
        number: int,
        state: RepositoryState,
    ) -> None:
        connection.execute(snapshots.delete().where(snapshots.c.repository_id == repository))
        connection.execute(
            snapshots.insert().values(
                repository_id=repository,
                number=number,
                fold_version=FOLD_VERSION,
                body=snapshot_of(state),
                known_events=KNOWN_EVENTS,
            )
        )

    def records(self, repository: RepositoryId, after: int) -> tuple[Record, ...]:
        """The journal itself, from after a place on; up to the first event that cannot be read."""
        with reading(self._engine) as connection:
            return tuple(self._after(connection, repository, after)[0])

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
