"""What people say at the lines of a pull's diff."""

from datetime import datetime

from bot.core.values.ids import Frozen, PullNumber, ReviewCommentId
from bot.core.values.repository import Role


class ReviewComment(Frozen):
    """A comment of a review on a pull; GitHub numbers these apart from comments on issues.

    `line` is of the file as the pull has it; 0 where the whole file is meant, or a line that the pull
    takes away. Who submits a review moves `updated_at` of its comments, so nothing tells of an edit.
    """

    id: ReviewCommentId
    pull: PullNumber
    path: str
    line: int
    body: str
    author: str
    author_is_person: bool
    updated_at: datetime


class ReviewCommentWithRole(Frozen):
    """A comment and its author's current role."""

    comment: ReviewComment
    role: Role


class ReviewSnapshot(Frozen):
    """Comments that nobody has read yet, oldest first; `seen_to`: all until then were listed."""

    comments: tuple[ReviewCommentWithRole, ...] = ()
    seen_to: datetime | None = None
