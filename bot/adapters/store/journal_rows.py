"""Events as rows: read a piece at a time, so that a long journal is never in memory at once."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from bot.adapters.store.engine import as_text, as_time, reading
from bot.adapters.store.tables import events
from bot.core.journal.events import EVENTS, Event, SpecRunRetired
from bot.core.journal.upcast import UnreadableEvent, event_of, version_of
from bot.core.values.ids import RepositoryId
from bot.ports import Record

PIECE = 1_000
# Built once: to build a statement takes longer than to execute it.
_PIECE = (
    sa.select(events)
    .where(
        events.c.repository_id == sa.bindparam("repository"),
        events.c.number >= sa.bindparam("after"),
    )
    .order_by(events.c.number)
    .limit(PIECE + 1)
)


@dataclass(frozen=True)
class Piece:
    """Some events in a row, their weight in bytes, and the event that ends the reading, if one does.

    `tip` tells the last event before the next piece from any other; `is_torn`: the event after which
    was to be read is not the one that was there.
    """

    records: tuple[Record, ...]
    weight: int
    unreadable: UnreadableEvent | None = None
    tip: str = ""
    is_torn: bool = False

    @property
    def is_last(self) -> bool:
        return self.unreadable is not None or len(self.records) < PIECE


def read_piece(engine: sa.Engine, repository: RepositoryId, after: int, tip: str = "") -> Piece:
    """The next events after a number; `tip` identifies the event at that number ("" if unknown)."""
    with reading(engine) as connection:
        rows = connection.execute(_PIECE, {"repository": repository, "after": after}).all()
    if after:
        there = _tip_of(rows[0].at, rows[0].body) if rows and rows[0].number == after else None
        if there is None or tip not in {"", there}:
            return Piece((), 0, is_torn=True)
        tip, rows = there, rows[1:]
    found: list[Record] = []
    weight = 0
    for row in rows[:PIECE]:
        event = event_of(row.number, row.type, row.version, row.body)
        if isinstance(event, UnreadableEvent):
            return Piece(tuple(found), weight, event, tip)
        weight += len(row.body)
        tip = _tip_of(row.at, row.body)
        found.append(Record(number=row.number, at=as_time(row.at), event=event))
    return Piece(tuple(found), weight, tip=tip)


def _tip_of(at: str, body: str) -> str:
    """Tells an event from another that was given the same number."""
    return hashlib.blake2b(f"{at} {body}".encode(), digest_size=16).hexdigest()


def last_at(engine: sa.Engine, repository: RepositoryId) -> datetime | None:
    with reading(engine) as connection:
        at = connection.execute(
            sa.select(events.c.at)
            .where(events.c.repository_id == repository)
            .order_by(events.c.number.desc())
            .limit(1)
        ).scalar()
    return None if at is None else as_time(at)


def read_records(engine: sa.Engine, repository: RepositoryId, after: int) -> Iterator[Record]:
    """Every event after a number, up to the first that cannot be read."""
    tip = ""
    while True:
        piece = read_piece(engine, repository, after, tip)
        tip = piece.tip
        yield from piece.records
        if piece.is_last:
            return
        after = piece.records[-1].number


def read_retired(engine: sa.Engine, repository: RepositoryId) -> Iterator[SpecRunRetired]:
    """The records of spec runs that left the state, oldest first."""
    retired = SpecRunRetired.model_fields["type"].default
    for record in _read_where(engine, repository, events.c.type == retired):
        if isinstance(record.event, SpecRunRetired):
            yield record.event


def read_about(engine: sa.Engine, repository: RepositoryId, text: str) -> Iterator[Record]:
    return _read_where(engine, repository, events.c.body.contains(text, autoescape=True))


def _read_where(
    engine: sa.Engine, repository: RepositoryId, clause: sa.ColumnElement[bool]
) -> Iterator[Record]:
    with reading(engine) as connection:
        rows = connection.execute(
            sa.select(events)
            .where(events.c.repository_id == repository, clause)
            .order_by(events.c.number)
        ).all()
    for row in rows:
        event = event_of(row.number, row.type, row.version, row.body)
        if isinstance(event, UnreadableEvent):
            return
        yield Record(number=row.number, at=as_time(row.at), event=event)


def write_rows(
    connection: sa.Connection,
    repository: RepositoryId,
    number: int,
    new_events: tuple[Event, ...],
    now: datetime,
) -> tuple[int, str]:
    """Append after the event of that number; the weight of the bodies in bytes, and the new tip."""
    bodies = [EVENTS.dump_json(event).decode() for event in new_events]
    rows = [
        {
            "repository_id": repository,
            "number": number + place,
            "at": as_text(now),
            "type": event.type,
            "body": body,
            "version": version_of(event.type),
        }
        for place, (event, body) in enumerate(zip(new_events, bodies, strict=True), start=1)
    ]
    connection.execute(events.insert(), rows)
    return sum(len(body) for body in bodies), _tip_of(as_text(now), bodies[-1])
