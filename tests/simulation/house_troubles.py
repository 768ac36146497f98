"""Bad days of our own house: the database, the clock, the mirrors, two releases side by side.

Drawn apart from a day's other troubles, so that these do not depend on it.
"""

import contextlib
import random
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import cycle
from pathlib import Path
from typing import cast

import sqlalchemy as sa

from bot.adapters.store.engine import open_engine, reading
from bot.adapters.store.journal import SqlJournal
from bot.adapters.store.order_store import SqlOrderStore
from bot.adapters.store.prompt_store import SqlPromptStore
from bot.adapters.store.tables import events
from bot.core.journal.state import RepositoryState
from bot.core.journal.upcast import UnreadableEvent
from bot.core.values.ids import RepositoryId
from bot.ports import Journal, JournalUnreadable
from bot.shell.process_ports import Ports
from tests.testkit.house import House
from tests.testkit.store_faults import StoreFault, plant_store_faults

# What a git that was killed leaves behind, or a disk that fails.
_LOCKS = ("HEAD.lock", "config.lock", "packed-refs.lock", "refs/heads/main.lock", "shallow.lock")
# The types of events that the older of two releases does not know.
_NEWER = ("GatesOrdered", "OrderLeased", "CandidateBuilt", "IssueOpened")


class Trouble(StrEnum):
    """What went wrong in the house on one day."""

    STORE = "store"
    CLOCK = "clock"
    MIRROR_LOCKED = "mirror locked"
    MIRROR_CORRUPT = "mirror corrupt"
    MIRROR_GONE = "mirror gone"
    OLDER_RELEASE = "older release"
    REDIS_FLUSHED = "Redis flushed"


