"""State: what a repository's journal amounts to, as one value.

It is the fold of events (`evolve`) and nothing else ever changes it. A snapshot carries
`FOLD_VERSION`; a snapshot of another version is thrown away and folded anew. What can be derived
(queue position, readiness, progress) is not here.
"""

from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum

from action.order import RetryContext
from action.report import SandboxKind, TokenUse
from bot.core.change.lifecycle import TERMINAL, ChangeState
from bot.core.ids import (
    ChangeId,
    CommentId,
    EffectKey,
    Frozen,
    IssueNumber,
    OrderId,
    PullNumber,
    RequirementId,
    Sha,
    Slug,
    SpecRunId,
    WorkflowRunId,
)
from bot.core.journal.effects import Effect
from bot.core.journal.events import FailureReason
from bot.core.plan.asking.figures import Estimate, WorkEstimate
from bot.core.plan.asking.material import Rejection
from bot.core.plan.model import Plan, PlannedChange
from bot.core.repository import RepositoryFacts
from bot.core.spec.model import Finding
from bot.core.spec.questions import Asked, Decision
from bot.core.spec.register import Register
from gates.result import GateResult

# Raise it with every change of meaning in `evolve` or of shape in this file.
FOLD_VERSION = 6


class LedgerKind(StrEnum):
    """How a first-parent commit of main came to be there (law 10)."""

    GENESIS = "genesis"
    LANDED = "landed"
    ADMITTED = "admitted"
    ADOPTED = "adopted"


class LedgerLine(Frozen):
    """One first-parent commit of main and why it is there.

    `previous` is the line's forerunner; None for the first line, and where main was rewound.
    """

    number: int
    kind: LedgerKind
    sha: Sha
    tree: Sha
    previous: Sha | None
    change: ChangeId | None = None
    author: str = ""
    gates: tuple[str, ...] = ()


class Head(Frozen):
    """The agent's work as imported."""

    sha: Sha
    tree: Sha
    order: OrderId
    paths: tuple[str, ...]


class Candidate(Frozen):
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


class Judged(Frozen):
    """Gate results and what they were said of, so that they can hold again (law 8)."""

    tree: Sha
    diff_digest: str
    definition_hash: str
    results: tuple[GateResult, ...]


class OrderKind(StrEnum):
    """What an order asks for."""

    AGENT = "agent"
    GATE = "gate"


class OrderState(StrEnum):
    """Where an order is. Terminal: reported, lost."""

    PLACED = "placed"
    LEASED = "leased"
    REPORTED = "reported"
    LOST = "lost"


class OrderFacts(Frozen):
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
    leased_at: datetime | None = None

    @property
    def is_open(self) -> bool:
        """Whether a report may still come that counts."""
        return self.state in {OrderState.PLACED, OrderState.LEASED}


class AgentRun(Frozen):
    """One attempt of one agent, as it is reported to people."""

    attempt: int
    order: OrderId
    outcome: str
    sentence: str = ""
    turns: int = 0
    tokens: TokenUse = TokenUse()
    model: str = ""
    seconds: float = 0.0
    sandbox: SandboxKind | None = None


class ChangeFacts(Frozen):
    """One change: its plan, where it is, and what it has to show."""

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
    start: Sha | None = None
    start_attempt: int = 0
    start_base: Sha | None = None
    candidates: int = 0
    candidate: Candidate | None = None
    bundle: str | None = None
    results: tuple[GateResult, ...] = ()
    judged: tuple[Judged, ...] = ()
    gate_runs: int = 0
    retry: RetryContext | None = None
    failure: FailureReason | None = None
    sentence: str = ""
    queued_at: int | None = None
    land_after: datetime | None = None
    landed: Sha | None = None
    landed_at: datetime | None = None
    reopened: int = 0
    cycle: int = 0
    edited_blocks: dict[str, str] = {}
    accepted_blocks: dict[str, str] = {}

    @property
    def slug(self) -> Slug:
        """The slug that the plan gave."""
        return self.planned.slug

    @property
    def is_ended(self) -> bool:
        """Whether nothing more happens without a person."""
        return self.state in TERMINAL

    @property
    def tries(self) -> int:
        """Attempts since the budget last began."""
        return self.attempt - self.budget_start


class Planning(Frozen):
    """A version of a spec that a model is planning."""

    version: str
    requirements: dict[str, str]
    began_at: datetime
    failure: str = ""


class ModelUse(Frozen):
    """What was asked of models for a spec run; `dollars` None: the price of a part is unknown."""

    calls: int = 0
    tokens: TokenUse = TokenUse()
    dollars: float | None = 0.0


class SpecRunState(StrEnum):
    """Where a spec run is. Terminal: stopped, ended."""

    PROPOSED = "proposed"
    RUNNING = "running"
    STOPPED = "stopped"
    ENDED = "ended"


class Cycle(Frozen):
    """One cycle of the replan: the requirements that were asked again."""

    number: int
    requirements: tuple[RequirementId, ...]


class Amendment(Frozen):
    """What an edit of the spec would make of a run that is under way, until it is approved.

    `added`, `altered` and `removed` are requirements; `paused` the changes that they stopped;
    `ids` and `bases` are those of the plan.
    """

    version: str
    commit: Sha
    plan: Plan
    requirements: dict[str, str]
    ids: dict[RequirementId, RequirementId] = {}
    bases: dict[str, str] = {}
    paused: tuple[ChangeId, ...] = ()
    added: tuple[str, ...] = ()
    altered: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


