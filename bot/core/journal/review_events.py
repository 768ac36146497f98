"""Facts about what people say in reviews of changes' pulls."""

from datetime import datetime
from typing import Literal

from bot.core.values.ids import ChangeId, Frozen, ReviewCommentId


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
