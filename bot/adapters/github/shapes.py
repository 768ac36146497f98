"""The parts of GitHub's JSON that we read, as pydantic models, and their values in the core.

What GitHub may leave out has a default. A response that does not fit is `Retryable`, never a crash.
Source: GitHub's REST description.
"""

import re
from datetime import datetime
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from bot.core.values.candidate import QueueStanding, SignedCommit
from bot.core.values.ids import (
    CommentId,
    IssueNumber,
    PullNumber,
    ReviewCommentId,
    Sha,
    WorkflowRunId,
)
from bot.core.values.redelivery import Attempt
from bot.core.values.repository import (
    Comment,
    Issue,
    IssueState,
    MainMove,
    Pull,
    PullState,
    Role,
    WorkflowRun,
    WorkflowRunState,
)
from bot.core.values.review import ReviewComment
from bot.ports import Retryable

_Shape = TypeVar("_Shape")
# Comments on commits belong to no issue.
_NO_ISSUE = IssueNumber(0)


def read(shape: type[_Shape], answer: object) -> _Shape:
    """`shape` is a model or a list of models. Raises `Retryable` where the response does not fit."""
    try:
        return TypeAdapter(shape).validate_python(answer)
    except ValidationError as failure:
        fault = failure.errors()[0]
        where = ".".join(str(part) for part in fault["loc"])
        raise Retryable(f"GitHub's answer has an unexpected format: {where}") from failure


class AnswerPart(BaseModel):
    """What GitHub says besides is ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class MintedToken(AnswerPart):
    token: str = Field(repr=False)
    expires_at: datetime


class AppAnswer(AnswerPart):
    id: int
    slug: str


class UserAnswer(AnswerPart):
    """GitHub sends null for a deleted account; it shows such an account as `ghost`."""

    id: int = 0
    login: str = "ghost"
    type: str = "User"


_GHOST = UserAnswer()


class RepositoryAnswer(AnswerPart):
    id: int
    node_id: str = ""
    full_name: str
    default_branch: str
    clone_url: str
    html_url: str
    archived: bool = False
    has_issues: bool = True


class InstallationAnswer(AnswerPart):
    id: int
    suspended_at: datetime | None = None
    permissions: dict[str, str] = {}


class InstallationRepositoriesPage(AnswerPart):
    repositories: list[RepositoryAnswer]


class DeliveryAnswer(AnswerPart):
    id: int
    guid: str
    delivered_at: datetime
    status: str
    status_code: int = 0

    def to_value(self) -> Attempt:
        is_good = self.status == "OK" or 200 <= self.status_code < 300
        return Attempt(
            id=self.id,
            guid=self.guid,
            at=self.delivered_at,
            is_good=is_good,
            is_unsigned=self.status_code == 401,
        )


class _Removal(AnswerPart):
    created_at: datetime = Field(alias="createdAt")
    reason: str | None = None


class _Removals(AnswerPart):
    nodes: list[_Removal] = []


class _QueueEntry(AnswerPart):
    position: int


class _QueuedPull(AnswerPart):
    id: str
    entry: _QueueEntry | None = Field(None, alias="mergeQueueEntry")
    removals: _Removals = Field(_Removals(), alias="timelineItems")


class _RepositoryOfPull(AnswerPart):
    pull: _QueuedPull | None = Field(None, alias="pullRequest")


class QueueStandingAnswer(AnswerPart):
    repository: _RepositoryOfPull | None = None

    def to_value(self) -> QueueStanding | None:
        found = self.repository.pull if self.repository else None
        if found is None:
            return None
        removal = found.removals.nodes[-1] if found.removals.nodes else None
        return QueueStanding(
            node=found.id,
            place=found.entry.position if found.entry else None,
            removed_at=removal.created_at if removal else None,
            reason=(removal.reason or "") if removal else "",
        )


class MergedAnswer(AnswerPart):
    sha: Sha


class CommentAnswer(AnswerPart):
    id: int
    body: str | None = None
    user: UserAnswer | None = None
    created_at: datetime
    updated_at: datetime
    html_url: str
    issue_url: str = ""
    performed_via_github_app: object = None

    def to_value(self) -> Comment:
        """A comment on a commit has issue 0."""
        author = self.user or _GHOST
        number = re.search(r"/(\d+)$", self.issue_url)
        return Comment(
            id=CommentId(self.id),
            issue=IssueNumber(int(number[1])) if number else _NO_ISSUE,
            body=self.body or "",
            author=author.login,
            author_id=author.id,
            author_is_person=author.type == "User"
            and self.performed_via_github_app is None
            and self.user is not None,
            created_at=self.created_at,
            updated_at=self.updated_at,
            html_url=self.html_url,
        )


class ReviewAnswer(AnswerPart):
    """A review; `state` in capitals, `commit_id` null where the commit is gone."""

    id: int
    state: str
    user: UserAnswer | None = None
    commit_id: str | None = None
    body: str | None = None


class ReviewCommentAnswer(AnswerPart):
    """A comment at a line of a pull's diff; `line` is null once later commits moved it away."""

    id: int
    body: str | None = None
    user: UserAnswer | None = None
    updated_at: datetime
    pull_request_url: str = ""
    path: str = ""
    line: int | None = None
    original_line: int | None = None
    side: str | None = None
    subject_type: str | None = None
    in_reply_to_id: int | None = None

    def to_value(self) -> ReviewComment:
        author = self.user or _GHOST
        number = re.search(r"/(\d+)$", self.pull_request_url)
        has_line = self.side != "LEFT" and self.subject_type != "file"
        return ReviewComment(
            id=ReviewCommentId(self.id),
            pull=PullNumber(int(number[1]) if number else 0),
            path=self.path,
            line=(self.line or self.original_line or 0) if has_line else 0,
            body=self.body or "",
            author=author.login,
            author_is_person=self.user is not None and author.type == "User",
            updated_at=self.updated_at,
            reply_to=ReviewCommentId(self.in_reply_to_id) if self.in_reply_to_id else None,
        )


