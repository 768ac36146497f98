"""Effects that people see as issues, comments, reactions and check runs."""

from datetime import datetime
from typing import Literal

from bot.core.journal.effect_class import EffectClass, Urgency
from bot.core.values.check_run import ANNOTATIONS_PER_REQUEST, CheckRunText
from bot.core.values.github_cost import CREATE, WRITE, Cost
from bot.core.values.ids import (
    ChangeId,
    CommentId,
    EffectKey,
    IssueNumber,
    OrderId,
    PullNumber,
    ReviewCommentId,
    Sha,
    SpecRunId,
)

# A comment in a thread, and the mutation that resolves it.
ANSWER_COST = Cost(content=1, points=10, requests=2)


class OpenIssue(EffectClass, urgency=Urgency.TALK, cost=CREATE, listed=True):
    """Open the tracking issue (`slug` empty) or a change's; found again by `marker` in its body.

    Without a spec run: an issue that Headgate keeps of the repository itself, called `slug`.
    """

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


class LinkSubIssue(EffectClass, urgency=Urgency.TALK, cost=CREATE, listed=False):
    """Make a change's issue a sub-issue of its tracking issue."""

    type: Literal["LinkSubIssue"] = "LinkSubIssue"
    spec_run: SpecRunId
    slug: str
    parent: IssueNumber
    child_id: int

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"sub-issue:{self.spec_run}/{self.slug}")


class LinkBlockedBy(EffectClass, urgency=Urgency.TALK, cost=CREATE, listed=False):
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


class EditIssue(EffectClass, urgency=Urgency.PROGRESS, cost=WRITE, listed=False):
    """Put `text` into our region `region` of an issue's body; the rest of the body stays."""

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


class CloseIssue(EffectClass, urgency=Urgency.TALK, cost=WRITE, listed=False):
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


class ReopenIssue(EffectClass, urgency=Urgency.TALK, cost=WRITE, listed=False):
    """Reopen an issue that we closed."""

    type: Literal["ReopenIssue"] = "ReopenIssue"
    spec_run: SpecRunId
    slug: str
    issue: IssueNumber
    round: int

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"reopen:{self.issue}:{self.round}")


class PostComment(EffectClass, urgency=Urgency.ANSWER, cost=CREATE, listed=True):
    """Comment on an issue once; found again by the hidden marker made of `subject`."""

    type: Literal["PostComment"] = "PostComment"
    issue: IssueNumber
    subject: str
    text: str

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"comment:{self.subject}")


class EditComment(EffectClass, urgency=Urgency.ANSWER, cost=WRITE, listed=False):
    """Replace the text of a comment of ours; found by the hidden marker made of `subject`."""

    type: Literal["EditComment"] = "EditComment"
    issue: IssueNumber
    subject: str
    text: str
    text_digest: str

    @property
    def published_as(self) -> str:
        """The subject of the text's digest: the same as when the comment was posted."""
        return f"comment:{self.subject}"

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"edit-comment:{self.subject}:{self.text_digest}")


class RunSelfTest(EffectClass, urgency=Urgency.ANSWER, cost=CREATE, listed=True):
    """Comment what a self-test found; a worker without a lease makes it, and keeps what it found."""

    type: Literal["RunSelfTest"] = "RunSelfTest"
    issue: IssueNumber
    comment: CommentId
    asked_at: datetime

    @property
    def subject(self) -> str:
        return f"selftest:{self.comment}"

    @property
    def key(self) -> EffectKey:
        return EffectKey(self.subject)


class PostCommitComment(EffectClass, urgency=Urgency.ANSWER, cost=CREATE, listed=True):
    """Comment on a commit once; found again by the hidden marker made of `subject`."""

    type: Literal["PostCommitComment"] = "PostCommitComment"
    sha: Sha
    subject: str
    text: str

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"commit-comment:{self.subject}")


class React(EffectClass, urgency=Urgency.ANSWER, cost=WRITE, listed=False):
    """React to a comment; GitHub keeps one reaction of a kind per author."""

    type: Literal["React"] = "React"
    comment: CommentId
    content: Literal["eyes", "rocket", "confused"]

    @property
    def subject(self) -> str:
        return f"react:{self.comment}:{self.content}"

    @property
    def key(self) -> EffectKey:
        return EffectKey(self.subject)


class ReactToReview(EffectClass, urgency=Urgency.ANSWER, cost=WRITE, listed=False):
    """React to a comment of a review; its number may be that of another comment, too."""

    type: Literal["ReactToReview"] = "ReactToReview"
    comment: ReviewCommentId
    content: Literal["rocket", "confused"]

    @property
    def subject(self) -> str:
        return f"react-review:{self.comment}:{self.content}"

    @property
    def key(self) -> EffectKey:
        return EffectKey(self.subject)


class AnswerThread(EffectClass, urgency=Urgency.ANSWER, cost=ANSWER_COST, listed=True):
    """Say in a thread of a review what the agent of `order` says of it, once; found again by the hidden
    marker made of `subject`. Then resolve the thread if it `resolves`.

    What a person said after `up_to` leaves it open. One that is resolved and not `was_resolved` needs no
    answer: somebody was first.
    """

    type: Literal["AnswerThread"] = "AnswerThread"
    change: ChangeId
    pull: PullNumber
    thread: ReviewCommentId
    order: OrderId
    up_to: ReviewCommentId
    was_resolved: bool
    resolves: bool
    text: str

    @property
    def subject(self) -> str:
        return f"thread:{self.thread}:{self.order}"

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"answer-{self.subject}")


class PublishCheckRun(EffectClass, urgency=Urgency.CHECK, cost=WRITE, listed=True):
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

    @property
    def rounds(self) -> int:
        """One request for every page of annotations, at least one."""
        return max(1, -(-len(self.text.annotations) // ANNOTATIONS_PER_REQUEST))