class HouseTroubles:
    """The troubles of one day; `met` are those that happened."""

    def __init__(self, story: House, seed: int, note: Callable[[str], None]) -> None:
        self._story, self._note = story, note
        self._rng = random.Random(f"house of day {seed}")
        self._store_rate = self._rng.choice([0, 0, 0.01, 0.03])
        self._rate = self._rng.choice([0, 0.05, 0.15])
        self._older = "two" if self._rng.random() < 0.3 else ""
        self._unknown = self._rng.choice(_NEWER)
        # In turn, each day from another one on, so that a few days have met all.
        kinds = list(StoreFault)
        self._store_faults = cycle(kinds[seed % len(kinds) :] + kinds[: seed % len(kinds)])
        self._skew = timedelta()
        self._flushes = random.Random(f"Redis of day {seed}")
        self._flush_rate = self._flushes.choice([0, 0.05])
        self.is_over = False
        self.met: set[Trouble | StoreFault] = set()

    def ports(self, ports: Ports, worker: str) -> Ports:
        """The ports of a worker in this house."""
        engine = open_engine(self._story.settings.journal_url)
        plant_store_faults(engine, self._draw)
        newer = SqlJournal(engine)
        journal: Journal = newer
        if worker == self._older:
            journal = cast("Journal", _OlderJournal(newer, engine, self))
        mine = {
            "journal": journal,
            "order_store": SqlOrderStore(engine),
            "prompt_store": SqlPromptStore(engine),
            "clock": _SkewedClock(self),
        }
        return Ports(**{**ports.__dict__, **mine})

    def go_on(self) -> None:
        """Perhaps the clock jumps, a mirror is damaged or Redis is flushed, while no job runs."""
        if not self.is_over and self._flushes.random() < self._flush_rate:
            self._flush()
        if self.is_over or self._rng.random() >= self._rate:
            return
        self._rng.choice([self._jump, self._lock, self._corrupt, self._remove])()

    def end(self) -> None:
        """The house is in order again; what is broken stays broken."""
        self.is_over = True
        self._skew = timedelta()

    def now(self) -> datetime:
        """What the workers' machine takes for the time."""
        return self._story.clock.now() + self._skew

    def unknown_to_older(self) -> str:
        """The type of event that the older release does not know; "" after the upgrade."""
        return "" if self.is_over else self._unknown

    def _draw(self) -> StoreFault | None:
        if self.is_over or self._rng.random() >= self._store_rate:
            return None
        fault = next(self._store_faults)
        self._meet(Trouble.STORE, fault)
        self.met.add(fault)
        return fault

    def _meet(self, trouble: Trouble, what: str) -> None:
        self.met.add(trouble)
        self._note(f"our {trouble}: {what}")

    def _jump(self) -> None:
        self._skew = timedelta(seconds=self._rng.choice([-300, -60, 30, 300]))
        self._meet(Trouble.CLOCK, f"{self._skew.total_seconds():.0f} s ahead")

    def _flush(self) -> None:
        """Every ring that nobody has heard yet is lost."""
        self._story.hub.wait_until_delivered(20)
        lost = self._story.bell.lose_all()
        if lost:
            self._meet(Trouble.REDIS_FLUSHED, f"{lost} rings are lost")

    def _mirrors(self) -> list[Path]:
        return sorted((self._story.settings.var / "mirrors").glob("*.git"))

    def _lock(self) -> None:
        name = self._rng.choice(_LOCKS)
        for mirror in self._mirrors():
            if (mirror / name).parent.is_dir():
                (mirror / name).touch()
                self._meet(Trouble.MIRROR_LOCKED, name)

    def _corrupt(self) -> None:
        """A file of a mirror loses its end, as after a power cut."""
        for mirror in self._mirrors():
            files = sorted(p for p in mirror.rglob("*") if p.is_file() and p.stat().st_size > 1)
            if files:
                spoilt = self._rng.choice(files)
                spoilt.chmod(0o644)
                half = spoilt.read_bytes()[: spoilt.stat().st_size // 2]
                spoilt.write_bytes(self._rng.choice([b"", half]))
                self._meet(Trouble.MIRROR_CORRUPT, str(spoilt.relative_to(mirror)))

    def _remove(self) -> None:
        for mirror in self._mirrors():
            with contextlib.suppress(FileNotFoundError):
                mirror.rename(mirror.with_suffix(f".gone{self._rng.random()}"))
                self._meet(Trouble.MIRROR_GONE, mirror.name)


class _SkewedClock:
    def __init__(self, troubles: HouseTroubles) -> None:
        self._troubles = troubles

    def now(self) -> datetime:
        return self._troubles.now()


class _OlderJournal:
    """The journal as a release sees it that does not know one type of event."""

    def __init__(self, journal: SqlJournal, engine: sa.Engine, troubles: HouseTroubles) -> None:
        self._journal, self._engine, self._troubles = journal, engine, troubles

    def load(self, repository: RepositoryId) -> RepositoryState:
        """Up to the first event that it does not know."""
        return replace(self._journal.load(repository), unreadable=self._unreadable(repository))

    def append(self, lease: object, *rest: object) -> RepositoryState:
        return self._written("append", lease, *rest)

    def rest(self, lease: object, *rest: object) -> RepositoryState:
        return self._written("rest", lease, *rest)

    def __getattr__(self, name: str) -> object:
        return getattr(self._journal, name)

    def _written(self, write: str, lease: object, *rest: object) -> RepositoryState:
        unreadable = self._unreadable(RepositoryId(lease.repository))  # type: ignore[attr-defined]
        if unreadable is not None:
            raise JournalUnreadable(unreadable.sentence)
        found: RepositoryState = getattr(self._journal, write)(lease, *rest)
        return found

    def _unreadable(self, repository: RepositoryId) -> UnreadableEvent | None:
        unknown = self._troubles.unknown_to_older()
        with reading(self._engine) as connection:
            number = connection.execute(
                sa.select(events.c.number)
                .where(events.c.repository_id == repository, events.c.type == unknown)
                .order_by(events.c.number)
                .limit(1)
            ).scalar()
        if number is None:
            return None
        self._troubles.met.add(Trouble.OLDER_RELEASE)
        return UnreadableEvent(number=number, name=unknown, version=1)
