"""Blobs in SQL, for servers of several machines: what one takes in, every other one finds."""

import hashlib
import tempfile
from collections.abc import Iterable, Iterator
from typing import IO

import sqlalchemy as sa

from bot.adapters.store.engine import insert_of, reading
from bot.adapters.store.tables import blob_parts
from bot.core.values.ids import Digest
from bot.ports import Blobs

# No row, and no piece of memory, is larger.
PART_BYTES = 1024 * 1024


class SqlBlobs:
    """Implements the port `Blobs`; `before` has what was kept in a folder until now."""

    def __init__(self, engine: sa.Engine, before: Blobs) -> None:
        self._engine, self._before = engine, before
        self._insert = insert_of(engine)

    def put(self, content: bytes) -> Digest:
        return self.receive((content,))

    def receive(self, chunks: Iterable[bytes]) -> Digest:
        """Nothing is kept if they raise; a slow sender holds no connection."""
        summed = hashlib.sha256()
        with tempfile.TemporaryFile() as file:
            for chunk in chunks:
                summed.update(chunk)
                file.write(chunk)
            digest = Digest(summed.hexdigest())
            with self._engine.begin() as connection:
                for number, part in enumerate(_parts(file)):
                    row = self._insert(blob_parts).values(digest=digest, number=number, body=part)
                    connection.execute(row.on_conflict_do_nothing())
        return digest

    def get(self, digest: Digest) -> bytes | None:
        # PostgreSQL takes no zero character, not even to say that there is no such row.
        if "\0" in digest:
            return None
        of_it = sa.select(blob_parts.c.body).where(blob_parts.c.digest == digest)
        with reading(self._engine) as connection:
            parts = connection.execute(of_it.order_by(blob_parts.c.number)).scalars().all()
        return b"".join(parts) if parts else self._before.get(digest)


def _parts(file: IO[bytes]) -> Iterator[bytes]:
    """At least one, so that there is a row of an empty blob, too."""
    file.seek(0)
    yield file.read(PART_BYTES)
    while part := file.read(PART_BYTES):
        yield part
