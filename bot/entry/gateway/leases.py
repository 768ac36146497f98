"""The runs that may ask the model now, each with what it may spend and has spent.

What a run has spent is kept in a file for each order, so that a gateway that is started again goes on
counting. One gateway serves all runs; two would each count their own part.
"""

import asyncio
import hashlib
import time
from dataclasses import dataclass, field
from pathlib import Path
from weakref import WeakValueDictionary

from pydantic import ValidationError

from action.agents.budget import Budget
from action.order import AgentOrder, AgentSettings
from action.report import TokenUse
from bot.core.state.model_token import read_model_token
from bot.core.values.ids import Frozen, OrderId, RepositoryId
from bot.order_ports import OrderStore
from bot.ports import Clock

# Whether a run is still at work is asked this often while it asks the model.
LOOK_EVERY_SECONDS = 5.0
# Bodies of one run that are in memory at once: those of other runs do not wait for them.
LEASE_BODIES_MAX = 2
# And those of one owner, however many runs it has.
OWNER_BODIES_MAX = 3
OWNER_STREAMS_MAX = 256
# A run that has not asked for so long is read from its file when it asks again.
_IDLE_SECONDS = 600.0
# No run lasts longer than a day.
_KEPT_SECONDS = 2 * 86_400.0


class Spent(Frozen):
    turns: int = 0
    used: dict[str, TokenUse] = {}


@dataclass(eq=False)
class Owner:
    """Whoever the repositories belong to: what all its runs together have under way."""

    streams: int = 0
    bodies: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(OWNER_BODIES_MAX))


@dataclass
class Lease:
    """A run that may ask the model. `streams` are its requests under way."""

    agent: AgentSettings
    owner: Owner
    budget: Budget
    file: Path
    used: dict[str, TokenUse]
    looked_at: float
    streams: int = 0
    writing: asyncio.Lock = field(default_factory=asyncio.Lock)
    bodies: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(LEASE_BODIES_MAX))

    def charge(self, model: str, use: TokenUse) -> None:
        self.used[model] = self.used.get(model, TokenUse()) + use

    async def keep(self) -> None:
        async with self.writing:
            spent = Spent(turns=self.budget.turns, used=dict(self.used))
            await asyncio.to_thread(_write, self.file, spent)


class Leases:
    """For one event loop; the database is asked from threads."""

    def __init__(self, store: OrderStore, clock: Clock, secret: bytes, folder: Path) -> None:
        self._store, self._clock, self._secret, self._folder = store, clock, secret, folder
        self._known: dict[tuple[RepositoryId, OrderId], Lease] = {}
        # As long as a run of theirs is known.
        self._owners: WeakValueDictionary[str, Owner] = WeakValueDictionary()
        # Strangers' tokens never come so far.
        self._looking = asyncio.Semaphore(8)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        _forget_old(folder)

    async def of(self, token: str) -> Lease | None:
        """The run that a token belongs to; None for no token of ours, and when it is over."""
        key = read_model_token(self._secret, token)
        if key is None:
            return None
        known = self._known.get(key)
        if known is not None and time.monotonic() - known.looked_at < LOOK_EVERY_SECONDS:
            return known
        async with self._looking:
            order = await asyncio.to_thread(self._store.at_work, *key, self._clock.now())
            if not isinstance(order, AgentOrder) or order.remake:
                self._known.pop(key, None)
                return None
            file = self._folder / f"{hashlib.sha256(repr(key).encode()).hexdigest()[:32]}.json"
            spent = await asyncio.to_thread(_read, file)
        return self._noted(key, order, file, spent)

    def _noted(
        self, key: tuple[RepositoryId, OrderId], order: AgentOrder, file: Path, spent: Spent
    ) -> Lease:
        now = time.monotonic()
        # Another request of the run may have been first.
        known = self._known.get(key)
        if known is not None:
            known.looked_at = now
            return known
        self._known = {
            k: one
            for k, one in self._known.items()
            if one.streams or now - one.looked_at < _IDLE_SECONDS
        }
        budget = Budget(order.agent)
        budget.go_on_from(spent.turns, spent.used)
        owner = self._owners.setdefault(order.repository.partition("/")[0].lower(), Owner())
        self._known[key] = Lease(order.agent, owner, budget, file, dict(spent.used), now)
        return self._known[key]


def _read(file: Path) -> Spent:
    try:
        return Spent.model_validate_json(file.read_bytes())
    except (FileNotFoundError, ValidationError):
        return Spent()


def _write(file: Path, spent: Spent) -> None:
    new = file.with_suffix(".new")
    new.write_text(spent.model_dump_json())
    new.replace(file)


def _forget_old(folder: Path) -> None:
    for file in folder.glob("*.json"):
        if time.time() - file.stat().st_mtime > _KEPT_SECONDS:
            file.unlink(missing_ok=True)
