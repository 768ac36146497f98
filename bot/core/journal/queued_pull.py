"""What the journal says of a person's pull in the queue; never changed but by `evolve_pull_queue`.

Its place follows from these facts: `bot.core.state.queue_order`.
"""

from dataclasses import dataclass, field
from datetime import datetime

from bot.core.journal.pull_queue_events import EvictionCause
from bot.core.journal.reviewed import Reviewed
from bot.core.values.ids import EntryId, PullNumber, Sha
from bot.core.values.lifecycle import LEFT, QueuedPullState
from bot.core.values.pull_review import Approvals


@dataclass(frozen=True, kw_only=True, slots=True)
class Unfit:
    """Why its merge could not be made on a commit of main; the pull's sentence says more."""

    base: Sha
    cause: EvictionCause


@dataclass(frozen=True, kw_only=True, slots=True)
class QueuedPull(Reviewed):
    """`rounds` says how often it entered the queue, `candidates` how many it had; `labelling`,
    `is_by_policy` and `is_from_fork` as in `PullQueued`. `approvals_needed` None: reviews do not count. `rules` are the
    paths by which others are judged that it edits, as it was built on `rules_on`; `allowed_by` let this head do so.
    """

    number: PullNumber
    state: QueuedPullState
    head: Sha
    title: str
    by: str
    queued_at: datetime
    rounds: int = 1
    labelling: int = 0
    is_by_policy: bool = False
    is_from_fork: bool = False
    approvals: Approvals = field(default_factory=Approvals)
    approvals_needed: int | None = None
    candidates: int = 0
    rules: tuple[str, ...] = ()
    rules_on: Sha | None = None
    allowed_by: str = ""
    sentence: str = ""
    unfit: Unfit | None = None

    @property
    def entry(self) -> EntryId:
        return EntryId(f"pull:{self.number}")

    @property
    def is_by_label(self) -> bool:
        """Whether it is in the queue because of a label, which takes it out again when it goes."""
        return self.labelling != 0 and not self.has_left

    @property
    def needs_word(self) -> bool:
        """Whether it edits, as it was built last, what others are judged by, and nobody allowed that."""
        return bool(self.rules) and not self.allowed_by

    @property
    def has_left(self) -> bool:
        """Whether it is out of the queue: landed, or not."""
        return self.state in LEFT
