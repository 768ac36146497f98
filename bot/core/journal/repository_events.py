"""Events of a repository: main, specs, plans, and what people read and say.

Each is a small frozen value in the past tense; see `events` for the rule.
"""

from datetime import date, datetime
from typing import Literal

from bot.core.prompts.figures import Estimate, WorkEstimate
from bot.core.spec.identity.id_changes import Rematched
from bot.core.spec.identity.register import Entry
from bot.core.spec.policy_file import Landing
from bot.core.values.candidate import MergeGroup
from bot.core.values.evidence_key import EvidenceKey
from bot.core.values.ids import (
    CommentId,
    Frozen,
    IssueNumber,
    OrderId,
    RequirementId,
    Sha,
    SpecRunId,
)
from bot.core.values.plan_model import Plan, Planner
from bot.core.values.prompt import ModelCall
from bot.core.values.repository import RepositoryFacts
from bot.core.values.spec_model import Finding
from gates.result import GateResult


class RepositoryInstalled(Frozen):
    """Headgate arrived: main and the specs that were there are known, and no work.

    What was said before it came is not heard.
    """

    type: Literal["RepositoryInstalled"] = "RepositoryInstalled"
    facts: RepositoryFacts
    main: Sha
    tree: Sha
    known_specs: dict[str, str]
    installed_at: datetime | None = None


class CommitAdmitted(Frozen):
    """A person's commit on main that touched only what people may push: specs and listed paths."""

    type: Literal["CommitAdmitted"] = "CommitAdmitted"
    sha: Sha
    tree: Sha
    author: str
    subject: str
    seen_at: datetime
    branch_of_queue: str = ""


class CommitAdopted(Frozen):
    """A commit on main that we did not land: it convicts no change.

    The required gates run on `judge_at`, the tip that was pushed together with it.
    """

    type: Literal["CommitAdopted"] = "CommitAdopted"
    sha: Sha
    tree: Sha
    author: str
    subject: str
    judge_at: Sha
    seen_at: datetime
    branch_of_queue: str = ""


class GroupSeen(Frozen):
    """GitHub's merge queue made a merge group, whose head it wants judged like a commit on main."""

    type: Literal["GroupSeen"] = "GroupSeen"
    group: MergeGroup
    seen_at: datetime
    branch_of_queue: str = ""


class GroupGone(Frozen):
    """The merge group is not there any more: merged, invalidated, or taken out."""

    type: Literal["GroupGone"] = "GroupGone"
    sha: Sha
    branch_of_queue: str = ""


class AdoptionOrdered(Frozen):
    """The gates of an adopted commit were ordered; `reused` results already hold for its tree.

    An order that asks not all gates says in `definition_hash` what all of them are.
    """

    type: Literal["AdoptionOrdered"] = "AdoptionOrdered"
    sha: Sha
    order: OrderId
    asked_hash: str
    placed_at: datetime
    definition_hash: str = ""
    reused: tuple[GateResult, ...] = ()
    keys: tuple[EvidenceKey, ...] = ()
    branch_of_queue: str = ""


class AdoptionJudged(Frozen):
    """What the required gates said of an adopted commit."""

    type: Literal["AdoptionJudged"] = "AdoptionJudged"
    sha: Sha
    order: OrderId | None
    results: tuple[GateResult, ...]
    green: bool
    sentence: str
    branch_of_queue: str = ""


class MainAsked(Frozen):
    """Nobody knows whether main passes its gates: it is judged before anybody is blamed.

    `because` is an order whose tree could not be set up or judged: the fault is the tree's only where
    main does better.
    """

    type: Literal["MainAsked"] = "MainAsked"
    sha: Sha
    because: OrderId | None = None
    branch_of_queue: str = ""


class TestsWaived(Frozen):
    """A person accepts that these tests fail on main, until the end of a day (None: for good)."""

    __test__ = False

    type: Literal["TestsWaived"] = "TestsWaived"
    tests: tuple[str, ...]
    until: date | None
    waived_by: str


class AdoptionAccepted(Frozen):
    """All that is red of an adopted commit was accepted: nothing waits for it any more."""

    type: Literal["AdoptionAccepted"] = "AdoptionAccepted"
    sha: Sha
    results: tuple[GateResult, ...]
    sentence: str
    branch_of_queue: str = ""


