"""Events of one change: from its first order to its landing, or to the reason why not.

Each is a small frozen value in the past tense; see `events` for the rule. A change moves only by
the table in `bot.core.values.lifecycle`, which names these classes.
"""

from datetime import date, datetime
from enum import StrEnum
from typing import Literal

from action.report import SandboxKind, TokenUse
from bot.core.values.candidate import MovedBy, RefusalCode
from bot.core.values.evidence_key import EvidenceKey
from bot.core.values.ids import ChangeId, Digest, Frozen, OrderId, PullNumber, Sha, WorkflowRunId
from bot.core.values.plan_model import ChangeSize
from bot.core.values.steering import Steering
from gates.result import GateResult


class FailureReason(StrEnum):
    """Why a change was given up: the named reasons, and no other."""

    ATTEMPTS_USED_UP = "attempts_used_up"
    RUNNERS_LOST = "runners_lost"
    REFUSED = "refused"
    ARCHIVE_REFUSED = "archive_refused"
    CONFLICTS = "conflicts"
    CHECK_MISSING = "check_missing"
    REVIEW_CIRCLES = "review_circles"
    STEERED = "steered"
    BUDGET_SPENT = "budget_spent"


class PullOpened(Frozen):
    """A change has its pull."""

    type: Literal["PullOpened"] = "PullOpened"
    change: ChangeId
    number: PullNumber


class PullClosed(Frozen):
    """A change's pull was closed; without a landing, a person asked to stop the change."""

    type: Literal["PullClosed"] = "PullClosed"
    change: ChangeId
    number: PullNumber


class StartPrepared(Frozen):
    """Where the next attempt starts: the last attempt's tree merged on main, pushed as a ref.

    `main_changed` and `work_changed` are what main and the work changed in the conflicting files, as
    diffs. `remake` were in conflict, are as main has them, and are to be made anew by a command.
    """

    type: Literal["StartPrepared"] = "StartPrepared"
    change: ChangeId
    attempt: int
    base: Sha
    start: Sha
    conflicting_files: tuple[str, ...] = ()
    main_changed: str = ""
    work_changed: str = ""
    remake: tuple[str, ...] = ()


class AgentOrdered(Frozen):
    """An attempt at a change was ordered; from here it counts against `max_parallel`.

    `remake`: no agent is asked, but a command of the policy to make these files anew. `dollars_max` is
    what it may cost, None where its model has no price. `begins` says with which tree and conversation, and why.
    """

    type: Literal["AgentOrdered"] = "AgentOrdered"
    change: ChangeId
    order: OrderId
    attempt: int
    start: Sha
    placed_at: datetime
    remake: tuple[str, ...] = ()
    dollars_max: float | None = None
    begins: str = ""


class GatesOrdered(Frozen):
    """The gates of a candidate were ordered; `reused` results already hold for it.

    `definition_hash` names all that judges, `asked_hash` the gates that this order asks, `keys` under
    what name each result is kept (law 8).
    """

    type: Literal["GatesOrdered"] = "GatesOrdered"
    change: ChangeId
    order: OrderId
    candidate: Sha
    definition_hash: str
    asked_hash: str
    reused: tuple[GateResult, ...]
    placed_at: datetime
    keys: tuple[EvidenceKey, ...] = ()


class WorkflowDispatched(Frozen):
    """GitHub took the dispatch; the run's id is None where GitHub did not say it.

    `ref` is what was the default branch then. `path` and `workflow` name the workflow's file and its
    content, as it was approved.
    """

    type: Literal["WorkflowDispatched"] = "WorkflowDispatched"
    order: OrderId
    workflow_run: WorkflowRunId | None
    dispatched_at: datetime
    ref: str = ""
    path: str = ""
    workflow: Sha | None = None


class OrderLeased(Frozen):
    """A runner took the order."""

    type: Literal["OrderLeased"] = "OrderLeased"
    change: ChangeId | None
    order: OrderId
    workflow_run: WorkflowRunId
    leased_at: datetime


class WorkHandedIn(Frozen):
    """An agent run ended with a bundle, which is stored; `ticked` of its `tasks` are ticked in it.

    `restarts` say of each conversation after its first whether that went on or began anew, and why.
    """

    type: Literal["WorkHandedIn"] = "WorkHandedIn"
    change: ChangeId
    order: OrderId
    bundle: Digest
    turns: int
    tokens: TokenUse
    model: str
    seconds: float
    sandbox: SandboxKind
    left_out: tuple[str, ...] = ()
    ticked: int = 0
    tasks: int = 0
    restarts: tuple[str, ...] = ()


