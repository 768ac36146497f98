"""The journal in SQL: append-only events, folded with what this process already knows.

An append checks the lease's epoch in its own transaction, so a writer that was replaced
writes nothing more (law 5). Snapshots keep a fresh process from folding the whole past. A process
that finds the journal without what it knows of it (a backup, a failover that lost the last commits)
forgets what it knew, and leaves a hint.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from bot.adapters.store.engine import as_text, as_time, latest, reading
from bot.adapters.store.journal_rows import (
    last_at,
    read_about,
    read_piece,
    read_records,
    read_retired,
    write_rows,
)
from bot.adapters.store.schedule import SqlSchedule, drop, write_wake_at
from bot.adapters.store.snapshots import Folded, SqlSnapshots
from bot.adapters.store.tables import events, hints, repositories, repository_leases
from bot.core.journal.events import Event, SpecRunRetired
from bot.core.journal.evolve import fold
from bot.core.journal.state import RepositoryState
from bot.core.journal.upcast import UnreadableEvent
from bot.core.state.observed import Hint, HintKind
from bot.core.values.ids import RepositoryId
from bot.ports import JournalUnreadable, Lease, LeaseLost, Record

# A lease that is not renewed by an append for this long may be taken by another holder. It is
# renewed before each effect and must outlast the slowest create, whose second doer would not find
# it: a look that is sent twice and the create itself, at 30 seconds each.
LEASE_SECONDS = 90
_LEASE = timedelta(seconds=LEASE_SECONDS)

# How often a process looks whether another has folded a long journal further.
_LOOK_FOR_SNAPSHOT_SECONDS = 0.05

# The state that was not asked for longest is dropped, and folded again when it is needed.
KNOWN_MAX = 1_000

# Built once: to build a statement takes longer than to execute it.
_HELD = sa.and_(
    repository_leases.c.repository_id == sa.bindparam("held"),
    repository_leases.c.epoch == sa.bindparam("held_epoch"),
)
_HOLDER = sa.select(repository_leases.c.holder).where(_HELD)
_RENEW = repository_leases.update().where(_HELD).values(until=sa.bindparam("new_until"))
_RELEASE = repository_leases.update().where(_HELD).values(holder="")
_TERM = sa.select(repository_leases.c.epoch, repository_leases.c.until).where(
    repository_leases.c.repository_id == sa.bindparam("held")
)


class _Known:
    """What this process knows of repositories, the last used last."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._folded: OrderedDict[RepositoryId, Folded] = OrderedDict()

    def get(self, repository: RepositoryId) -> Folded | None:
        return self._folded.get(repository)

    def put(self, repository: RepositoryId, folded: Folded) -> None:
        self._folded[repository] = folded
        self._folded.move_to_end(repository)
        if len(self._folded) > self._most:
            self._folded.popitem(last=False)

    def forget(self, repository: RepositoryId) -> None:
        self._folded.pop(repository, None)


