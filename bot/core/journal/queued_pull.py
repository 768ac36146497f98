"""What the journal says of a person's pull in the queue; never changed but by `evolve_pull_queue`.

Its place follows from these facts: `bot.core.state.queue_order`.
"""

from dataclasses import dataclass, field
from datetime import datetime

from bot.core.journal.hold import Hold
from bot.core.values.ids import CandidateId, PullNumber, Sha
from bot.core.values.lifecycle import LEFT, EntryState
from bot.core.values.pull_review import Approvals


@dataclass(frozen=True, kw_only=True, slots=True)
class QueuedPull:
    """`entered` is the number of the event by which it entered; `overtaken` how many landed before it
    that entered after it. `rounds` says how often it entered, `candidates` how many it had;
    `candidate` is the newest, `asked` the one that is being built.
    `approvals_needed` None: reviews do not count. `labelling` as in `PullQueued`.
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
    labelling: int = 0
    hold: Hold | None = None
    approvals: Approvals = field(default_factory=Approvals)
    approvals_needed: int | None = None
    candidate: CandidateId | None = None
    asked: CandidateId | None = None
    candidates: int = 0
    land_after: datetime | None = None
    sentence: str = ""

    @property
    def is_by_label(self) -> bool:
        """Whether it is in the queue because of a label, which takes it out again when it goes."""
        return self.labelling != 0 and not self.has_left

    @property
    def approvals_lacking(self) -> int:
        """How many people have still to approve it."""
        return max(0, (self.approvals_needed or 0) - len(self.approvals.by))

    @property
    def waits_for_reviews(self) -> bool:
        """Whether reviews keep it from landing."""
        is_refused = self.approvals_needed is not None and bool(self.approvals.against)
        return is_refused or self.approvals_lacking > 0

    @property
    def has_left(self) -> bool:
        """Whether it is out of the queue: landed, or not."""
        return self.state in LEFT