class SpecRun(Frozen):
    """One spec being turned into merged code."""

    id: SpecRunId
    path: str
    key: str
    title: str
    state: SpecRunState = SpecRunState.PROPOSED
    opened_at: datetime
    version: str = ""
    commit: Sha | None = None
    plan: Plan | None = None
    requirements: dict[str, str] = {}
    ids: dict[RequirementId, RequirementId] = {}
    bases: dict[str, str] = {}
    issue: IssueNumber | None = None
    issue_id: int | None = None
    issue_closed: bool = False
    issue_rounds: int = 0
    approved_by: str = ""
    archive_date: date | None = None
    revisions_shown: dict[int, datetime] = {}
    ended_at: datetime | None = None
    dropped_issues: tuple[IssueNumber, ...] = ()
    interventions: tuple[str, ...] = ()
    planning: Planning | None = None
    beside: tuple[str, ...] = ()
    off: str = ""
    planning_estimate: Estimate | None = None
    work_estimate: WorkEstimate | None = None
    answers: dict[str, str] = {}
    rejections: dict[str, tuple[Rejection, ...]] = {}
    model_use: ModelUse = ModelUse()
    cycles: tuple[Cycle, ...] = ()
    amendment: Amendment | None = None

    @property
    def is_open(self) -> bool:
        """Whether it is proposed or running."""
        return self.state in {SpecRunState.PROPOSED, SpecRunState.RUNNING}


class HeardComment(Frozen):
    """A comment that waits for its answer."""

    comment: CommentId
    issue: IssueNumber


class Adoption(Frozen):
    """A commit on main that we did not land; `green` is None until its gates have spoken."""

    sha: Sha
    order: OrderId | None = None
    orders: int = 0
    green: bool | None = None
    sentence: str = ""
    results: tuple[GateResult, ...] = ()


class Delay(Frozen):
    """An open effect that waits for the world."""

    until: datetime
    sentence: str
    tries: int


class SpecRefusal(Frozen):
    """A spec (or the policy) that could not be read, until its text changes."""

    version: str
    commit: Sha
    findings: tuple[Finding, ...]


class PullDigest(Frozen):
    """What was last said of a pull's specs; stale where decisions have been made since."""

    head: Sha
    round: int
    digest: str
    is_stale: bool = False


class SpecIssue(Frozen):
    """A spec that is an issue: the file that it asks for, and the pull that offers it."""

    path: str
    pull: PullNumber
    digest: str
    round: int
    is_withdrawn: bool = False


class RepositoryState(Frozen):
    """Everything that the journal of one repository amounts to."""

    facts: RepositoryFacts | None = None
    main: Sha | None = None
    main_tree: Sha | None = None
    main_seen_at: datetime | None = None
    ledger: tuple[LedgerLine, ...] = ()
    ledger_published: int = 0
    ledger_commit: Sha | None = None
    adoptions: dict[Sha, Adoption] = {}
    frozen: str | None = None
    spec_versions: dict[str, str] = {}
    refusals: dict[str, SpecRefusal] = {}
    policy_version: str = ""
    policy_commit: Sha | None = None
    spec_runs: dict[SpecRunId, SpecRun] = {}
    changes: dict[ChangeId, ChangeFacts] = {}
    orders: dict[OrderId, OrderFacts] = {}
    orders_placed: int = 0
    covered: dict[str, str] = {}
    register_now: Register = Register()
    register_filed: dict[str, str] = {}
    asked: dict[str, Asked] = {}
    decisions: dict[str, Decision] = {}
    spec_issues: dict[IssueNumber, SpecIssue] = {}
    pull_digests: dict[PullNumber, PullDigest] = {}
    heard: dict[CommentId, HeardComment] = {}
    answered: dict[CommentId, datetime] = {}
    comments_seen_to: datetime | None = None
    published: dict[str, str] = {}
    open_effects: dict[EffectKey, Effect] = {}
    delays: dict[EffectKey, Delay] = {}
    refused: dict[EffectKey, str] = {}
    events: int = 0

    def adoption_under(self, sha: Sha) -> Adoption | None:
        """The adopted commit that main at `sha` rests on; None where it rests on our own."""
        from_sha = False
        for line in reversed(self.ledger):
            from_sha = from_sha or line.sha == sha
            if not from_sha:
                continue
            adoption = self.adoptions.get(line.sha)
            if adoption is not None or line.kind in {LedgerKind.LANDED, LedgerKind.GENESIS}:
                return adoption
        return self.adoptions.get(sha)

    def changes_of(self, spec_run: SpecRunId) -> tuple[ChangeFacts, ...]:
        """The changes of a spec run in the plan's order."""
        run = self.spec_runs[spec_run]
        if run.plan is None:
            return ()
        return tuple(
            self.changes[change_id(spec_run, planned.slug)] for planned in run.plan.changes
        )

    def is_replaced(self, change: ChangeFacts) -> bool:
        """Whether later cycles of the replan took over all that it was to do."""
        later = {
            r
            for c in self.changes.values()
            if c.spec_run == change.spec_run and c.cycle > change.cycle
            for r in c.planned.requirements
        }
        return change.landed is None and later.issuperset(change.planned.requirements)


def pull_place(pull: PullNumber) -> str:
    """Where the questions of a pull's specs are put."""
    return f"pull:{pull}"


def change_id(spec_run: SpecRunId, slug: str) -> ChangeId:
    """The id of a change: its spec run and its slug."""
    return ChangeId(f"{spec_run}/{slug}")


def branch_of(change: ChangeFacts, runs: Mapping[SpecRunId, SpecRun]) -> str:
    """The branch of a change: `headgate/<spec>/<change>`, with the run told apart by its id."""
    key = runs[change.spec_run].key
    version = change.spec_run.rpartition("@")[2]
    return f"headgate/{key}-{version}/{change.slug}"
