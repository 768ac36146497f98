"""What localhub stores: plain mutable records, one per GitHub object.

Records hold facts and references to each other and know nothing of HTTP, git or webhooks. Only
operations change them, under the state's lock. `shapes/` computes derived values on request.
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from threading import RLock

from bot.localhub.git_store import GitStore
from bot.localhub.github_json import Json
from bot.localhub.rule_model import EVERY_METHOD, MergeMethod, Ruleset


class AccountType(StrEnum):
    USER = "User"
    ORGANIZATION = "Organization"
    BOT = "Bot"


class Visibility(StrEnum):
    PUBLIC = "public"
    PRIVATE = "private"


class Role(StrEnum):
    READ = "read"
    TRIAGE = "triage"
    WRITE = "write"
    MAINTAIN = "maintain"
    ADMIN = "admin"


class TokenKind(StrEnum):
    ANONYMOUS = "anonymous"
    APP_JWT = "app_jwt"
    INSTALLATION = "installation"
    USER = "user"
    JOB = "job"


@dataclass(eq=False)
class Account:
    id: int
    login: str
    type: AccountType
    created_at: datetime
    # Of an organization: the logins of its owners.
    owners: set[str] = field(default_factory=set)


@dataclass(eq=False)
class App:
    id: int
    slug: str
    name: str
    owner: Account
    bot: Account
    public_key_pem: str
    client_id: str
    client_secret: str
    webhook_url: str | None
    webhook_secret: str
    permissions: dict[str, str]
    events: tuple[str, ...]
    created_at: datetime
    external_url: str
    description: str = ""
    setup_url: str = ""
    # Where it is not, GitHub sends it no webhooks; the API cannot change it, its owner can.
    is_hook_active: bool = True
    # Others than its owner may install it.
    is_public: bool = True


@dataclass(eq=False)
class Label:
    id: int
    name: str
    color: str
    description: str | None


@dataclass(eq=False)
class Reaction:
    id: int
    user: Account
    content: str
    created_at: datetime


@dataclass(eq=False)
class Comment:
    id: int
    issue: "Issue"
    user: Account
    body: str
    created_at: datetime
    updated_at: datetime
    app: App | None = None
    reactions: list[Reaction] = field(default_factory=list)


@dataclass(eq=False)
class CommitComment:
    """A comment on a commit, or with `path` on a file of it; GitHub shows it at the commit."""

    id: int
    repository: "Repository"
    sha: str
    user: Account
    body: str
    created_at: datetime
    updated_at: datetime
    path: str | None = None
    position: int | None = None
    line: int | None = None
    reactions: list[Reaction] = field(default_factory=list)


@dataclass(eq=False)
class Review:
    id: int
    user: Account
    body: str
    state: str
    commit_id: str
    submitted_at: datetime


@dataclass(eq=False)
class Pull:
    """The pull request half of an issue. `mergeable` holds for `mergeable_of` only.

    `fork` is the repository of the head's branch where that is not the pull's own.
    """

    id: int
    head_ref: str
    base_ref: str
    head_sha: str
    base_sha: str
    draft: bool
    merged_at: datetime | None = None
    merged_by: Account | None = None
    merge_commit_sha: str | None = None
    mergeable: bool | None = None
    mergeable_of: tuple[str, str] | None = None
    reviews: list[Review] = field(default_factory=list)
    fork: "Repository | None" = None


@dataclass(eq=False)
class LabelEvent:
    id: int
    event: str
    label: Label
    actor: Account
    app: App | None
    created_at: datetime


@dataclass(eq=False)
class Issue:
    """An issue, or with `pull` a pull request: they share one numbering."""

    id: int
    number: int
    repository: "Repository"
    title: str
    body: str | None
    user: Account
    created_at: datetime
    updated_at: datetime
    app: App | None = None
    state: str = "open"
    state_reason: str | None = None
    closed_at: datetime | None = None
    closed_by: Account | None = None
    locked: bool = False
    active_lock_reason: str | None = None
    labels: list[Label] = field(default_factory=list)
    label_events: list[LabelEvent] = field(default_factory=list)
    assignees: list[Account] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    reactions: list[Reaction] = field(default_factory=list)
    parent: "Issue | None" = None
    sub_issues: list["Issue"] = field(default_factory=list)
    blocked_by: list["Issue"] = field(default_factory=list)
    blocking: list["Issue"] = field(default_factory=list)
    pull: Pull | None = None


@dataclass(eq=False)
class Annotation:
    path: str
    start_line: int
    end_line: int
    level: str
    message: str
    title: str | None = None
    raw_details: str | None = None
    start_column: int | None = None
    end_column: int | None = None


@dataclass(frozen=True)
class CheckAction:
    label: str
    description: str
    identifier: str


@dataclass(eq=False)
class CheckSuite:
    id: int
    app: App
    repository: "Repository"
    head_sha: str
    head_branch: str | None
    before: str | None
    after: str | None
    created_at: datetime
    updated_at: datetime


@dataclass(eq=False)
class CheckRun:
    id: int
    suite: CheckSuite
    name: str
    status: str
    conclusion: str | None
    started_at: datetime
    completed_at: datetime | None
    external_id: str = ""
    details_url: str | None = None
    title: str | None = None
    summary: str | None = None
    text: str | None = None
    annotations: list[Annotation] = field(default_factory=list)
    buttons: tuple[CheckAction, ...] = ()


@dataclass(eq=False)
class CommitStatus:
    """A commit status; the newest of a context counts."""

    id: int
    sha: str
    state: str
    context: str
    description: str | None
    target_url: str | None
    creator: Account
    created_at: datetime


@dataclass(frozen=True)
class Activity:
    id: int
    before: str
    after: str
    ref: str
    at: datetime
    kind: str
    actor: Account | None


@dataclass(eq=False)
class Repository:
    """A repository. `refs` mirrors the bare repository; `push_lock` is held while one moves.

    `push_lock` is taken before the state's lock and never after it.
    """

    id: int
    owner: Account
    name: str
    visibility: Visibility
    default_branch: str
    created_at: datetime
    pushed_at: datetime
    git: GitStore
    description: str | None = None
    refs: dict[str, str] = field(default_factory=dict)
    collaborators: dict[str, Role] = field(default_factory=dict)
    labels: list[Label] = field(default_factory=list)
    issues: dict[int, Issue] = field(default_factory=dict)
    suites: list[CheckSuite] = field(default_factory=list)
    check_runs: dict[int, CheckRun] = field(default_factory=dict)
    statuses: list[CommitStatus] = field(default_factory=list)
    rulesets: list[Ruleset] = field(default_factory=list)
    allowed_secrets: set[str] = field(default_factory=set)
    commit_comments: list[CommitComment] = field(default_factory=list)
    activities: list[Activity] = field(default_factory=list)
    is_archived: bool = False
    has_issues: bool = True
    # A private repository on GitHub's free plan has neither rulesets nor protected branches.
    has_rules: bool = True
    merge_methods: frozenset[MergeMethod] = EVERY_METHOD
    parent: "Repository | None" = None
    forks: "list[Repository]" = field(default_factory=list)
    push_lock: RLock = field(default_factory=RLock)

    @property
    def full_name(self) -> str:
        return f"{self.owner.login}/{self.name}"

    @property
    def is_private(self) -> bool:
        return self.visibility is Visibility.PRIVATE


@dataclass(eq=False)
class Installation:
    id: int
    app: App
    account: Account
    repository_ids: set[int] | None
    permissions: dict[str, str]
    created_at: datetime
    updated_at: datetime
    suspended_at: datetime | None = None

    def covers(self, repository: Repository) -> bool:
        if repository.owner is not self.account:
            return False
        return self.repository_ids is None or repository.id in self.repository_ids


@dataclass(frozen=True, eq=False)
class Actor:
    """Who a request comes from and what it may do; `repository_ids` None is no restriction."""

    kind: TokenKind
    account: Account | None = None
    app: App | None = None
    installation: Installation | None = None
    permissions: dict[str, str] = field(default_factory=dict)
    repository_ids: frozenset[int] | None = None
    token: str = ""


@dataclass(eq=False)
class Token:
    """A credential that localhub issued; `expires_at` None never expires."""

    actor: Actor
    expires_at: datetime | None
    is_revoked: bool = False


@dataclass(eq=False)
class Delivery:
    id: int
    guid: str
    app: App
    event: str
    action: str | None
    installation_id: int | None
    repository_id: int | None
    payload: bytes
    request_headers: Json
    created_at: datetime
    is_redelivery: bool = False
    delivered_at: datetime | None = None
    duration_seconds: float = 0.0
    status: str = "pending"
    status_code: int = 0
    response_headers: Json = field(default_factory=dict)
    response_body: str = ""


@dataclass(frozen=True)
class Exchange:
    method: str
    path: str
    status: int
    token_kind: TokenKind
    is_write: bool
