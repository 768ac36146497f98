"""What the journal says of one change: its plan, its orders, its work.

A part of `state`; never changed but by `evolve_change` and `evolve_orders`. What follows
from these facts (its place in the queue, whether it is ready) is computed in `core.state`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from action.order import RetryContext
from action.report import SandboxKind, TokenUse
from bot.core.journal.events import FailureReason
from bot.core.journal.graded_events import CandidateReviewed
from bot.core.journal.reviewed import Reviewed
from bot.core.journal.thread_state import ReviewThreadFacts
from bot.core.values.clarification import Clarification
from bot.core.values.evidence_key import EvidenceKey
from bot.core.values.ids import (
    ChangeId,
    EntryId,
    IssueNumber,
    OrderId,
    PullNumber,
    ReviewCommentId,
    Sha,
    Slug,
    SpecRunId,
    WorkflowRunId,
)
from bot.core.values.lifecycle import TERMINAL, ChangeState, OrderState
from bot.core.values.manual_step import ManualStep
from bot.core.values.plan_model import ChangeSize, PlannedChange
from bot.core.values.pull_review import Approvals, ChangeRequest
from gates.result import Ending, GateResult


@dataclass(frozen=True, kw_only=True, slots=True)
class Head:
    """The work: an agent's as imported, or a person's as taken over (`order` None)."""

    sha: Sha
    tree: Sha
    order: OrderId | None
    paths: tuple[str, ...]
    stands_on: Sha | None = None


class PushState(StrEnum):
    """What became of a person's push to a change's branch."""

    NOTICED = "noticed"
    TAKEN = "taken"
    PASSED = "passed"
    REFUSED = "refused"


@dataclass(frozen=True, kw_only=True, slots=True)
class Push:
    """The newest push of a person to a change's branch."""

    sha: Sha
    state: PushState = PushState.NOTICED
    author: str = ""
    sentence: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Flake:
    """A gate that was red and then green on one commit, and the tests that had failed."""

    gate: str
    tests: tuple[str, ...] = ()


class OrderKind(StrEnum):
    AGENT = "agent"
    GATE = "gate"


@dataclass(frozen=True, kw_only=True, slots=True)
class OrderFacts:
    """One order; `change` is None for the gates of an adopted commit (`commit`), or of a person's pull,
    or where it `is_smoke`.

    `put_to_main`: main was judged because of it, to see whether its commit is to blame. `lost`: why
    the gates of a gate order never spoke. `dollars_max`: what an agent may cost. `dispatched_with`: the
    path of its workflow's file; empty where a release dispatched it that did not look at the file.
    """

    id: OrderId
    kind: OrderKind
    state: OrderState
    change: ChangeId | None
    commit: Sha
    definition_hash: str = ""
    asked_hash: str = ""
    reused: tuple[GateResult, ...] = ()
    keys: tuple[EvidenceKey, ...] = ()
    placed_at: datetime
    workflow_run: WorkflowRunId | None = None
    dispatched_at: datetime | None = None
    dispatched_on: str = ""
    dispatched_with: str = ""
    leased_at: datetime | None = None
    put_to_main: bool = False
    lost: str = ""
    dollars_max: float | None = None
    pull: PullNumber | None = None
    is_smoke: bool = False
    branch_of_queue: str = ""

    @property
    def is_open(self) -> bool:
        """Whether a report may still come that counts."""
        return self.state in {OrderState.PLACED, OrderState.LEASED}


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """What a person told the agents of a change, when, and where in a review, in which thread."""

    author: str
    text: str
    told_at: datetime
    path: str = ""
    line: int = 0
    thread: ReviewCommentId | None = None


class WorkFate(StrEnum):
    """What became of the work that an agent run handed in."""

    OPEN = "open"
    REFUSED = "refused"
    CONFLICT = "conflict"
    RED = "red"
    PASSED = "passed"
    LANDED = "landed"


@dataclass(frozen=True, kw_only=True, slots=True)
class RedGate:
    """A gate that did not pass: a few of the tests that the work made fail, or its log's error.

    `inherited` fail on main, too: tests, or the gate's own name where it names not all of them.
    """

    gate: str
    ending: Ending
    tests: tuple[str, ...] = ()
    tests_failed: int = 0
    error: str = ""
    inherited: tuple[str, ...] = ()