class MainRewound(Frozen):
    """Main no longer contains what we knew of it. The queue freezes until its gates are green."""

    type: Literal["MainRewound"] = "MainRewound"
    expected: Sha
    found: Sha
    tree: Sha
    seen_at: datetime
    branch_of_queue: str = ""


class SpecsNoted(Frozen):
    """Specs on main at these versions have been dealt with: opened, refused, or not work.

    `main_rested`: main had come to rest, and every spec on it was looked at.
    """

    type: Literal["SpecsNoted"] = "SpecsNoted"
    versions: dict[str, str]
    main_rested: bool = False


class SpecRefused(Frozen):
    """A spec that is not planned, with the findings that say why."""

    type: Literal["SpecRefused"] = "SpecRefused"
    path: str
    version: str
    commit: Sha
    findings: tuple[Finding, ...]


class PolicyRead(Frozen):
    """The policy on main could be read at this commit; `version` is empty without a file. `landing` is said there
    of whom rules let move main. Of a further branch only this is noted, when it is another than it was.
    """

    type: Literal["PolicyRead"] = "PolicyRead"
    version: str
    commit: Sha
    landing: Landing = Landing.EXACT
    branch_of_queue: str = ""


class PolicyRefused(Frozen):
    """`.github/headgate.yml` on main cannot be read; the last good policy stays in force."""

    type: Literal["PolicyRefused"] = "PolicyRefused"
    version: str
    commit: Sha
    findings: tuple[Finding, ...]


class SpecRunOpened(Frozen):
    """A spec at one version is to be turned into merged code."""

    type: Literal["SpecRunOpened"] = "SpecRunOpened"
    spec_run: SpecRunId
    path: str
    key: str
    title: str
    opened_at: datetime


class PlanMade(Frozen):
    """A revision of the plan, made from the spec at one version and commit.

    `beside` says why it is not the plan that was asked for; a person chooses. `off` says what this
    server cannot do, `estimate` what the work will take.
    `ids` maps what the text alone would call a requirement to its registered id, where they differ;
    `bases` the blocks of the main specs that a delta folder replaces to their hashes at this commit.
    """

    type: Literal["PlanMade"] = "PlanMade"
    spec_run: SpecRunId
    version: str
    commit: Sha
    plan: Plan
    requirements: dict[str, str]
    beside: tuple[str, ...] = ()
    off: str = ""
    estimate: WorkEstimate | None = None
    ids: dict[RequirementId, RequirementId] = {}
    bases: dict[str, str] = {}


class PlanningBegan(Frozen):
    """A model is to plan this version of the spec; `afresh`: what it answered before is forgotten."""

    type: Literal["PlanningBegan"] = "PlanningBegan"
    spec_run: SpecRunId
    version: str
    commit: Sha
    requirements: dict[str, str]
    ids: dict[RequirementId, RequirementId] = {}
    bases: dict[str, str] = {}
    began_at: datetime
    estimate: Estimate | None = None
    afresh: bool = False


class AnswerRejected(Frozen):
    """A model's answer broke the law of plans; it goes back with the reasons."""

    type: Literal["AnswerRejected"] = "AnswerRejected"
    spec_run: SpecRunId
    stem: str
    previous: str
    reasons: tuple[str, ...]


class ModelAsked(Frozen):
    """One call of a model.

    `prompt` is its id; `place` is a spec run's id or the place of the prompt's input.
    """

    type: Literal["ModelAsked"] = "ModelAsked"
    place: str
    prompt: str
    call: ModelCall


class ModelAnswered(Frozen):
    """A model's reply (JSON) that fits the form; its content is not checked yet."""

    type: Literal["ModelAnswered"] = "ModelAnswered"
    place: str
    prompt: str
    answer: str


class ModelFailed(Frozen):
    """No model gave a reply that fits the form; the prompt is not sent again by itself."""

    type: Literal["ModelFailed"] = "ModelFailed"
    place: str
    prompt: str
    sentence: str


class RequirementsRegistered(Frozen):
    """Requirements got their ids, kept them through an edit, or went; only entries that changed.

    `read_from` is the file that a Headgate without a journal found on main; else empty. `rematched`
    is about the spec with the key `spec`.
    """

    type: Literal["RequirementsRegistered"] = "RequirementsRegistered"
    commit: Sha
    entries: tuple[Entry, ...]
    read_from: str = ""
    spec: str = ""
    rematched: Rematched = Rematched()


