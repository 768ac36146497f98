"""What the journal says of a person's pull in the queue; never changed but by `evolve_pull_queue`.

Its place follows from these facts: `bot.core.state.queue_order`.
"""

from dataclasses import dataclass
from datetime import datetime

from bot.core.journal.hold import Hold
from bot.core.values.ids import CandidateId, PullNumber, Sha
from bot.core.values.lifecycle import LEFT, EntryState


@dataclass(frozen=True, kw_only=True, slots=True)
class QueuedPull:
    """`entered` is the number of the event by which it entered; `overtaken` how many landed before it
    that entered after it. `rounds` says how often it entered, `candidates` how many it had;
    `candidate` is the newest, `asked` the one that is being built.
    """

    number: PullNumber
    state: EntryState
    head: Sha
    title: str
    by: str
    entered: int
    queued_at: datetime
    priority: int = 0
    is_next: bool = False
    overtaken: int = 0
    rounds: int = 1
    hold: Hold | None = None
    candidate: CandidateId | None = None
    asked: CandidateId | None = None
    candidates: int = 0
    land_after: datetime | None = None
    sentence: str = ""

    @property
    def has_left(self) -> bool:
        """Whether it is out of the queue: landed, or not."""
        return self.state in LEFT
