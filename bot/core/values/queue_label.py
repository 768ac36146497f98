"""The label by which a person's pull is queued, for those who prefer labels to comments."""

from bot.core.values.ids import Frozen
from bot.core.values.repository import Labelling, Role

QUEUE_LABEL = "headgate:queue"


class QueueLabel(Frozen):
    """The label of one pull: `act` None where it is not there, or no person put it there. `role` is current."""

    act: Labelling | None = None
    role: Role = Role.NONE
