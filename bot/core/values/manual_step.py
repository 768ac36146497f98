"""Something that only a person can do, as a task on a change's issue."""

from bot.core.values.ids import Frozen


class ManualStep(Frozen):
    """One task; `is_before`: the change's own agent waits for it, else only the changes after it."""

    key: str
    text: str
    is_before: bool
