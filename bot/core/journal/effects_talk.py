"""Effects that people see as issues, comments, reactions and check runs.

The rule of natural keys stands in `effects`. Deliberately absent: pulls and branches, which are a
change's.
"""

from datetime import datetime
from typing import Literal

from bot.core.values.check_run import CheckRunText
from bot.core.values.ids import CommentId, EffectKey, Frozen, IssueNumber, Sha, SpecRunId


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


class EditComment(Frozen):
    """Write a comment of ours anew; found by the hidden marker made of `subject`."""

    type: Literal["EditComment"] = "EditComment"
    issue: IssueNumber
    subject: str
    text: str
    text_digest: str

    @property
    def published_as(self) -> str:
        """Under which the text's digest is noted: as when the comment was posted."""
        return f"comment:{self.subject}"

    @property
    def key(self) -> EffectKey:
        return EffectKey(f"edit-comment:{self.subject}:{self.text_digest}")


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
