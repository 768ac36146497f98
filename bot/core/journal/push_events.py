"""Events of people's pushes to the branch of a change: noticed, taken over, refused, handed back."""

from typing import Literal

from bot.core.values.ids import ChangeId, Frozen, Sha


class BranchPushed(Frozen):
    """The branch of a change shows a commit that we did not push."""

    type: Literal["BranchPushed"] = "BranchPushed"
    change: ChangeId
    pushed: Sha


class HeadTakenOver(Frozen):
    """What was pushed is the change's work now, and in the hands of whoever pushed it.

    `head` is our commit of it, without what only Headgate writes; `base` is the commit of main that
    it stands on. `authors` (`Name <mail>`, the newest first) stay the authors of what lands.
    """

    type: Literal["HeadTakenOver"] = "HeadTakenOver"
    change: ChangeId
    pushed: Sha
    base: Sha
    head: Sha
    tree: Sha
    paths: tuple[str, ...]
    authors: tuple[str, ...]


class PushPassedOver(Frozen):
    """A push brought nothing of its own, such as a merge of main; our next candidate replaces it."""

    type: Literal["PushPassedOver"] = "PushPassedOver"
    change: ChangeId
    pushed: Sha


class PushRefused(Frozen):
    """A push is not taken over, for a reason; the change waits for whoever pushed it."""

    type: Literal["PushRefused"] = "PushRefused"
    change: ChangeId
    pushed: Sha
    author: str
    sentence: str


class LeftToPerson(Frozen):
    """A person's work did not pass, or does not merge: the next step is theirs, not an agent's."""

    type: Literal["LeftToPerson"] = "LeftToPerson"
    change: ChangeId
    sentence: str


class HandedBack(Frozen):
    """A person gave the change to an agent again."""

    type: Literal["HandedBack"] = "HandedBack"
    change: ChangeId
    handed_back_by: str