class WorkFailed(Frozen):
    """An agent run ended before its work was finished; `bundle` is what it had done."""

    type: Literal["WorkFailed"] = "WorkFailed"
    change: ChangeId
    order: OrderId
    ending: str
    sentence: str
    turns: int = 0
    tokens: TokenUse = TokenUse()
    model: str = ""
    seconds: float = 0.0
    sandbox: SandboxKind = SandboxKind.NONE
    bundle: Digest | None = None
    left_out: tuple[str, ...] = ()
    ticked: int = 0
    tasks: int = 0
    restarts: tuple[str, ...] = ()


class AgentLost(Frozen):
    """An agent order was given up: its runner died, or nobody took it in time.

    `dollars` is what it said last that it had cost.
    """

    type: Literal["AgentLost"] = "AgentLost"
    change: ChangeId
    order: OrderId
    sentence: str
    dollars: float | None = None


class GatesLost(Frozen):
    """A gate order was given up without a report; the gates are ordered again."""

    type: Literal["GatesLost"] = "GatesLost"
    change: ChangeId | None
    order: OrderId
    sentence: str


class LateReportKept(Frozen):
    """A report came for an order that had been given up: kept as a blob, never used."""

    type: Literal["LateReportKept"] = "LateReportKept"
    order: OrderId
    report: Digest


class HeadImported(Frozen):
    """The agent's work, checked and re-committed by us, stored under a ref of its own.

    `refused_files` broke a rule, as `sentence` says, and are not in it: the work is unfinished.
    """

    type: Literal["HeadImported"] = "HeadImported"
    change: ChangeId
    order: OrderId
    head: Sha
    tree: Sha
    paths: tuple[str, ...]
    refused_files: tuple[str, ...] = ()
    sentence: str = ""


class BundleRefused(Frozen):
    """A bundle broke a rule, and nothing is left of it; it is attempted again with the reason."""

    type: Literal["BundleRefused"] = "BundleRefused"
    change: ChangeId
    order: OrderId
    code: RefusalCode
    sentence: str
    paths: tuple[str, ...]


class CandidateBuilt(Frozen):
    """The exact commit that main would become, with all that it was built from (law 9).

    `folder_version` is the version of the delta folder that it was to archive, if any. `beside` are gates
    that are about paths of which it touches none, `raised` those that are required for what it touches.
    """

    type: Literal["CandidateBuilt"] = "CandidateBuilt"
    change: ChangeId
    number: int
    base: Sha
    head: Sha
    sha: Sha
    tree: Sha
    diff_digest: str
    built_at: datetime
    archive_date: date | None
    archiver_version: int
    finishes_archive: bool
    archive_paths: tuple[str, ...]
    register_digest: str = ""
    folder_version: str = ""
    steering: Steering = Steering()
    beside: tuple[str, ...] = ()
    raised: tuple[str, ...] = ()
    is_signed: bool = False


class SteeringAllowed(Frozen):
    """A person allows what a candidate changes of the files that steer its judgement, as it is. `lost` are
    tests that it may take away from main.
    """

    type: Literal["SteeringAllowed"] = "SteeringAllowed"
    change: ChangeId
    candidate: Sha
    digest: str
    files: tuple[str, ...]
    allowed_by: str
    lost: tuple[str, ...] = ()


class CandidateConflicted(Frozen):
    """The head does not merge with this base; back to the agent with the files."""

    type: Literal["CandidateConflicted"] = "CandidateConflicted"
    change: ChangeId
    base: Sha
    files: tuple[str, ...]


class ArchiveRefused(Frozen):
    """The change's spec delta cannot be folded into the main specs on this base.

    `edited` maps the blocks that were edited since the plan to their hashes on this base.
    """

    type: Literal["ArchiveRefused"] = "ArchiveRefused"
    change: ChangeId
    base: Sha
    sentence: str
    edited: dict[str, str] = {}


class DeltaCompared(Frozen):
    """While an agent works: whether the change's spec delta still fits main; empty: it does."""

    type: Literal["DeltaCompared"] = "DeltaCompared"
    change: ChangeId
    base: Sha
    sentence: str


class CandidatePassed(Frozen):
    """All required gates passed on the candidate."""

    type: Literal["CandidatePassed"] = "CandidatePassed"
    change: ChangeId
    order: OrderId | None
    candidate: Sha
    definition_hash: str
    results: tuple[GateResult, ...]


