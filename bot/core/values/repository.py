"""Facts about one repository, as GitHub states them."""

from datetime import datetime
from enum import StrEnum
from urllib.parse import urlsplit

from bot.core.values.ids import (
    CommentId,
    Frozen,
    InstallationId,
    IssueNumber,
    PullNumber,
    Ref,
    RepositoryId,
    Sha,
    WorkflowRunId,
)


class RepositoryFacts(Frozen):
    """`bot_login` ends in `[bot]`."""

    id: RepositoryId
    full_name: str
    default_branch: str
    installation_id: InstallationId
    clone_url: str
    html_url: str
    bot_login: str
    bot_id: int
    app_id: int

    @property
    def main_ref(self) -> Ref:
        return Ref(f"refs/heads/{self.default_branch}")

    @property
    def our_address(self) -> str:
        """The address in the commits that Headgate makes."""
        return f"headgate[bot]@{self.mail_domain}"

    @property
    def mail_domain(self) -> str:
        """The domain of no-reply addresses, of github.com or an Enterprise Server."""
        return f"users.noreply.{urlsplit(self.html_url).hostname or 'github.com'}"


class AwayReason(StrEnum):
    """Why Headgate may do nothing in a repository.

    Removed: taken out of the installation or deleted, or the App was uninstalled; GitHub answers
    404 for all three. Not served: `HEADGATE_OWNERS` does not name its owner. No issues: they are
    switched off in the repository's settings.
    """

    SUSPENDED = "suspended"
    PERMISSIONS = "permissions"
    REMOVED = "removed"
    NOT_SERVED = "not_served"
    ARCHIVED = "archived"
    NO_ISSUES = "no_issues"


class Standing(Frozen):
    """A repository as GitHub has it now: its facts, or why they are not to be had.

    `lacks` are the permissions that are missing, such as `checks: write`.
    """

    facts: RepositoryFacts | None = None
    away: AwayReason | None = None
    lacks: tuple[str, ...] = ()


class Role(StrEnum):
    """A person's role in a repository, weakest first; custom roles map to their base role."""

    NONE = "none"
    READ = "read"
    TRIAGE = "triage"
    WRITE = "write"
    MAINTAIN = "maintain"
    ADMIN = "admin"

    def covers(self, needed: "Role") -> bool:
        order = list(Role)
        return order.index(self) >= order.index(needed)


class Comment(Frozen):
    """A comment on an issue or pull. `author_is_person` is False for Apps and bots.

    GitHub does not say who edited it: anybody with write access can change another person's text.
    """

    id: CommentId
    issue: IssueNumber
    body: str
    author: str
    author_id: int
    author_is_person: bool
    created_at: datetime
    updated_at: datetime
    html_url: str

    @property
    def is_edited(self) -> bool:
        """Whether it was edited; an edit in the same second cannot be detected."""
        return self.updated_at != self.created_at


class Labelling(Frozen):
    """One act of putting a label on an issue: GitHub's id of it, and the person."""

    id: int
    by: str


class IssueState(StrEnum):
    OPEN = "open"
    CLOSED = "closed"


class Issue(Frozen):
    """An issue as it is now. `id` is the database id that sub-issue links need."""

    number: IssueNumber
    id: int
    title: str
    body: str
    state: IssueState
    author: str
    author_id: int
    labels: tuple[str, ...]
    is_pull: bool
    updated_at: datetime
    html_url: str


class IssueEdit(Frozen):
    """Changes of an issue in one request; None leaves a field as it is.

    `reason` is GitHub's for the state: `completed`, `not_planned`, `reopened`.
    """

    body: str | None = None
    state: IssueState | None = None
    reason: str | None = None


class PullState(StrEnum):
    """A pull's state; merged is a state of its own here."""

    OPEN = "open"
    CLOSED = "closed"
    MERGED = "merged"


class Pull(Frozen):
    """A pull request as it is now.

    `merged_at` is None if it was not merged; `merged_as` is the commit that the merge left on the
    base branch, `merged_by` who merged. `is_from_fork`: its author could not push a branch here, as
    far as we see; so it is where the fork is gone.
    """

    number: PullNumber
    state: PullState
    head_sha: Sha
    head_branch: str
    base_branch: str
    body: str
    html_url: str
    merged_at: datetime | None = None
    merged_as: Sha | None = None
    merged_by: str = ""
    is_from_fork: bool = False
    title: str = ""
    is_draft: bool = False
    labels: tuple[str, ...] = ()
    updated_at: datetime | None = None


class MainMove(Frozen):
    """One move of main, as GitHub saw it; `by` is empty where it was not a person.

    `is_merge`: a pull was merged, and `by` pressed the button.
    """

    before: Sha
    after: Sha
    by: str
    is_merge: bool = False


class WorkflowRunState(StrEnum):
    """GitHub's states of a workflow run, waiting and pending folded into queued."""

    QUEUED = "queued"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"


class WorkflowRun(Frozen):
    """A workflow run as it is now; `conclusion` is None until it has completed.

    `errors` are its jobs' own words for what went wrong, read where it handed nothing in.
    """

    id: WorkflowRunId
    title: str
    state: WorkflowRunState
    conclusion: str | None
    html_url: str
    created_at: datetime
    errors: tuple[str, ...] = ()


class CommitFacts(Frozen):
    """A commit on main's first-parent line and the paths that it changed against that parent.

    `change` is the change that its message names, as those of our candidates do.
    """

    sha: Sha
    tree: Sha
    parents: tuple[Sha, ...]
    author: str
    subject: str
    committed_at: datetime
    paths: tuple[str, ...]
    change: str = ""