class LabelAnswer(AnswerPart):
    name: str = ""


class LabelEventAnswer(AnswerPart):
    """An event of an issue; `label` is None if it is not about a label."""

    id: int = 0
    event: str = ""
    actor: UserAnswer | None = None
    label: LabelAnswer | None = None
    performed_via_github_app: object = None


class IssueAnswer(AnswerPart):
    """GitHub lists pulls as issues, with `pull_request` set."""

    number: int
    id: int
    title: str
    body: str | None = None
    state: IssueState
    user: UserAnswer | None = None
    html_url: str
    created_at: datetime
    updated_at: datetime
    labels: list[LabelAnswer | str] = []
    pull_request: object = None

    def to_value(self) -> Issue:
        return Issue(
            number=IssueNumber(self.number),
            id=self.id,
            title=self.title,
            body=self.body or "",
            state=self.state,
            author=(self.user or _GHOST).login,
            author_id=(self.user or _GHOST).id,
            labels=tuple(one if isinstance(one, str) else one.name for one in self.labels),
            is_pull=self.pull_request is not None,
            updated_at=self.updated_at,
            html_url=self.html_url,
        )


class LinkedIssue(AnswerPart):
    id: int


def person(user: UserAnswer | None) -> str:
    """The login of a person's account; empty for a bot's or a deleted one."""
    return user.login if user is not None and user.type == "User" else ""


class ActivityAnswer(AnswerPart):
    """One move of a branch; `actor` is null for a deleted account."""

    before: str
    after: str
    activity_type: str
    actor: UserAnswer | None = None

    def to_value(self) -> MainMove:
        return MainMove(
            before=Sha(self.before),
            after=Sha(self.after),
            by=person(self.actor),
            is_merge=self.activity_type in {"pr_merge", "merge_queue_merge"},
        )


class ContentAnswer(AnswerPart):
    """A file; `content` is empty, and `encoding` is `none`, for one of more than 1 MB."""

    sha: Sha
    content: str = ""
    encoding: str = "none"


class _Verification(AnswerPart):
    verified: bool
    reason: str = ""


