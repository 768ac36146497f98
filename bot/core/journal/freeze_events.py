"""Events of people who stop the queue, a landing, or all orders.

Each is a small frozen value in the past tense; see `events` for the rule. `PausesEnded` by a person
ends the stop of orders, too.
"""

from datetime import datetime
from typing import Literal

from bot.core.values.freeze import FreezeCause
from bot.core.values.ids import EntryId, Frozen
from bot.core.values.lifecycle import AfterRecall


class QueueFrozen(Frozen):
    """Nothing lands, until a time at the latest; judging goes on. A person said so (`by`), or a commit
    that Headgate did not land is there.
    """

    type: Literal["QueueFrozen"] = "QueueFrozen"
    by: str
    why: str
    until: datetime | None
    frozen_at: datetime
    cause: FreezeCause = FreezeCause.PERSON
    branch_of_queue: str = ""


class QueueThawed(Frozen):
    """Freezes that a person lifts are over; `by` is empty where the time of one was up."""

    type: Literal["QueueThawed"] = "QueueThawed"
    by: str
    causes: tuple[FreezeCause, ...] = (FreezeCause.PERSON,)
    branch_of_queue: str = ""


class LandingRecalled(Frozen):
    """What waits in GitHub's merge queue is to be taken out there, if it is not merged by then. `by` is empty
    where a freeze does it; `why` is what the pull is told.
    """

    type: Literal["LandingRecalled"] = "LandingRecalled"
    entry: EntryId
    by: str
    why: str
    then: AfterRecall
    recalled_at: datetime
    branch_of_queue: str = ""


class OrdersStopped(Frozen):
    """A person has no runner asked for anything new; what is under way goes on."""

    type: Literal["OrdersStopped"] = "OrdersStopped"
    by: str
    why: str
    stopped_at: datetime
