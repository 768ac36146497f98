"""Effects: what we can do to the world, in the imperative, each with its natural key.

Two effects with one key are the same deed: GitHub has no idempotency keys, so names are ours. Each
effect names what it expects of the world. How one is done and how it is found again after a crash
stands in `bot.shell.perform`. Deliberately absent: any effect that moves main without naming the
commit it expects there.
"""

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import Field

from action.order import AgentOrder, GateOrder
from bot.core.ids import (
    ChangeId,
    CommentId,
    Digest,
    EffectKey,
    Frozen,
    IssueNumber,
    OrderId,
    PullNumber,
    Ref,
    Sha,
    SpecRunId,
    WorkflowRunId,
)
from bot.core.spec.register import Entry
from bot.core.talk.check_run import CheckRunText


class OpenIssue(Frozen):
    """Open the tracking issue (`slug` empty) or a change's; found again by `marker` in the body."""

    type: Literal["OpenIssue"] = "OpenIssue"
    spec_run: SpecRunId
    slug: str
    title: str
    body: str
    marker: str
    labels: tuple[str, ...]
    digests: dict[str, str]
    revision: int
    intended_at: datetime

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"issue:{self.spec_run}/{self.slug}")


class LinkSubIssue(Frozen):
    """Hang a change's issue under its tracking issue."""

    type: Literal["LinkSubIssue"] = "LinkSubIssue"
    spec_run: SpecRunId
    slug: str
    parent: IssueNumber
    child_id: int

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"sub-issue:{self.spec_run}/{self.slug}")


class LinkBlockedBy(Frozen):
    """Mark a change's issue as blocked by another's."""

    type: Literal["LinkBlockedBy"] = "LinkBlockedBy"
    spec_run: SpecRunId
    slug: str
    on: str
    issue: IssueNumber
    blocker_id: int

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"blocked-by:{self.spec_run}/{self.slug}/{self.on}")


class EditIssue(Frozen):
    """Put `text` into our region `region` of an issue's body; people's words stay."""

    type: Literal["EditIssue"] = "EditIssue"
    issue: IssueNumber
    region: str
    text: str
    text_digest: str
    revision: int = 0

    @property
    def subject(self) -> str:
        return f"issue:{self.issue}:{self.region}"

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"edit:{self.subject}:{self.text_digest}")


class CloseIssue(Frozen):
    """Close an issue that we opened."""

    type: Literal["CloseIssue"] = "CloseIssue"
    spec_run: SpecRunId
    slug: str
    issue: IssueNumber
    reason: Literal["completed", "not_planned"]
    round: int

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"close:{self.issue}:{self.round}")


class ReopenIssue(Frozen):
    """Open an issue again that we had closed."""

    type: Literal["ReopenIssue"] = "ReopenIssue"
    spec_run: SpecRunId
    slug: str
    issue: IssueNumber
    round: int

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"reopen:{self.issue}:{self.round}")


class PostComment(Frozen):
    """Say something on an issue once; found again by the hidden marker made of `subject`."""

    type: Literal["PostComment"] = "PostComment"
    issue: IssueNumber
    subject: str
    text: str

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"comment:{self.subject}")


class PostCommitComment(Frozen):
    """Say something at a commit once; found again by the hidden marker made of `subject`."""

    type: Literal["PostCommitComment"] = "PostCommitComment"
    sha: Sha
    subject: str
    text: str

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"commit-comment:{self.subject}")


class React(Frozen):
    """React to a comment; GitHub itself keeps one reaction of a kind per author."""

    type: Literal["React"] = "React"
    comment: CommentId
    content: Literal["eyes", "rocket", "confused"]

    @property
    def subject(self) -> str:
        return f"react:{self.comment}:{self.content}"

    @property
    def key(self) -> EffectKey:
        return EffectKey(self.subject)


class OpenPull(Frozen):
    """Open a change's pull; GitHub allows one per branch, which is how it is found again."""

    type: Literal["OpenPull"] = "OpenPull"
    change: ChangeId
    branch: str
    title: str
    body: str
    text_digest: str
    round: int

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"pull:{self.change}:{self.round}")


class ClosePull(Frozen):
    """Close a pull whose change will not land."""

    type: Literal["ClosePull"] = "ClosePull"
    change: ChangeId
    pull: PullNumber

    @property
    def subject(self) -> str:
        return f"close-pull:{self.pull}"

    @property
    def key(self) -> EffectKey:
        return EffectKey(self.subject)


class PublishCheckRun(Frozen):
    """Create or update the check run `external_id` at a commit."""

    type: Literal["PublishCheckRun"] = "PublishCheckRun"
    sha: Sha
    external_id: str
    text: CheckRunText
    text_digest: str
    updates: bool

    @property
    def subject(self) -> str:
        return f"check:{self.external_id}"

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"{self.subject}:{self.text_digest}")


class DispatchOrder(Frozen):
    """Put an order on the desk and dispatch its workflow; found again by the id in `run-name`."""

    type: Literal["DispatchOrder"] = "DispatchOrder"
    order: Annotated[AgentOrder | GateOrder, Field(discriminator="kind")]
    change: ChangeId | None
    workflow: str
    placed_at: datetime

    @property
    def key(self) -> EffectKey:
        return self.key_of(self.order.order_id)

    @staticmethod
    def key_of(order: str) -> EffectKey:
        """The key of the dispatch of an order."""
        return EffectKey(f"dispatch:{order}")