class GitCommitAnswer(AnswerPart):
    sha: Sha
    verification: _Verification

    def to_value(self) -> SignedCommit:
        said = self.verification
        return SignedCommit(sha=self.sha, is_verified=said.verified, reason=said.reason)


class _CommitOfPull(AnswerPart):
    verification: _Verification


class PullCommitAnswer(AnswerPart):
    sha: Sha
    commit: _CommitOfPull


class _PullRepository(AnswerPart):
    id: int


class _PullSide(AnswerPart):
    ref: str
    sha: str
    # Null where the fork is gone.
    repo: _PullRepository | None = None


class PullAnswer(AnswerPart):
    number: int
    state: IssueState
    merged_at: datetime | None = None
    merge_commit_sha: str | None = None
    merged_by: UserAnswer | None = None
    user: UserAnswer | None = None
    head: _PullSide
    base: _PullSide
    body: str | None = None
    html_url: str
    title: str = ""
    draft: bool = False
    labels: list[LabelAnswer] = []
    updated_at: datetime | None = None

    def to_value(self) -> Pull:
        return Pull(
            number=PullNumber(self.number),
            state=PullState.MERGED if self.merged_at else PullState(self.state),
            head_sha=Sha(self.head.sha),
            head_branch=self.head.ref,
            base_branch=self.base.ref,
            body=self.body or "",
            html_url=self.html_url,
            # Before the merge, `merge_commit_sha` is only a test merge.
            merged_at=self.merged_at,
            merged_as=self._merge_commit() if self.merged_at else None,
            merged_by=self.merged_by.login if self.merged_by else "",
            is_from_fork=self.head.repo is None or self.head.repo != self.base.repo,
            title=self.title,
            is_draft=self.draft,
            labels=tuple(label.name for label in self.labels),
            updated_at=self.updated_at,
        )

    def _merge_commit(self) -> Sha | None:
        return Sha(self.merge_commit_sha) if self.merge_commit_sha else None


class WorkflowAnswer(AnswerPart):
    path: str
    state: str


class WorkflowsPage(AnswerPart):
    workflows: list[WorkflowAnswer]


class WorkflowRunAnswer(AnswerPart):
    """GitHub has more states than we use; those before the start count as queued."""

    id: int
    display_title: str = ""
    status: str | None = None
    conclusion: str | None = None
    html_url: str
    created_at: datetime
    actor: UserAnswer | None = None

    def to_value(self) -> WorkflowRun:
        known = {state.value: state for state in WorkflowRunState}
        state = known.get(self.status or "", WorkflowRunState.QUEUED)
        return WorkflowRun(
            id=WorkflowRunId(self.id),
            title=self.display_title,
            state=state,
            conclusion=self.conclusion if state is WorkflowRunState.COMPLETED else None,
            html_url=self.html_url,
            created_at=self.created_at,
        )


class WorkflowRunsPage(AnswerPart):
    workflow_runs: list[WorkflowRunAnswer]


class JobAnswer(AnswerPart):
    conclusion: str | None = None
    check_run_url: str


class JobsPage(AnswerPart):
    jobs: list[JobAnswer]


class AnnotationAnswer(AnswerPart):
    annotation_level: str | None = None
    message: str | None = None


class AppOfCheck(AnswerPart):
    id: int


class CheckRunAnswer(AnswerPart):
    id: int
    external_id: str | None = None
    conclusion: str | None = None
    app: AppOfCheck | None = None


class CheckRunsPage(AnswerPart):
    check_runs: list[CheckRunAnswer]


class DispatchAnswer(AnswerPart):
    """The response to a dispatch with `return_run_details`."""

    workflow_run_id: int


class PermissionAnswer(AnswerPart):
    """`role_name` may be a custom role; `permission` is the role that it is based on."""

    permission: str = "none"
    role_name: str = ""

    def to_value(self) -> Role:
        """`Role.NONE` for a name that we do not know."""
        for name in (self.role_name, self.permission):
            if name in set(Role):
                return Role(name)
        return Role.NONE
