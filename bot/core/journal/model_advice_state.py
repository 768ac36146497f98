"""What the journal says of questions whose answers people read: a part of `state`.

Never changed but by its fold. Deliberately absent: plannings, which keep their own answers.
"""

from pydantic import Field

from bot.core.prompts.digest_prompt import DigestPromptInput
from bot.core.prompts.summary_prompt import SummaryPromptInput
from bot.core.values.ids import Frozen
from bot.core.values.spent import ModelUse


class Said(Frozen):
    """An answer of the right form that nobody has weighed yet."""

    about: DigestPromptInput | SummaryPromptInput = Field(discriminator="kind")
    answer: str


class ModelAdvice(Frozen):
    """One place's questions: answers to be weighed, those that failed and why, and what they took.

    `dropped` is how many observations stood on words that are not there.
    """

    answers: dict[str, Said] = {}
    failures: dict[str, str] = {}
    dropped: int = 0
    use: ModelUse = ModelUse()
