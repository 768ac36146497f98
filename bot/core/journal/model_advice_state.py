"""What the journal says of questions whose answers people read: a part of `state`.

Never changed but by its fold. Plannings keep their answers in `spec_state`.
"""

from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from bot.core.prompts.digest_prompt import DigestPromptInput
from bot.core.prompts.review_prompt import ReviewPromptInput
from bot.core.prompts.summary_prompt import SummaryPromptInput
from bot.core.values.spent import ModelUse


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """An answer of the right form that nobody has weighed yet."""

    about: Annotated[
        DigestPromptInput | SummaryPromptInput | ReviewPromptInput, Field(discriminator="kind")
    ]
    answer: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelAdvice:
    """One place's questions: answers to be weighed, those that failed and why, and what they took.

    `dropped` is how many observations stood on words that are not there.
    """

    answers: dict[str, Said] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    dropped: int = 0
    use: ModelUse = field(default_factory=ModelUse)
