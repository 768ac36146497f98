"""What is kept of comments of reviews."""

from dataclasses import dataclass, field
from datetime import datetime

from bot.localhub.model import Account, Issue, Pull, Reaction, Review


@dataclass(eq=False)
class ReviewComment:
    """A comment of a review, at a line of a file in the diff of a commit, or (`line` None) at the file.

    `blob` is the file as it was there, `diff_hunk` the hunk down to the line, `position` how far down
    in the file's diff that is. The first comment of a thread has what is so of the whole thread:
    `resolved_by`; others have it in `reply_to`.
    """

    id: int
    issue: Issue
    pull: Pull
    review: Review
    user: Account
    body: str
    commit_id: str
    path: str
    blob: str
    side: str
    line: int | None
    position: int | None
    diff_hunk: str
    created_at: datetime
    updated_at: datetime
    reply_to: "ReviewComment | None" = None
    resolved_by: Account | None = None
    reactions: list[Reaction] = field(default_factory=list)
