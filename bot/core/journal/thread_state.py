"""A thread of a review on a change's pull that agents are told of: a part of `change_state`."""

from dataclasses import dataclass

from bot.core.values.ids import OrderId, ReviewCommentId, Sha


@dataclass(frozen=True, kw_only=True, slots=True)
class ReviewThreadFacts:
    """A thread, by its first comment.

    `newest` is the newest comment that agents are told, `number` the one by which they are told it; both
    move with each comment. `account` is what the agent of `order` says of it, `work` the head that this
    agent brought, and `is_touched` whether the file of the thread is another there. `answered` is the
    order whose account was told in it, `is_resolved` how GitHub shows it, and `settled` the newest
    comment when it was resolved.
    """

    root: ReviewCommentId
    path: str
    newest: ReviewCommentId
    number: int
    account: str = ""
    order: OrderId | None = None
    work: Sha | None = None
    is_touched: bool = False
    answered: OrderId | None = None
    is_resolved: bool = False
    settled: ReviewCommentId | None = None

    @property
    def is_open(self) -> bool:
        """Whether somebody waits for an answer in it: it is not resolved, or was spoken in since."""
        return not self.is_resolved or self.newest != self.settled

    @property
    def is_to_be_answered(self) -> bool:
        """Whether work is there that its newest account is about, and nobody was told that account."""
        return self.work is not None and self.order != self.answered and self.is_open
