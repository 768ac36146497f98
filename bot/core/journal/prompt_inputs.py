"""What a question to a model is about: one kind for each thing that a model is asked for.

Each kind has a `place`, whose question it is. The rule: a kind names all that its prompt is made of,
as far as the journal does not hold it. Deliberately absent: the words.
"""

from typing import Annotated

from pydantic import Field

from bot.core.prompts.digest_prompt import DigestQuestion
from bot.core.prompts.summary_prompt import SummaryQuestion
from bot.core.values.issue_input import IssueQuestion
from bot.core.values.plan_input import PlanQuestion

About = Annotated[
    PlanQuestion | IssueQuestion | DigestQuestion | SummaryQuestion, Field(discriminator="kind")
]
