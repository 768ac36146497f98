"""What a person asks in a comment, once it is read."""

from enum import StrEnum

from bot.core.values.ids import Frozen


class Verb(StrEnum):
    RUN = "run"
    APPROVE = "approve"
    ANSWER = "answer"
    PLAN = "plan"
    RETRY = "retry"
    HAND_BACK = "hand-back"
    STOP = "stop"
    FREEZE = "freeze"
    UNFREEZE = "unfreeze"
    PAUSE = "pause"
    RESUME = "resume"
    QUEUE = "queue"
    DEQUEUE = "dequeue"
    HOLD = "hold"
    RELEASE = "release"
    NOW = "now"
    WAIVE = "waive"
    ALLOW = "allow"
    TELL = "tell"
    DONE = "done"
    SELFTEST = "selftest"
    STATUS = "status"
    WHY = "why"
    HELP = "help"


# At a pull these are about the branch into which it asks to be merged.
BY_BASE_BRANCH = frozenset({Verb.QUEUE, Verb.FREEZE, Verb.UNFREEZE})


class Command(Frozen):
    """A verb with its argument, or (`verb` None) something that looks like a command."""

    verb: Verb | None
    argument: str
    said: str
    nearest: Verb | None = None
