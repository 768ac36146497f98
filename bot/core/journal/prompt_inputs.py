"""What a prompt to a model is about; one class for each kind.

Its `place` says where in the journal the prompt belongs. A class holds everything that the prompt is
made of and the journal does not hold elsewhere.
"""

from typing import Annotated

from pydantic import Field

from bot.core.prompts.digest_prompt import DigestPromptInput
from bot.core.prompts.review_prompt import ReviewPromptInput
from bot.core.prompts.summary_prompt import SummaryPromptInput
from bot.core.values.issue_input import IssuePromptInput
from bot.core.values.plan_input import PlanPromptInput

About = Annotated[
    PlanPromptInput | IssuePromptInput | DigestPromptInput | SummaryPromptInput | ReviewPromptInput,
    Field(discriminator="kind"),
]