class UncoveredReplanned(Frozen):
    """What was not covered at the end is planned once more; `plan` holds the changes before, too.

    `missing` maps each requirement that is asked again to why it is not covered. `planner` is who
    cut them, `beside` why that was not the model that was asked.
    """

    type: Literal["UncoveredReplanned"] = "UncoveredReplanned"
    spec_run: SpecRunId
    cycle: int
    plan: Plan
    missing: dict[RequirementId, str]
    planner: Planner = Planner.DETERMINISTIC
    beside: tuple[str, ...] = ()


class PlanApproved(Frozen):
    """A person approved a revision; the archive date is fixed here."""

    type: Literal["PlanApproved"] = "PlanApproved"
    spec_run: SpecRunId
    revision: int
    plan_hash: str
    approved_by: str
    archive_date: date


class ApprovalGiven(Frozen):
    """A person approved a revision, and the policy asks for more people."""

    type: Literal["ApprovalGiven"] = "ApprovalGiven"
    spec_run: SpecRunId
    revision: int
    approved_by: str


class SpecRunStopped(Frozen):
    """A person stopped the whole spec run, or Headgate was removed from the repository."""

    type: Literal["SpecRunStopped"] = "SpecRunStopped"
    spec_run: SpecRunId
    stopped_by: str


class SpecRunEnded(Frozen):
    """The last change has ended; the report is due."""

    type: Literal["SpecRunEnded"] = "SpecRunEnded"
    spec_run: SpecRunId
    ended_at: datetime


class SpecRunReopened(Frozen):
    """A person asked for a change of an ended spec run again."""

    type: Literal["SpecRunReopened"] = "SpecRunReopened"
    spec_run: SpecRunId


class CommandHeard(Frozen):
    """A comment that may ask for something; what it says is looked up when it is answered."""

    type: Literal["CommandHeard"] = "CommandHeard"
    comment: CommentId
    issue: IssueNumber


class CommandAnswered(Frozen):
    """What became of a comment; `outcome` is done, refused or nothing (it asked for nothing).

    `is_strangers`: it counts against what people without a role may ask in an hour.
    """

    type: Literal["CommandAnswered"] = "CommandAnswered"
    comment: CommentId
    outcome: Literal["done", "refused", "nothing"]
    author: str
    verbs: tuple[str, ...] = ()
    created_at: datetime
    is_strangers: bool = False


class CommentsRead(Frozen):
    """A look at the repository's comments read all that were written until then."""

    type: Literal["CommentsRead"] = "CommentsRead"
    up_to: datetime


class IssueOpened(Frozen):
    """The tracking issue (`slug` empty), a change's issue, or (no spec run) a kept issue exists."""

    type: Literal["IssueOpened"] = "IssueOpened"
    spec_run: SpecRunId
    slug: str
    number: IssueNumber
    issue_id: int


class SubIssueLinked(Frozen):
    """A change's issue hangs under its tracking issue."""

    type: Literal["SubIssueLinked"] = "SubIssueLinked"
    spec_run: SpecRunId
    slug: str


class BlockedByLinked(Frozen):
    """A change's issue is marked as blocked by another's."""

    type: Literal["BlockedByLinked"] = "BlockedByLinked"
    spec_run: SpecRunId
    slug: str
    on: str


class IssueClosed(Frozen):
    """We closed the tracking issue (`slug` empty), a change's issue, or a dropped change's."""

    type: Literal["IssueClosed"] = "IssueClosed"
    spec_run: SpecRunId
    slug: str
    number: IssueNumber


class IssueReopened(Frozen):
    """We opened an issue again that we had closed."""

    type: Literal["IssueReopened"] = "IssueReopened"
    spec_run: SpecRunId
    slug: str


class TextPublished(Frozen):
    """What a person sees at `subject` now has this content (`digest`)."""

    type: Literal["TextPublished"] = "TextPublished"
    subject: str
    digest: str
    published_at: datetime
    revision: int = 0


class BranchServed(Frozen):
    """Another branch has a queue of its own from here on: its ledger begins at this commit."""

    type: Literal["BranchServed"] = "BranchServed"
    branch_of_queue: str
    sha: Sha
    tree: Sha
    seen_at: datetime


class LedgerPublished(Frozen):
    """The ledger ref holds this many lines."""

    type: Literal["LedgerPublished"] = "LedgerPublished"
    lines: int
    commit: Sha
    branch_of_queue: str = ""
