"""What a worker of readings is asked to read, as it travels through the doorbell."""

from enum import StrEnum

from bot.core.values.ids import Frozen


class ReadingKind(StrEnum):
    PULL = "pull"
    SPEC = "spec"


class Reading(Frozen):
    """`number` is a pull's, which `is_strangers` if it is from a fork; `path` and `commit` are a spec's."""

    kind: ReadingKind
    number: int = 0
    path: str = ""
    commit: str = ""
    is_strangers: bool = False
