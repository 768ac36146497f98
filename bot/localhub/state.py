"""The state of one localhub, and the lock that guards it.

All operations work on one `State`; every change happens under `lock`.
"""

import itertools
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import RLock

from bot.localhub.errors import not_found
from bot.localhub.model import (
    Account,
    AccountType,
    App,
    CheckRun,
    CheckSuite,
    Comment,
    Delivery,
    Exchange,
    Installation,
    Issue,
    Repository,
    Token,
)
from bot.localhub.review_model import ReviewComment

Clock = Callable[[], datetime]

# The App of GitHub's own workflows, and the id in its check runs.
ACTIONS_APP_ID = 15368
ACTIONS_SLUG = "github-actions"


def system_clock() -> datetime:
    return datetime.now(UTC)


class State:
    """The tables. Names are looked up without regard to case, as on GitHub."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.folder = folder
        self.clock = clock
        # How far the hub's clock is ahead of `clock`.
        self.drift = timedelta()
        # On Enterprise Server an administrator switches the signing of commits made on the web on.
        self.signs_for_apps = True
        self.lock = RLock()
        self.base_url = "http://127.0.0.1"
        self.accounts: dict[str, Account] = {}
        self.repositories: dict[str, Repository] = {}
        # Names that repositories had, until another repository takes them.
        self.former_names: dict[str, Repository] = {}
        self.apps: dict[int, App] = {}
        self.installations: dict[int, Installation] = {}
        self.tokens: dict[str, Token] = {}
        self.issues: dict[int, Issue] = {}
        self.comments: dict[int, Comment] = {}
        self.review_comments: dict[int, ReviewComment] = {}
        self.suites: dict[int, CheckSuite] = {}
        self.check_runs: dict[int, CheckRun] = {}
        self.deliveries: list[Delivery] = []
        self.exchanges: list[Exchange] = []
        self._ids = itertools.count(1001)

    def now(self) -> datetime:
        return self.clock() + self.drift

    @property
    def api_url(self) -> str:
        return f"{self.base_url}/api/v3"

    def next_id(self) -> int:
        return next(self._ids)

    def account(self, login: str) -> Account:
        found = self.accounts.get(login.lower())
        if found is None:
            raise not_found()
        return found

    def new_account(self, login: str, kind: AccountType) -> Account:
        with self.lock:
            if login.lower() in self.accounts:
                raise ValueError(f"the login {login} is taken")
            account = Account(self.next_id(), login, kind, self.now())
            self.accounts[login.lower()] = account
            return account

    def repository(self, full_name: str) -> Repository:
        """The repository of this full name, now or formerly, or 404."""
        found = self.repositories.get(full_name.lower()) or self.moved(full_name)
        if found is None:
            raise not_found()
        return found

    def moved(self, full_name: str) -> Repository | None:
        """The repository that had this full name, if it is still there and no other has it."""
        if full_name.lower() in self.repositories:
            return None
        found = self.former_names.get(full_name.lower())
        is_there = found is not None and found.full_name.lower() in self.repositories
        return found if is_there else None

    def threads_of(self, issue: Issue) -> list[ReviewComment]:
        """The first comment of each thread of a pull's reviews, oldest first."""
        with self.lock:
            every = list(self.review_comments.values())
        return [one for one in every if one.issue is issue and one.reply_to is None]

    def app_by_issuer(self, issuer: str) -> App | None:
        """The App that a JWT's `iss` names, by id or by client id."""
        with self.lock:
            for app in self.apps.values():
                if issuer in (str(app.id), app.client_id):
                    return app
        return None

    def installations_on(self, repository: Repository) -> list[Installation]:
        """Installations that cover a repository, without suspended ones."""
        with self.lock:
            return [
                installation
                for installation in self.installations.values()
                if installation.suspended_at is None and installation.covers(repository)
            ]
