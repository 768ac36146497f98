"""Entries of the queue: what may land, a change or a person's pull, and all that its place follows from.

A part of `state`, where each lies under its id as soon as something is said of it; never changed but
by `evolve_entry`.
"""

from dataclasses import dataclass
from datetime import datetime

from bot.core.journal.hold import Hold, Recall
from bot.core.values.ids import CandidateId, EntryId
from bot.core.values.lifecycle import EntryState


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """`entered` is the number of the event by which it entered the queue, None where it is not on its way
    through it; `overtaken` how many landed before it that entered after it. `candidate` is the newest
    that was built, `asked` the one that is being built. `released_at`: when a person ended a hold last.
    """

    id: EntryId
    state: EntryState = EntryState.WAITING
    entered: int | None = None
    priority: int = 0
    is_next: bool = False
    overtaken: int = 0
    hold: Hold | None = None
    recall: Recall | None = None
    released_at: datetime | None = None
    land_after: datetime | None = None
    candidate: CandidateId | None = None
    asked: CandidateId | None = None
