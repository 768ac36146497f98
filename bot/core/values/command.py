"""What a person asks in a comment, once it is read."""

from enum import StrEnum

from bot.core.values.ids import Frozen


class Verb(StrEnum):
    RUN = "run"
    APPROVE = "approve"
    ANSWER = "answer"
    PLAN = "plan"
    RETRY = "retry"
    STOP = "stop"
    RESUME = "resume"
    WAIVE = "waive"
    STATUS = "status"
    WHY = "why"
    HELP = "help"


class Command(Frozen):
    """A verb with its argument, or (`verb` None) something that looks like a command."""

    verb: Verb | None
    argument: str
    said: str
    nearest: Verb | None = None
