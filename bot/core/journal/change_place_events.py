"""Events of what people say of a change's place in the queue: who goes first, what does not land, and reviews.

Each is a small frozen value in the past tense; see `events` for the rule.
"""

from datetime import datetime
from typing import Literal

from bot.core.values.ids import ChangeId, Frozen
from bot.core.values.pull_review import Approvals, ChangeRequest


class ChangeMoved(Frozen):
    """A person gave a change another priority, or had it go next (`is_next`)."""

    type: Literal["ChangeMoved"] = "ChangeMoved"
    change: ChangeId
    by: str
    priority: int
    is_next: bool = False


class ChangeHeld(Frozen):
    """A person keeps a change from landing; agents and gates go on. `by` is empty where a check of
    another App did not come in time.
    """

    type: Literal["ChangeHeld"] = "ChangeHeld"
    change: ChangeId
    by: str
    why: str
    held_at: datetime


class ChangeReleased(Frozen):
    """A person ended the hold of a change, from when on checks are awaited anew; or (`by` empty) its
    reason is gone.
    """

    type: Literal["ChangeReleased"] = "ChangeReleased"
    change: ChangeId
    by: str
    released_at: datetime | None = None


class ChangeReviewed(Frozen):
    """What reviews say of a change's pull is not what it was; `needed` None: they do not count."""

    type: Literal["ChangeReviewed"] = "ChangeReviewed"
    change: ChangeId
    approvals: Approvals
    needed: int | None


class RequestHeard(Frozen):
    """What a person asks to be changed goes to an agent: to the one under way, or to the next."""

    type: Literal["RequestHeard"] = "RequestHeard"
    change: ChangeId
    request: ChangeRequest
