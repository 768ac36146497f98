"""What the journal says of one change: its plan, its orders, its work, its candidates.

A part of `state`; never changed but by `evolve_change` and `evolve_orders`. Deliberately absent:
what can be derived of a change (its place in the queue, whether it is ready).
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from action.order import RetryContext
from action.report import SandboxKind, TokenUse
from bot.core.journal.events import FailureReason
from bot.core.values.clarification import Clarification
from bot.core.values.ids import (
    ChangeId,
    IssueNumber,
    OrderId,
    PullNumber,
    Sha,
    Slug,
    SpecRunId,
    WorkflowRunId,
)
from bot.core.values.lifecycle import TERMINAL, ChangeState, OrderState
from bot.core.values.plan_model import ChangeSize, PlannedChange
from gates.result import GateResult


@dataclass(frozen=True, kw_only=True, slots=True)
class Head:
    """The agent's work as imported."""

    sha: Sha
    tree: Sha
    order: OrderId
    paths: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """The newest candidate of a change."""

    number: int
    base: Sha
    head: Sha
    sha: Sha
    tree: Sha
    diff_digest: str
    built_at: datetime
    archive_paths: tuple[str, ...]
    register_digest: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """Gate results and what they were said of, so that they can hold again (law 8)."""

    tree: Sha
    diff_digest: str
    definition_hash: str
    results: tuple[GateResult, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Flake:
    """A gate that was red and then green on one commit, and the tests that had failed."""

    gate: str
    tests: tuple[str, ...] = ()


class OrderKind(StrEnum):
    """What an order asks for."""

    AGENT = "agent"
    GATE = "gate"


@dataclass(frozen=True, kw_only=True, slots=True)
class OrderFacts:
    """One order; `change` is None for the gates of an adopted commit (`commit`)."""

    id: OrderId
    kind: OrderKind
    state: OrderState
    change: ChangeId | None
    commit: Sha
    definition_hash: str = ""
    asked_hash: str = ""
    reused: tuple[GateResult, ...] = ()
    placed_at: datetime
    workflow_run: WorkflowRunId | None = None
    dispatched_at: datetime | None = None
    dispatched_on: str = ""
    leased_at: datetime | None = None

    @property
    def is_open(self) -> bool:
        """Whether a report may still come that counts."""
        return self.state in {OrderState.PLACED, OrderState.LEASED}


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentRun:
    """One attempt of one agent, as it is reported to people."""

    attempt: int
    order: OrderId
    outcome: str
    sentence: str = ""
    turns: int = 0
    tokens: TokenUse = field(default_factory=TokenUse)
    model: str = ""
    seconds: float = 0.0
    sandbox: SandboxKind | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangeFacts:
    """One change: its plan, where it is, and what it has to show.

    `head_is_whole`: no agent ended in the middle of it. `doubts` are red results of the newest
    candidate that do not count yet; `rejudged` is the head in which an agent found no fault.
    """

    id: ChangeId
    spec_run: SpecRunId
    planned: PlannedChange
    state: ChangeState = ChangeState.WAITING
    issue: IssueNumber | None = None
    issue_id: int | None = None
    is_sub_issue: bool = False
    blocked_by_linked: tuple[str, ...] = ()
    issue_closed: bool = False
    issue_rounds: int = 0
    pull: PullNumber | None = None
    pull_closed: bool = False
    pull_rounds: int = 0
    order: OrderId | None = None
    attempt: int = 0
    budget_start: int = 0
    orders_lost: int = 0
    agent_runs: tuple[AgentRun, ...] = ()
    head: Head | None = None
    head_is_fresh: bool = False
    head_is_whole: bool = False
    start: Sha | None = None
    start_attempt: int = 0
    start_base: Sha | None = None
    main_changed: str = ""
    candidates: int = 0
    candidate: Candidate | None = None
    bundle: str | None = None
    results: tuple[GateResult, ...] = ()
    judged: tuple[Judged, ...] = ()
    gate_runs: int = 0
    doubts: tuple[GateResult, ...] = ()
    flakes: tuple[Flake, ...] = ()
    rejudged: Sha | None = None
    retry: RetryContext | None = None
    failure: FailureReason | None = None
    sentence: str = ""
    queued_at: int | None = None
    land_after: datetime | None = None
    landed: Sha | None = None
    landed_at: datetime | None = None
    merged_by: str = ""
    reopened: int = 0
    cycle: int = 0
    said_size: ChangeSize | None = None
    said_size_by: str = ""
    edited_blocks: dict[str, str] = field(default_factory=dict)
    accepted_blocks: dict[str, str] = field(default_factory=dict)
    clarifications: tuple[Clarification, ...] = ()
    clarified_before: int = 0
    delta_conflict: str = ""
    conflicts: int = 0
    conflicts_before: int = 0
    conflicted_at: int | None = None
    conflict_files: tuple[str, ...] = ()

    @property
    def slug(self) -> Slug:
        """The slug that the plan gave."""
        return self.planned.slug

    @property
    def size(self) -> ChangeSize:
        """What a person said by a label, else the plan's estimate."""
        return self.said_size or self.planned.size

    @property
    def is_ended(self) -> bool:
        """Whether nothing more happens without a person."""
        return self.state in TERMINAL

    @property
    def tries(self) -> int:
        """Attempts since the budget last began; neither a question nor a conflict counts as one."""
        asked = sum(1 for c in self.clarifications if c.attempt > self.budget_start)
        return max(0, self.attempt - self.budget_start - asked - self.conflicts_now)

    @property
    def conflicts_now(self) -> int:
        """Conflicts since the budget last began."""
        return self.conflicts - self.conflicts_before

    @property
    def clarifications_now(self) -> tuple[Clarification, ...]:
        """What was asked about the requirements as they are now, oldest first."""
        return self.clarifications[self.clarified_before :]

    @property
    def has_partial_work(self) -> bool:
        """Whether what a run had done when it asked is still to be kept."""
        newest = self.clarifications[-1] if self.clarifications else None
        return self.bundle is not None and newest is not None and newest.order == self.order
