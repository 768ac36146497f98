"""What a person asks in a comment, once it is read."""

from enum import StrEnum

from bot.core.values.ids import Frozen


class Verb(StrEnum):
    """Every verb there is."""

    RUN = "run"
    APPROVE = "approve"
    ANSWER = "answer"
    PLAN = "plan"
    RETRY = "retry"
    STOP = "stop"
    STATUS = "status"
    WHY = "why"
    HELP = "help"


class Command(Frozen):
    """A verb with its argument, or (`verb` None) something that looks like a command."""

    verb: Verb | None
    argument: str
    said: str
    nearest: Verb | None = None
