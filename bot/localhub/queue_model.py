"""What is kept of a branch's merge queue."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.localhub.model import Account, Issue, Pull


class EntryState(StrEnum):
    QUEUED = "QUEUED"
    AWAITING_CHECKS = "AWAITING_CHECKS"


@dataclass(eq=False)
class MergeGroup:
    """The commit that the branch would become, under a branch of its own while its checks are awaited."""

    branch: str
    base_sha: str
    head_sha: str
    made_at: datetime


@dataclass(eq=False)
class QueueEntry:
    id: int
    issue: Issue
    pull: Pull
    head_sha: str
    enqueuer: Account
    enqueued_at: datetime
    group: MergeGroup | None = None

    @property
    def state(self) -> EntryState:
        return EntryState.QUEUED if self.group is None else EntryState.AWAITING_CHECKS


@dataclass(frozen=True, eq=False)
class Removal:
    id: int
    issue: Issue
    reason: str
    at: datetime
