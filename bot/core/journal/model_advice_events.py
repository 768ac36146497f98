"""Events of answers that people read: what was kept of them.

Each is a small frozen value in the past tense; see `events` for the rule.
"""

from typing import Literal

from bot.core.prompts.digest_prompt import Observation
from bot.core.values.ids import Frozen, SpecRunId


class RequirementsRead(Frozen):
    """A model has read some requirements; `noticed` has an entry for each text, by its hash.

    `dropped` observations named words that do not stand there.
    """

    type: Literal["RequirementsRead"] = "RequirementsRead"
    place: str
    prompt: str
    path: str
    noticed: dict[str, tuple[Observation, ...]]
    dropped: int


class SummaryWritten(Frozen):
    """A model's first paragraph of a report held against the facts, and is shown."""

    type: Literal["SummaryWritten"] = "SummaryWritten"
    place: str
    prompt: str
    spec_run: SpecRunId
    paragraph: str
    not_covered_note: str


class SummaryRefused(Frozen):
    """A model's first paragraph of a report did not hold; the report stays as it is."""

    type: Literal["SummaryRefused"] = "SummaryRefused"
    place: str
    prompt: str
    spec_run: SpecRunId
    sentence: str
