"""One `Hub`: the state, the operations on it, and the methods that tests and the demo call.

The hub owns a folder of bare repositories, the tables behind one lock, and the webhook thread. The
HTTP application is a layer over it.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from bot.localhub import keys
from bot.localhub.access import Access
from bot.localhub.actions_host import HubActionsHost
from bot.localhub.apps import AppCredentials, AppDraft, Apps
from bot.localhub.checks import Checks, Statuses
from bot.localhub.comments import Comments
from bot.localhub.commit_comments import CommitComments
from bot.localhub.fault_effects import FaultEffects
from bot.localhub.faults import FaultPlan
from bot.localhub.forks import Forks
from bot.localhub.git_store import GitStore
from bot.localhub.github_json import Json
from bot.localhub.issues import Issues, PullListener
from bot.localhub.lives import Lives
from bot.localhub.merge_queue import MergeQueue
from bot.localhub.merging import Merging
from bot.localhub.model import (
    Account,
    AccountType,
    Actor,
    Exchange,
    Repository,
    Role,
    Token,
    TokenKind,
    Visibility,
)
from bot.localhub.pulls import Pulls
from bot.localhub.rate_limits import RateLimits
from bot.localhub.refs import PushListener, Refs
from bot.localhub.relations import Relations
from bot.localhub.review_comments import ReviewComments
from bot.localhub.rule_model import Ruleset
from bot.localhub.secondary_limits import SecondaryLimits
from bot.localhub.sessions import Sessions
from bot.localhub.state import Clock, State, system_clock
from bot.localhub.tree_edits import FileChange
from bot.localhub.update_hook import install_hooks
from bot.localhub.webhooks import Webhooks


class Hub:
    """GitHub in a box. Thread-safe; `close` ends its own thread."""

    def __init__(self, folder: Path, clock: Clock = system_clock) -> None:
        self.state = State(folder, clock)
        self.faults = FaultPlan()
        self.limits = RateLimits(self.state)
        self.secondary_limits = SecondaryLimits(self.state)
        self.issuer = keys.Issuer.create()
        self.access = Access(self.state)
        self.webhooks = Webhooks(self.state, self.faults)
        self.sessions = Sessions(self.access)
        self.apps = Apps(self.state, self.access, self.webhooks)
        self.issues = Issues(self.state, self.webhooks)
        self.comments = Comments(self.state, self.webhooks, self.issues)
        self.commit_comments = CommitComments(self.state, self.webhooks)
        self.relations = Relations(self.state, self.webhooks)
        self.checks = Checks(self.state, self.webhooks)
        self.statuses = Statuses(self.state, self.webhooks)
        self.pulls = Pulls(self.state, self.webhooks, self.issues)
        self.review_comments = ReviewComments(self.state, self.webhooks, self.issues, self.pulls)
        self.refs = Refs(self.state, self.webhooks, self.issues, self.pulls, self.checks)
        self.lives = Lives(self.state, self.webhooks, self.apps, self.refs, self.pulls)
        self.merging = Merging(self.state, self.refs, self.pulls)
        self.merge_queue = MergeQueue(
            self.state, self.webhooks, self.refs, self.pulls, self.merging
        )
        self.refs.listeners.append(self.merge_queue.branch_moved)
        self.checks.listeners.append(self.merge_queue.look)
        self.statuses.listeners.append(self.merge_queue.look)
        FaultEffects(self.state, self.refs, self.merging).register(self.faults)
        self.forks = Forks(self.state, self.add_repository)
        self.actions_host = HubActionsHost(
            self.state,
            self.access,
            self.apps,
            self.refs,
            self.checks,
            self.webhooks,
            self.issuer,
        )
        folder.mkdir(parents=True, exist_ok=True)
        self._hooks = (folder / "hooks").absolute()
        install_hooks(self._hooks)

    def __enter__(self) -> "Hub":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.webhooks.close()

    @property
    def base_url(self) -> str:
        """Where the hub is served; set by the server before the first request."""
        return self.state.base_url

    @base_url.setter
    def base_url(self, url: str) -> None:
        self.state.base_url = url.rstrip("/")

    @property
    def exchanges(self) -> list[Exchange]:
        with self.state.lock:
            return list(self.state.exchanges)

    def add_user(self, login: str) -> str:
        self.state.new_account(login, AccountType.USER)
        return self.mint_user_token(login)

    def mint_user_token(self, login: str) -> str:
        secret = keys.personal_token()
        actor = Actor(TokenKind.USER, account=self.state.account(login), token=secret)
        self.access.remember(secret, Token(actor, expires_at=None))
        return secret

    def add_organization(self, login: str, owners: Sequence[str] = ()) -> None:
        self.state.new_account(login, AccountType.ORGANIZATION).owners.update(owners)

    def as_user(self, login: str) -> Actor:
        return Actor(TokenKind.USER, account=self.state.account(login))

    def add_repository(
        self, owner: str, name: str, visibility: Visibility = Visibility.PUBLIC
    ) -> Repository:
        """Create an empty repository of an existing account."""
        account = self.state.account(owner)
        full_name = f"{account.login}/{name}"
        folder = (self.state.folder / "repositories" / account.login / f"{name}.git").absolute()
        if folder.exists():
            # Of a repository that had this name.
            folder = folder.with_name(f"{name}-{self.state.next_id()}.git")
        with self.state.lock:
            if full_name.lower() in self.state.repositories:
                raise ValueError(f"the repository {full_name} exists")
            now = self.state.now()
            repository = Repository(
                id=self.state.next_id(),
                owner=account,
                name=name,
                visibility=visibility,
                default_branch="main",
                created_at=now,
                pushed_at=now,
                git=GitStore.create(folder, "main", self._hooks),
            )
            self.state.repositories[full_name.lower()] = repository
            self.state.former_names.pop(full_name.lower(), None)
            return repository

    def repository(self, full_name: str) -> Repository:
        return self.state.repository(full_name)

    def commit_files(
        self, full_name: str, files: Mapping[str, bytes | None], message: str, login: str = ""
    ) -> str:
        """Commit files (None deletes) to the default branch as its owner, or as `login`."""
        repository = self.repository(full_name)
        changes = [FileChange(path, content) for path, content in files.items()]
        actor = self.as_user(login or repository.owner.login)
        return self.merging.commit_files(repository, actor, changes, message)

    def add_collaborator(self, full_name: str, login: str, role: Role = Role.WRITE) -> None:
        """Add a collaborator, who accepts at once."""
        repository = self.repository(full_name)
        account = self.state.account(login)
        with self.state.lock:
            repository.collaborators[account.login.lower()] = role

    def add_ruleset(self, full_name: str, ruleset: Ruleset) -> None:
        """Apply rules, to git pushes and REST alike."""
        repository = self.repository(full_name)
        with self.state.lock:
            repository.rulesets.append(ruleset)

    def allow_secret(self, full_name: str, secret: str) -> None:
        """A person has opened the link of push protection and allowed this one."""
        repository = self.repository(full_name)
        with self.state.lock:
            repository.allowed_secrets.add(secret)

    def register_app(
        self,
        name: str,
        webhook_url: str | None,
        secret: str,
        permissions: dict[str, str],
        events: Sequence[str],
    ) -> AppCredentials:
        """Register an App of the account `github`; only this returns its keys."""
        owner = self.apps.actions_app.owner
        return self.apps.register(owner, AppDraft(name, webhook_url, secret, permissions, events))

    def install_app(
        self, app_id: int, owner: str, repositories: Sequence[str] | None = None
    ) -> int:
        """Install an App on an account; `repositories` are full names, None is all of them."""
        chosen = None if repositories is None else [self.repository(name) for name in repositories]
        app = self.state.apps[app_id]
        return self.apps.install(app, self.state.account(owner), chosen).id

    def set_webhook_url(self, app_id: int, url: str | None) -> None:
        with self.state.lock:
            self.state.apps[app_id].webhook_url = url

    def mint_id_token(self, claims: Json) -> str:
        return self.issuer.sign(claims)

    @property
    def oidc_issuer(self) -> str:
        """The `iss` of id tokens, below which the discovery document is served."""
        return f"{self.base_url}/_oidc"

    def on_push(self, listener: PushListener) -> None:
        self.refs.listeners.append(listener)

    def on_pull_request(self, listener: PullListener) -> None:
        self.issues.pull_listeners.append(listener)

    def wait_until_delivered(self, timeout_seconds: float) -> bool:
        """Whether every webhook so far was sent (or lost) within this time."""
        return self.webhooks.wait_until_delivered(timeout_seconds)

    def account(self, login: str) -> Account:
        return self.state.account(login)
