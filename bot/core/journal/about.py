"""What a question to a model is about: one case a kind, told apart by `kind`.

The rule: every kind names its `place`, by which its calls and its answer find their way in the
journal. Deliberately absent: prompts.
"""

from typing import Annotated

from pydantic import Field

from bot.core.dialogue.about import IssueQuestion
from bot.core.plan.asking.about import PlanQuestion

About = Annotated[PlanQuestion | IssueQuestion, Field(discriminator="kind")]