class RevokeOrder(Frozen):
    """End an order's lease and cancel its workflow run."""

    type: Literal["RevokeOrder"] = "RevokeOrder"
    order: OrderId
    workflow_run: WorkflowRunId | None

    @property
    def subject(self) -> str:
        return f"revoke:{self.order}"

    @property
    def key(self) -> EffectKey:
        return EffectKey(self.subject)


class ImportBundle(Frozen):
    """Check a bundle in a throwaway repository and store our own commit of its tree."""

    type: Literal["ImportBundle"] = "ImportBundle"
    change: ChangeId
    order: OrderId
    attempt: int
    bundle: Digest
    start: Sha
    protected: tuple[str, ...]
    message: str
    at: datetime

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"import:{self.order}")


class ArchiveOrder(Frozen):
    """What of a delta folder is folded into the main specs inside a candidate."""

    folder: str
    name: str
    owned: tuple[str, ...]
    archive_date: date
    finishes: bool
    bases: dict[str, str] = {}


class BuildCandidate(Frozen):
    """Merge the head on exactly this base, fold the archive content in, show it on the branch."""

    type: Literal["BuildCandidate"] = "BuildCandidate"
    change: ChangeId
    number: int
    base: Sha
    head: Sha
    branch: str
    shown: Sha | None
    message: str
    at: datetime
    archive: ArchiveOrder | None
    register_entries: tuple[Entry, ...] = ()

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"candidate:{self.change}:{self.number}")


class PrepareStart(Frozen):
    """Merge the last attempt's head on today's main and push it for the next attempt to start."""

    type: Literal["PrepareStart"] = "PrepareStart"
    change: ChangeId
    attempt: int
    base: Sha
    head: Sha
    ref: Ref
    at: datetime

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"start:{self.change}:{self.attempt}:{self.base[:12]}")


class LandCandidate(Frozen):
    """Move main from exactly `base` to `candidate`, if its pull still shows the candidate."""

    type: Literal["LandCandidate"] = "LandCandidate"
    change: ChangeId
    base: Sha
    candidate: Sha
    tree: Sha
    pull: PullNumber

    @property
    def key(self) -> EffectKey:
        return self.key_of(self.change, self.candidate, self.base)

    @staticmethod
    def key_of(change: ChangeId, candidate: Sha, base: Sha) -> EffectKey:
        """The key of the landing of a candidate on a base."""
        return EffectKey(f"land:{change}:{candidate[:12]}:{base[:12]}")


class OfferGates(Frozen):
    """Push a branch with a first policy file on main and open a pull for it, once."""

    type: Literal["OfferGates"] = "OfferGates"
    spec_run: SpecRunId
    base: Sha
    branch: str
    title: str
    body: str
    at: datetime

    @property
    def subject(self) -> str:
        return "offer:gates"

    @property
    def key(self) -> EffectKey:
        return EffectKey(self.subject)


class ProposeSpec(Frozen):
    """Commit an issue's text as a spec on a branch of ours, and keep one pull of it open."""

    type: Literal["ProposeSpec"] = "ProposeSpec"
    issue: IssueNumber
    round: int
    base: Sha
    branch: str
    path: str
    text: str
    digest: str
    title: str
    body: str
    message: str
    at: datetime

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"propose:{self.issue}:{self.round}:{self.digest}")


class WithdrawSpec(Frozen):
    """Close the pull of an issue that is a spec no more."""

    type: Literal["WithdrawSpec"] = "WithdrawSpec"
    issue: IssueNumber
    pull: PullNumber
    round: int

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"withdraw:{self.issue}:{self.round}")


class ForgetRefs(Frozen):
    """Delete the refs that the landed changes of an ended spec run needed; by prefix or by name."""

    type: Literal["ForgetRefs"] = "ForgetRefs"
    spec_run: SpecRunId
    round: int
    prefixes: tuple[str, ...]
    names: tuple[Ref, ...]

    @property
    def subject(self) -> str:
        return f"forget:{self.spec_run}:{self.round}"

    @property
    def key(self) -> EffectKey:
        return EffectKey(self.subject)


class PublishLedger(Frozen):
    """Push lines `first`..`first + len(lines) - 1` of the ledger onto its ref."""

    type: Literal["PublishLedger"] = "PublishLedger"
    previous: Sha | None
    first: int
    lines: tuple[str, ...]
    at: datetime

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"ledger:{self.first + len(self.lines)}")


Effect = Annotated[
    OpenIssue
    | LinkSubIssue
    | LinkBlockedBy
    | EditIssue
    | CloseIssue
    | ReopenIssue
    | PostComment
    | PostCommitComment
    | React
    | OpenPull
    | ClosePull
    | PublishCheckRun
    | DispatchOrder
    | RevokeOrder
    | ImportBundle
    | BuildCandidate
    | PrepareStart
    | LandCandidate
    | ProposeSpec
    | WithdrawSpec
    | ForgetRefs
    | OfferGates
    | PublishLedger,
    Field(discriminator="type"),
]