# The outcome of an agent run whose work is judged; all others are endings of the report,
# or "lost".
FINISHED = "finished"


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentRun:
    """One attempt of one agent, as it is reported to people.

    `fate` is of its work: `red` says which gates stopped it, `files` where it did not merge.
    `remade`: no agent ran, but a command of the policy for these files. `dollars`: what a run that was
    lost had said that it cost; others tell their tokens. `ticked` of its `tasks` it had ticked.
    """

    attempt: int
    order: OrderId
    outcome: str
    sentence: str = ""
    turns: int = 0
    tokens: TokenUse = field(default_factory=TokenUse)
    model: str = ""
    seconds: float = 0.0
    sandbox: SandboxKind | None = None
    fate: WorkFate = WorkFate.OPEN
    red: tuple[RedGate, ...] = ()
    files: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    remade: tuple[str, ...] = ()
    dollars: float | None = None
    ticked: int = 0
    tasks: int = 0


@dataclass(frozen=True, kw_only=True)
class ChangeFacts(Reviewed):
    """One change: its plan, where it is, and what it has to show.

    `shown` is what we last knew on its branch, `push` what a person last pushed there; `held_by` has
    the change in their hands, so that no agent is ordered; `authors` are people whose work it has.
    `allowed` names who allowed what of files that steer the judgement, by its digest; `may_lose` who
    allowed which test of main to go. `requests_heard` is the newest of each reviewer that an agent got.
    `head_is_whole`: no agent ended in the middle of it. `rejudged` is the head in which an agent found no fault.
    `was_refused`: GitHub refused a push of its work once, and its issue tells of that. `remake` are
    files that a command is to make anew before the head is a candidate, `start_remake` before the
    start is one; `remaking` are those of the newest order, and `remake_failed` leaves the next
    conflict to an agent. `built` are the newest candidates of this head. `unfit_on` is the main with which this head did not merge, or whose specs its delta
    did not fit. `steps` are what people do by hand, `steps_done` by whom each was (a tick: "").
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
    runs_before_budget: int = 0
    orders_lost: int = 0
    agent_runs: tuple[AgentRun, ...] = ()
    head: Head | None = None
    head_is_fresh: bool = False
    head_is_whole: bool = False
    start: Sha | None = None
    start_attempt: int = 0
    start_base: Sha | None = None
    start_conflicts: tuple[str, ...] = ()
    main_changed: str = ""
    work_changed: str = ""
    start_remake: tuple[str, ...] = ()
    remake: tuple[str, ...] = ()
    remaking: tuple[str, ...] = ()
    remake_failed: bool = False
    candidates: int = 0
    built: tuple[Sha, ...] = ()
    bundle: str | None = None
    gate_runs: int = 0
    flakes: tuple[Flake, ...] = ()
    rejudged: Sha | None = None
    retry: RetryContext | None = None
    failure: FailureReason | None = None
    sentence: str = ""
    landed: Sha | None = None
    landed_at: datetime | None = None
    merged_by: str = ""
    reopened: int = 0
    was_refused: bool = False
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
    unfit_on: Sha | None = None
    shown: Sha | None = None
    push: Push | None = None
    held_by: str = ""
    authors: tuple[str, ...] = ()
    approvals: Approvals = field(default_factory=Approvals)
    approvals_needed: int | None = 0
    requests_heard: tuple[ChangeRequest, ...] = ()
    allowed: Mapping[str, str] = field(default_factory=dict)
    may_lose: Mapping[str, str] = field(default_factory=dict)
    told: tuple[Told, ...] = ()
    reviews_read: tuple[ReviewCommentId, ...] = ()
    threads: Mapping[ReviewCommentId, ReviewThreadFacts] = field(default_factory=dict)
    steps: tuple[ManualStep, ...] = ()
    steps_done: Mapping[str, str] = field(default_factory=dict)
    reviews: Mapping[str, CandidateReviewed] = field(default_factory=dict)

    @property
    def entry(self) -> EntryId:
        return EntryId(f"change:{self.id}")

    @property
    def pushed(self) -> Sha | None:
        """A person's push to the branch that Headgate has not taken up yet."""
        is_new = self.push is not None and self.push.state is PushState.NOTICED
        return self.push.sha if self.push is not None and is_new else None

    @property
    def slug(self) -> Slug:
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
        """Attempts since the budget last began; no question, conflict or command counts as one."""
        asked = sum(1 for c in self.clarifications if c.attempt > self.budget_start)
        remade = sum(1 for r in self.agent_runs if r.remade and r.attempt > self.budget_start)
        tries = self.attempt - self.budget_start - asked - self.conflicts_now
        return max(0, tries - remade)

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
        """Whether what the newest run had done, when it ended unfinished, is still to be imported."""
        newest = self.agent_runs[-1] if self.agent_runs else None
        return (
            self.bundle is not None
            and newest is not None
            and newest.order == self.order
            and newest.outcome != FINISHED
        )
