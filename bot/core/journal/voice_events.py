"""Events of answers that people read: what was kept of them.

Each is a small frozen value in the past tense; see `events` for the rule.
"""

from typing import Literal

from bot.core.ids import Frozen
from bot.core.voices.digest import Observation


class RequirementsRead(Frozen):
    """A model has read some requirements; `noticed` has an entry for each text, by its hash.

    `dropped` observations named words that do not stand there.
    """

    type: Literal["RequirementsRead"] = "RequirementsRead"
    place: str
    question: str
    path: str
    noticed: dict[str, tuple[Observation, ...]]
    dropped: int
