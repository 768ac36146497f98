"""Events of what people say of a change's place in the queue: who goes first, and what does not land.

Each is a small frozen value in the past tense; see `events` for the rule.
"""

from datetime import datetime
from typing import Literal

from bot.core.values.ids import ChangeId, Frozen


class ChangeMoved(Frozen):
    """A person gave a change another priority, or had it go next (`is_next`)."""

    type: Literal["ChangeMoved"] = "ChangeMoved"
    change: ChangeId
    by: str
    priority: int
    is_next: bool = False


class ChangeHeld(Frozen):
    """A person keeps a change from landing; agents and gates go on."""

    type: Literal["ChangeHeld"] = "ChangeHeld"
    change: ChangeId
    by: str
    why: str
    held_at: datetime


class ChangeReleased(Frozen):
    """A person ended the hold of a change."""

    type: Literal["ChangeReleased"] = "ChangeReleased"
    change: ChangeId
    by: str
