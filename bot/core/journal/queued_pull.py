"""What the journal says of a person's pull in the queue; never changed but by `evolve_pull_queue`.

Its place follows from these facts: `bot.core.state.queue_order`.
"""

from dataclasses import dataclass
from datetime import datetime

from bot.core.values.ids import EntryId, PullNumber, Sha
from bot.core.values.lifecycle import LEFT, EntryState


@dataclass(frozen=True, kw_only=True, slots=True)
class QueuedPull:
    """`rounds` says how often it entered the queue, `candidates` how many it had."""

    number: PullNumber
    state: EntryState
    head: Sha
    title: str
    by: str
    queued_at: datetime
    rounds: int = 1
    candidates: int = 0
    sentence: str = ""

    @property
    def entry(self) -> EntryId:
        """Its id as an entry of the queue."""
        return EntryId(f"pull:{self.number}")

    @property
    def has_left(self) -> bool:
        """Whether it is out of the queue: landed, or not."""
        return self.state in LEFT
