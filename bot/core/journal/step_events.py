"""Events of what people do by hand for a change.

Each is a small frozen value in the past tense; see `events` for the rule.
"""

from typing import Literal

from bot.core.values.ids import ChangeId, Frozen
from bot.core.values.manual_step import ManualStep


class StepsPut(Frozen):
    """What people have to do by hand for a change, as its spec says it."""

    type: Literal["StepsPut"] = "StepsPut"
    change: ChangeId
    steps: tuple[ManualStep, ...]


class StepDone(Frozen):
    """A person did a step; `done_by` is empty where they ticked it."""

    type: Literal["StepDone"] = "StepDone"
    change: ChangeId
    key: str
    done_by: str = ""