class SqlJournal(SqlSchedule):
    """Implements the port `Journal`; one object per process, one engine inside."""

    def __init__(self, engine: sa.Engine, known_max: int = KNOWN_MAX) -> None:
        super().__init__(engine)
        self._snapshots = SqlSnapshots(engine)
        self._known = _Known(known_max)
        # Found rewound since the lease was taken: what was decided before is of another journal.
        self._rewound: set[RepositoryId] = set()

    def repositories(self) -> tuple[RepositoryId, ...]:
        """Every repository that has a journal or a hint that one should begin."""
        with reading(self._engine) as connection:
            found = connection.execute(
                sa.union(
                    sa.select(repositories.c.repository_id),
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
            if (
                row is not None
                and row.holder not in {"", holder}
                and as_text(now) < row.until <= latest(now, _LEASE)
            ):
                return None
            epoch = row.epoch + 1 if row is not None else 1
            until = as_text(now + _LEASE)
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
        self._rewound.discard(repository)
        was_left = row is not None and row.holder != ""
        return Lease(repository=repository, epoch=epoch, was_left=was_left)

    def release(self, lease: Lease) -> None:
        with reading(self._engine) as connection:
            if not connection.execute(_HOLDER, _of(lease)).scalar():
                return
        with self._engine.begin() as connection:
            connection.execute(_RELEASE, _of(lease))

    def release_all_of(self, holder: str, now: datetime) -> tuple[RepositoryId, ...]:
        """End the leases of a dead holder; the next holder sees that they were left."""
        with self._engine.begin() as connection:
            found = connection.execute(
                sa.select(repository_leases.c.repository_id).where(
                    repository_leases.c.holder == holder,
                    repository_leases.c.until > as_text(now),
                )
            ).all()
            connection.execute(
                repository_leases.update()
                .where(repository_leases.c.holder == holder)
                .values(until=as_text(now))
            )
        return tuple(RepositoryId(row[0]) for row in found)

    def load(self, repository: RepositoryId) -> RepositoryState:
        """The state now: what this process knows or a snapshot, and the events since.

        It ends before the first event that this release cannot read, which is named in it.
        """
        folded, unreadable = self._caught_up(repository)
        if unreadable is None:
            return folded.state
        return replace(folded.state, unreadable=unreadable)

    def length(self, repository: RepositoryId) -> int:
        newest = sa.select(sa.func.max(events.c.number)).where(events.c.repository_id == repository)
        with reading(self._engine) as connection:
            return connection.execute(newest).scalar() or 0

    def _caught_up(self, repository: RepositoryId) -> tuple[Folded, UnreadableEvent | None]:
        folded = self._known.get(repository) or self._snapshots.newest(repository) or Folded()
        is_alone = False
        while True:
            piece = read_piece(self._engine, repository, folded.number, folded.tip)
            if piece.is_torn:
                self.note_rewound(repository)
                folded = Folded()
                continue
            if piece.records:
                state = fold((r.event for r in piece.records), folded.state)
                folded = folded.onto(piece.records[-1].number, state, piece.weight, piece.tip)
            else:
                folded = replace(folded, tip=piece.tip)
            if folded.is_due():
                folded = self._snapshots.take(repository, folded)
            if piece.is_last:
                break
            is_alone, folded = self._go_on(repository, folded, is_alone)
        if is_alone:
            self._snapshots.claim_again(repository, None)
        self._known.put(repository, folded)
        return folded, piece.unreadable

    def note_rewound(self, repository: RepositoryId) -> None:
        """The journal lacks what was written to it: leave word of it, from its last event on."""
        self._known.forget(repository)
        self._snapshots.forget(repository)
        self._rewound.add(repository)
        since = last_at(self._engine, repository)
        if since is not None:
            self.put_hints(repository, (Hint(kind=HintKind.REWOUND, since=since),))

    def _go_on(
        self, repository: RepositoryId, folded: Folded, is_alone: bool
    ) -> tuple[bool, Folded]:
        """There is much to fold: one process does it, the others wait for its snapshots."""
        if is_alone:
            self._snapshots.claim_again(repository, datetime.now(UTC))
            return True, folded
        while not self._snapshots.claim(repository, datetime.now(UTC)):
            time.sleep(_LOOK_FOR_SNAPSHOT_SECONDS)
            newer = self._snapshots.newest(repository, folded.number)
            if newer is not None:
                return False, newer
        return True, folded

    def append(
        self,
        lease: Lease,
        new_events: tuple[Event, ...],
        now: datetime,
        followed: tuple[int, ...] = (),
    ) -> RepositoryState:
        """Write events under the lease; raises `LeaseLost` where another epoch holds it.

        Hints that were `followed` are dropped in the same transaction.
        Raises `JournalUnreadable` where the journal holds an event that this release cannot read.
        """
        known = self._readable(lease)
        if not new_events and not followed and self._is_fresh(lease, now):
            return known.state
        return self._append(lease, known, (new_events, followed), now)

    def rest(
        self,
        lease: Lease,
        new_events: tuple[Event, ...],
        now: datetime,
        followed: tuple[int, ...],
        wake_at: datetime | None,
    ) -> RepositoryState:
        """Append for the last time, release the lease and set the time to wake, in one transaction."""
        known = self._readable(lease)

        def end(connection: sa.Connection) -> None:
            write_wake_at(connection, lease.repository, wake_at)
            connection.execute(_RELEASE, _of(lease))

        return self._append(lease, known, (new_events, followed), now, end)

    def _readable(self, lease: Lease) -> Folded:
        known, unreadable = self._caught_up(lease.repository)
        if lease.repository in self._rewound:
            raise LeaseLost(f"repository {lease.repository}: its journal was rewound")
        if unreadable is not None:
            raise JournalUnreadable(unreadable.sentence)
        return known

    def _append(
        self,
        lease: Lease,
        known: Folded,
        noted: tuple[tuple[Event, ...], tuple[int, ...]],
        now: datetime,
        end: Callable[[sa.Connection], None] = lambda _: None,
    ) -> RepositoryState:
        """`noted` is new events, and hints that were followed."""
        new_events, followed = noted
        repository = lease.repository
        after = fold(new_events, known.state)
        weight, tip = 0, known.tip
        with self._engine.begin() as connection:
            self._renew(connection, lease, now)
            drop(connection, followed)
            if new_events:
                weight, tip = write_rows(connection, repository, known.number, new_events, now)
            if new_events and known.number == 0:
                connection.execute(repositories.insert().values(repository_id=repository))
            end(connection)
        folded = known.onto(known.number + len(new_events), after, weight, tip)
        if folded.known_at is None:
            folded = replace(folded, known_at=now)
        self._known.put(repository, folded)
        if folded.is_due(now):
            self._known.put(repository, self._snapshots.take(repository, folded, now))
        return after

    def _renew(self, connection: sa.Connection, lease: Lease, now: datetime) -> None:
        until = as_text(now + timedelta(seconds=LEASE_SECONDS))
        held = connection.execute(_RENEW, {**_of(lease), "new_until": until})
        if held.rowcount != 1:
            raise LeaseLost(f"repository {lease.repository}: epoch {lease.epoch} is over")

    def _is_fresh(self, lease: Lease, now: datetime) -> bool:
        """Whether the lease is ours and was renewed a moment ago, so that nothing needs to be written.

        Raises `LeaseLost` where another epoch holds it.
        """
        with reading(self._engine) as connection:
            row = connection.execute(_TERM, {"held": lease.repository}).first()
        if row is None or row.epoch != lease.epoch:
            raise LeaseLost(f"repository {lease.repository}: epoch {lease.epoch} is over")
        return as_time(row.until) > now + timedelta(seconds=LEASE_SECONDS * 2 / 3)

    def records(self, repository: RepositoryId, after: int) -> Iterator[Record]:
        """The journal itself, from after a place on; up to the first event that cannot be read."""
        return read_records(self._engine, repository, after)

    def records_about(self, repository: RepositoryId, text: str) -> Iterator[Record]:
        """The events that name something, found by the text of their bodies."""
        return read_about(self._engine, repository, text)

    def retired(self, repository: RepositoryId) -> Iterator[SpecRunRetired]:
        return read_retired(self._engine, repository)


def _of(lease: Lease) -> dict[str, int]:
    """Names the row of this lease, and not of a later epoch."""
    return {"held": lease.repository, "held_epoch": lease.epoch}
