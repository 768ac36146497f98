"""How a process says that it lives, and what is counted over all processes."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from bot.core.values.ids import Frozen


class Part(StrEnum):
    """What Headgate needs to work, as `/readyz` names it."""

    DATABASE = "database"
    REDIS = "redis"
    WORKER = "worker"
    READER = "reader"
    SWEEP = "sweep"
    GITHUB = "github"


class Pulse(Frozen):
    """When a process was last alive; `says` is what keeps it from its work, if anything does."""

    process: str
    part: Part
    at: datetime
    says: str = ""


class Count(NamedTuple):
    """An amount that is only ever added to; `labels` are pairs of a name and a value."""

    name: str
    labels: tuple[tuple[str, str], ...] = ()
