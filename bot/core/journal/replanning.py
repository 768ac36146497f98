"""What of a spec run under way a model is planning again, as it is written down.

Only what is missing or what an edit touches is asked; everything else of the plan stays. The plan that
comes of it is a `Cycle` or a `ProposedEdit`.
"""

from datetime import datetime
from typing import Literal

from bot.core.prompts.figures import Estimate
from bot.core.values.ids import ChangeId, Frozen, RequirementId, Sha, SpecRunId


class SpecEdit(Frozen):
    """An edit of the spec: which requirements it moves, and the changes that it stopped.

    `ids` and `bases` are those of the plan that is to come.
    """

    ids: dict[RequirementId, RequirementId] = {}
    bases: dict[str, str] = {}
    paused: tuple[ChangeId, ...] = ()
    added: tuple[str, ...] = ()
    altered: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


class Replanning(Frozen):
    """Those requirements, as they stand at a commit, are being planned once more.

    `known` is what the planner is told of earlier work; `edit` None: they are what is missing at
    the end of a run. `failure`: why no model will answer.
    """

    version: str
    commit: Sha
    requirements: dict[str, str]
    known: tuple[str, ...] = ()
    began_at: datetime
    estimate: Estimate | None = None
    edit: SpecEdit | None = None
    failure: str = ""

    def failed(self, sentence: str) -> "Replanning":
        return Replanning(
            version=self.version,
            commit=self.commit,
            requirements=self.requirements,
            known=self.known,
            began_at=self.began_at,
            estimate=self.estimate,
            edit=self.edit,
            failure=sentence,
        )


class ReplanningBegan(Frozen):
    """A model is to plan a part of a spec run that is under way once more."""

    type: Literal["ReplanningBegan"] = "ReplanningBegan"
    spec_run: SpecRunId
    replanning: Replanning
