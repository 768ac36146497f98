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
    reply_to: ReviewCommentId | None = None

    @property
    def thread(self) -> ReviewCommentId:
        """The first comment of its thread; GitHub has no answers to answers."""
        return self.reply_to or self.id


class ReviewCommentWithRole(Frozen):
    comment: ReviewComment
    role: Role


class ThreadComment(Frozen):
    """A comment in a thread; `author` is empty where the account is gone."""

    id: ReviewCommentId
    author: str
    body: str
    is_ours: bool


class ReviewThread(Frozen):
    """A thread of a review as GitHub shows it: its `id` there, its first comment, and its newest comments,
    oldest first. `place` is the file with the line that it was begun at.
    """

    id: str
    place: str = ""
    root: ReviewCommentId
    is_resolved: bool
    comments: tuple[ThreadComment, ...] = ()


class ReviewSnapshot(Frozen):
    """Comments that nobody has read yet, oldest first; `seen_to`: all until then were listed.

    `threads` are those of the pulls that were asked about.
    """

    comments: tuple[ReviewCommentWithRole, ...] = ()
    seen_to: datetime | None = None
    threads: tuple[ReviewThread, ...] = ()
