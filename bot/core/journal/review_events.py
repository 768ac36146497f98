"""Facts about what people tell agents, in reviews of changes' pulls, too, and what agents answer there."""

from datetime import datetime
from typing import Literal

from bot.core.values.ids import ChangeId, Frozen, OrderId, ReviewCommentId


class WordsTold(Frozen):
    """A person told the agents of a change something; the next order carries it, a run hears it.

    `path` and `line` are where it was said in a review; `line` is 0 where no line is meant. `comment` is
    that of the review, `thread` the first one of its thread.
    """

    type: Literal["WordsTold"] = "WordsTold"
    change: ChangeId
    author: str
    text: str
    told_at: datetime
    path: str = ""
    line: int = 0
    comment: ReviewCommentId | None = None
    thread: ReviewCommentId | None = None


class ReviewCommentRead(Frozen):
    """A comment of a review was read, once: told to agents, or refused."""

    type: Literal["ReviewCommentRead"] = "ReviewCommentRead"
    change: ChangeId
    comment: ReviewCommentId
    author: str
    outcome: Literal["told", "refused"]


class ReviewCommentsSeen(Frozen):
    """A look at the comments of all reviews listed those that were written until then."""

    type: Literal["ReviewCommentsSeen"] = "ReviewCommentsSeen"
    up_to: datetime


class ThreadAccount(Frozen):
    """What an agent says of a thread of a review, by the thread's first comment."""

    thread: ReviewCommentId
    text: str


class ThreadsAccounted(Frozen):
    """The agent of an order says what became of threads that it was told."""

    type: Literal["ThreadsAccounted"] = "ThreadsAccounted"
    change: ChangeId
    order: OrderId
    accounts: tuple[ThreadAccount, ...]


class ThreadAnswered(Frozen):
    """What the agent of an order says was told in its thread, where comments up to `up_to` are answered.

    `is_resolved`: GitHub shows the thread as resolved since.
    """

    type: Literal["ThreadAnswered"] = "ThreadAnswered"
    change: ChangeId
    thread: ReviewCommentId
    order: OrderId
    up_to: ReviewCommentId
    is_resolved: bool


class ThreadSeen(Frozen):
    """Somebody resolved a thread, or opened it again."""

    type: Literal["ThreadSeen"] = "ThreadSeen"
    change: ChangeId
    thread: ReviewCommentId
    is_resolved: bool
