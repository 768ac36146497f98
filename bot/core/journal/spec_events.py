"""Events of specs under discussion: pulls that touch specs, issues that are specs, edits of specs.

Each is a small frozen value in the past tense; see `events` for the rule.
"""

from datetime import datetime
from typing import Literal

from bot.core.values.ids import (
    ChangeId,
    Frozen,
    IssueNumber,
    PullNumber,
    RequirementId,
    Sha,
    SpecRunId,
)
from bot.core.values.lifecycle import ChangeState, SpecRunState
from bot.core.values.plan_model import Plan


class SpecPullDigested(Frozen):
    """What a pull makes of its specs was computed; each `round` says something new of it.

    `lost`: what it takes from a spec although the policy says `losses: fail`.
    """

    type: Literal["SpecPullDigested"] = "SpecPullDigested"
    pull: PullNumber
    head: Sha
    round: int
    digest: str
    claims: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


class SpecPullForgotten(Frozen):
    """A pull touches no spec any more, or is not open any more."""

    type: Literal["SpecPullForgotten"] = "SpecPullForgotten"
    pull: PullNumber


class SpecProposed(Frozen):
    """An issue's text was committed on a branch, and its pull is open.

    `dialogue`: which dialogue about the issue wrote the text; 0: it is the issue's own.
    """

    type: Literal["SpecProposed"] = "SpecProposed"
    issue: IssueNumber
    pull: PullNumber
    path: str
    digest: str
    round: int
    dialogue: int = 0


class SpecWithdrawn(Frozen):
    """An issue is a spec no more; its pull is not open any more."""

    type: Literal["SpecWithdrawn"] = "SpecWithdrawn"
    issue: IssueNumber


class SpecAmended(Frozen):
    """A spec was edited while its run is under way: a revision of the plan waits for approval.

    `paused` are the changes whose requirements were altered; all others go on. `ids` and `bases`
    are those of a plan; `beside` says why it is not the plan of a model that was asked.
    """

    type: Literal["SpecAmended"] = "SpecAmended"
    spec_run: SpecRunId
    version: str
    commit: Sha
    plan: Plan
    requirements: dict[str, str]
    ids: dict[RequirementId, RequirementId] = {}
    bases: dict[str, str] = {}
    paused: tuple[ChangeId, ...]
    added: tuple[str, ...]
    altered: tuple[str, ...]
    removed: tuple[str, ...]
    beside: tuple[str, ...] = ()


class AmendmentApproved(Frozen):
    """A person approved the revision that an edit proposed; the run goes on with it."""

    type: Literal["AmendmentApproved"] = "AmendmentApproved"
    spec_run: SpecRunId
    revision: int
    plan_hash: str
    approved_by: str


class AmendmentWithdrawn(Frozen):
    """The spec went back to the text that was approved, or to one that alters nothing of it."""

    type: Literal["AmendmentWithdrawn"] = "AmendmentWithdrawn"
    spec_run: SpecRunId


class RetiredChange(Frozen):
    """What is kept of a change whose spec run was retired."""

    slug: str
    title: str
    state: ChangeState
    requirements: tuple[RequirementId, ...] = ()
    issue: IssueNumber | None = None
    pull: PullNumber | None = None
    landed: Sha | None = None
    attempts: int = 0
    sentence: str = ""


class SpecRunRetired(Frozen):
    """A spec run ended long ago: it leaves the state, and this record of it stays in the journal."""

    type: Literal["SpecRunRetired"] = "SpecRunRetired"
    spec_run: SpecRunId
    path: str
    title: str
    state: SpecRunState
    issue: IssueNumber | None
    opened_at: datetime
    ended_at: datetime | None
    approved_by: str = ""
    changes: tuple[RetiredChange, ...] = ()
