"""What the journal says of one spec: its run, its planning, its edits, its pulls, its issue.

A part of `state`; never changed but by its fold. The spec's text is read from the tree.
"""

from dataclasses import dataclass, field
from datetime import date, datetime

from bot.core.journal.replanning import Replanning
from bot.core.prompts.figures import Estimate, WorkEstimate
from bot.core.prompts.plan_prompt import Rejection
from bot.core.values.ids import (
    ChangeId,
    IssueNumber,
    PullNumber,
    RequirementId,
    Sha,
    SpecRunId,
)
from bot.core.values.lifecycle import SpecRunState
from bot.core.values.plan_model import Plan, Planner
from bot.core.values.spec_model import Finding
from bot.core.values.spent import ModelUse


@dataclass(frozen=True, kw_only=True, slots=True)
class Planning:
    """A version of a spec that a model is planning."""

    version: str
    requirements: dict[str, str]
    began_at: datetime
    failure: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Cycle:
    """One cycle of the replan: the requirements that were asked again, and who planned them.

    `beside` says why it was not a model, where one was asked.
    """

    number: int
    requirements: tuple[RequirementId, ...]
    planner: Planner = Planner.DETERMINISTIC
    beside: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class ProposedEdit:
    """What an edit of the spec would make of a run that is under way, until it is approved.

    `added`, `altered` and `removed` are requirements; `paused` the changes that they stopped;
    `ids` and `bases` are those of the plan; `beside` says why it is not the plan of a model.
    """

    version: str
    commit: Sha
    plan: Plan
    requirements: dict[str, str]
    ids: dict[RequirementId, RequirementId] = field(default_factory=dict)
    bases: dict[str, str] = field(default_factory=dict)
    paused: tuple[ChangeId, ...] = ()
    added: tuple[str, ...] = ()
    altered: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SpecRun:
    """One spec being turned into merged code; US cents were added (`cents_added`) to its budget by people's word."""

    id: SpecRunId
    path: str
    key: str
    title: str
    state: SpecRunState = SpecRunState.PROPOSED
    opened_at: datetime
    version: str = ""
    commit: Sha | None = None
    plan: Plan | None = None
    requirements: dict[str, str] = field(default_factory=dict)
    ids: dict[RequirementId, RequirementId] = field(default_factory=dict)
    bases: dict[str, str] = field(default_factory=dict)
    issue: IssueNumber | None = None
    issue_id: int | None = None
    issue_closed: bool = False
    issue_rounds: int = 0
    approved_by: str = ""
    archive_date: date | None = None
    revisions_shown: dict[int, datetime] = field(default_factory=dict)
    approvals: dict[int, tuple[str, ...]] = field(default_factory=dict)
    ended_at: datetime | None = None
    dropped_issues: tuple[IssueNumber, ...] = ()
    interventions: tuple[str, ...] = ()
    planning: Planning | None = None
    beside: tuple[str, ...] = ()
    off: str = ""
    planning_estimate: Estimate | None = None
    work_estimate: WorkEstimate | None = None
    answers: dict[str, str] = field(default_factory=dict)
    rejections: dict[str, tuple[Rejection, ...]] = field(default_factory=dict)
    model_use: ModelUse = field(default_factory=ModelUse)
    cycles: tuple[Cycle, ...] = ()
    proposed_edit: ProposedEdit | None = None
    replanning: Replanning | None = None
    cents_added: int = 0

    @property
    def is_open(self) -> bool:
        return self.state in {SpecRunState.PROPOSED, SpecRunState.RUNNING}

    @property
    def is_delta(self) -> bool:
        """Whether its spec is an OpenSpec delta folder, which is folded into the main specs."""
        return self.path.startswith("openspec/changes/")


@dataclass(frozen=True, kw_only=True, slots=True)
class SpecRefusal:
    """A spec (or the policy) that could not be read, until its text changes."""

    version: str
    commit: Sha
    findings: tuple[Finding, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class PullDigest:
    """What was last said of a pull's specs; `decided` is the state's count of decisions that it tells of.

    `claims` are the requirements of main specs that its deltas change; `lost` as in `SpecPullDigested`.
    """

    head: Sha
    round: int
    digest: str
    claims: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    is_stale: bool = False
    decided: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class SpecIssue:
    """A spec that is an issue: the file that it asks for, and the pull that offers it."""

    path: str
    pull: PullNumber
    digest: str
    round: int
    is_withdrawn: bool = False