class CandidateFailed(Frozen):
    """At least one required gate did not pass on the candidate."""

    type: Literal["CandidateFailed"] = "CandidateFailed"
    change: ChangeId
    order: OrderId | None
    candidate: Sha
    definition_hash: str
    results: tuple[GateResult, ...]
    sentence: str


class GatesDoubted(Frozen):
    """A required gate did not pass, and runs once more before it counts; `change` None: on main.

    `results` are all of the order's: what passed holds, what did not is asked again.
    """

    type: Literal["GatesDoubted"] = "GatesDoubted"
    change: ChangeId | None
    order: OrderId
    candidate: Sha
    definition_hash: str
    results: tuple[GateResult, ...]


class MainBlamed(Frozen):
    """All that stands in a candidate's way fails on the main under it, too: its report waits."""

    type: Literal["MainBlamed"] = "MainBlamed"
    change: ChangeId
    order: OrderId
    candidate: Sha
    results: tuple[GateResult, ...]


class GatesAskedAgain(Frozen):
    """A person had a commit judged again; no earlier result of it counts. `change` None: main."""

    type: Literal["GatesAskedAgain"] = "GatesAskedAgain"
    change: ChangeId | None
    candidate: Sha
    asked_by: str
    branch_of_queue: str = ""


class GateFlaked(Frozen):
    """A gate was red and then green on the same commit; `tests` are those that had failed."""

    type: Literal["GateFlaked"] = "GateFlaked"
    change: ChangeId | None
    candidate: Sha
    gate: str
    tests: tuple[str, ...]
    seen_at: datetime


class CandidateVoided(Frozen):
    """A candidate that says nothing of its change any more: it is built again on main."""

    type: Literal["CandidateVoided"] = "CandidateVoided"
    change: ChangeId
    order: OrderId | None
    candidate: Sha


class LandIntended(Frozen):
    """Main is about to be moved from exactly `base` to `candidate`."""

    type: Literal["LandIntended"] = "LandIntended"
    change: ChangeId
    base: Sha
    candidate: Sha


class MergedByHand(Frozen):
    """The pull was merged while it showed the candidate: main has it as `sha`, which is accounted for like any
    that we did not land; see `CommitAdopted`. `sentence`: GitHub did it for us, and not as it was judged.
    """

    type: Literal["MergedByHand"] = "MergedByHand"
    change: ChangeId
    number: PullNumber
    sha: Sha
    merged_by: str
    seen_at: datetime
    sentence: str = ""


class Landed(Frozen):
    """Main was moved to the candidate; `moved_by` is None where the answer was lost and it was found there.
    `candidate`: what was judged, where GitHub's merge is another commit.
    """

    type: Literal["Landed"] = "Landed"
    change: ChangeId
    base: Sha
    sha: Sha
    tree: Sha
    landed_at: datetime
    moved_by: MovedBy | None = None
    candidate: Sha | None = None


class LandAborted(Frozen):
    """Main was not moved; the entry goes back to the front of the queue.

    `again_at` is set where the same move would be refused again: it is not tried before then.
    """

    type: Literal["LandAborted"] = "LandAborted"
    change: ChangeId
    sentence: str
    again_at: datetime | None = None


class ChangeFailed(Frozen):
    """The change is given up, with a named reason. Only its dependents are held back."""

    type: Literal["ChangeFailed"] = "ChangeFailed"
    change: ChangeId
    reason: FailureReason
    sentence: str


class ChangeStopped(Frozen):
    """A person stopped the change; its work is kept."""

    type: Literal["ChangeStopped"] = "ChangeStopped"
    change: ChangeId
    stopped_by: str


class SizeSaid(Frozen):
    """A person said a change's size by a label; None: they took it off, and the estimate counts."""

    type: Literal["SizeSaid"] = "SizeSaid"
    change: ChangeId
    size: ChangeSize | None
    said_by: str


class ChangeReopened(Frozen):
    """A person asked for another try; the budget of attempts starts again.

    `because` is told to the next attempt where it has nothing else to fix, or an agent was asked for.
    `with_agent`: an agent is ordered also where there is work that could be judged again.
    """

    type: Literal["ChangeReopened"] = "ChangeReopened"
    change: ChangeId
    reopened_by: str
    because: str = ""
    is_new_text: bool = False
    with_agent: bool = False
