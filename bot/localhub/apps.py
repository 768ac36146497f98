"""Operations on Apps and installations: register, install, mint tokens, the manifest flow.

A token never has more permissions than its installation. The credentials of a manifest are given
out once, for a code that can be used once and within an hour.
"""

import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.localhub import keys
from bot.localhub.access import INSTALLATION_TOKEN_LIFETIME, Access, grants
from bot.localhub.errors import ApiError, not_found, unprocessable
from bot.localhub.github_json import Json
from bot.localhub.model import (
    Account,
    AccountType,
    Actor,
    App,
    Installation,
    Repository,
    Token,
    TokenKind,
)
from bot.localhub.shapes.accounts import installation_shape
from bot.localhub.shapes.repositories import brief_repository_shape
from bot.localhub.state import ACTIONS_APP_ID, ACTIONS_SLUG, State
from bot.localhub.webhooks import EVENT_PERMISSIONS, Webhooks

# GitHub: a manifest's code is good for one hour.
MANIFEST_CODE_LIFETIME = timedelta(hours=1)

# GitHub: at most this many repositories can be named for one token.
TOKEN_REPOSITORIES_MAX = 500

_ALWAYS_SENT = {"installation", "installation_repositories", "github_app_authorization"}


@dataclass(frozen=True)
class AppCredentials:
    app_id: int
    slug: str
    client_id: str
    client_secret: str
    private_key_pem: str
    webhook_secret: str


@dataclass(frozen=True)
class AppDraft:
    name: str
    webhook_url: str | None
    webhook_secret: str
    permissions: dict[str, str]
    events: Sequence[str]
    external_url: str = "https://example.invalid"
    description: str = ""
    setup_url: str = ""
    is_hook_active: bool = True
    is_public: bool = True


@dataclass(frozen=True)
class _Conversion:
    credentials: AppCredentials
    expires_at: datetime


@dataclass(frozen=True)
class MintedToken:
    secret: str
    token: Token
    repositories: list[Repository] | None
    permissions: dict[str, str] = field(default_factory=dict)


class Apps:
    def __init__(self, state: State, access: Access, webhooks: Webhooks) -> None:
        self._state = state
        self._access = access
        self._webhooks = webhooks
        self._conversions: dict[str, _Conversion] = {}
        self.actions_app = self._actions_app()

    def _actions_app(self) -> App:
        owner = self._state.new_account("github", AccountType.ORGANIZATION)
        bot = self._state.new_account(f"{ACTIONS_SLUG}[bot]", AccountType.BOT)
        app = App(
            id=ACTIONS_APP_ID,
            slug=ACTIONS_SLUG,
            name="GitHub Actions",
            owner=owner,
            bot=bot,
            public_key_pem="",
            client_id="Iv1.05c79e9ad1f6bdfa",
            client_secret="",
            webhook_url=None,
            webhook_secret="",
            permissions={},
            events=(),
            created_at=self._state.now(),
            external_url="https://help.github.com/en/actions",
        )
        self._state.apps[app.id] = app
        return app

    def register(self, owner: Account, draft: AppDraft) -> AppCredentials:
        """Register an App; `ValueError` for an event that its permissions do not allow."""
        for event in draft.events:
            _require_event_allowed(event, draft.permissions)
        slug = re.sub(r"[^a-z0-9]+", "-", draft.name.lower()).strip("-")
        key = keys.new_key()
        with self._state.lock:
            app_id = self._state.next_id()
            bot = self._state.new_account(f"{slug}[bot]", AccountType.BOT)
            app = App(
                id=app_id,
                slug=slug,
                name=draft.name,
                owner=owner,
                bot=bot,
                public_key_pem=keys.public_key_pem(key),
                client_id=f"Iv23li{secrets.token_hex(7)}",
                client_secret=secrets.token_hex(20),
                webhook_url=draft.webhook_url,
                webhook_secret=draft.webhook_secret,
                permissions={**draft.permissions, "metadata": "read"},
                events=tuple(event for event in draft.events if event not in _ALWAYS_SENT),
                created_at=self._state.now(),
                external_url=draft.external_url,
                description=draft.description,
                setup_url=draft.setup_url,
                is_hook_active=draft.is_hook_active,
                is_public=draft.is_public,
            )
            self._state.apps[app_id] = app
        return AppCredentials(
            app_id=app_id,
            slug=slug,
            client_id=app.client_id,
            client_secret=app.client_secret,
            private_key_pem=keys.private_key_pem(key),
            webhook_secret=draft.webhook_secret,
        )

    def new_secret(self) -> str:
        return secrets.token_hex(20)

    def create_conversion_code(self, credentials: AppCredentials) -> str:
        """A code that returns the credentials once."""
        code = secrets.token_hex(20)
        with self._state.lock:
            expires_at = self._state.now() + MANIFEST_CODE_LIFETIME
            self._conversions[code] = _Conversion(credentials, expires_at)
        return code

    def convert(self, code: str) -> AppCredentials:
        """The credentials of a code; 404 the second time and after an hour."""
        with self._state.lock:
            conversion = self._conversions.pop(code, None)
            if conversion is None or conversion.expires_at <= self._state.now():
                raise not_found()
            return conversion.credentials

    def install(
        self, app: App, account: Account, repositories: Sequence[Repository] | None
    ) -> Installation:
        """Install an App on an account's repositories (None: all of them) and notify it."""
        with self._state.lock:
            now = self._state.now()
            ids = None if repositories is None else {held.id for held in repositories}
            installation = Installation(
                id=self._state.next_id(),
                app=app,
                account=account,
                repository_ids=ids,
                permissions=dict(app.permissions),
                created_at=now,
                updated_at=now,
            )
            self._state.installations[installation.id] = installation
            body: Json = {
                "action": "created",
                "installation": installation_shape(self._state, installation),
                "repositories": self._brief(self.repositories_of(installation)),
                "requester": None,
            }
            self._webhooks.send_installation_event(installation, "installation", body, account)
            return installation

    def uninstall(self, installation: Installation) -> None:
        with self._state.lock:
            body: Json = {
                "action": "deleted",
                "installation": installation_shape(self._state, installation),
                "repositories": self._brief(self.repositories_of(installation)),
            }
            del self._state.installations[installation.id]
            for token in self._state.tokens.values():
                if token.actor.installation is installation:
                    token.is_revoked = True
            self._webhooks.send_installation_event(
                installation, "installation", body, installation.account
            )

    def suspend(self, installation: Installation) -> None:
        """Suspend an App: its tokens answer 403, it gets no webhooks."""
        with self._state.lock:
            installation.suspended_at = self._state.now()
            self._send_installation(installation, "suspend")

    def unsuspend(self, installation: Installation) -> None:
        with self._state.lock:
            installation.suspended_at = None
            self._send_installation(installation, "unsuspend")

    def accept_permissions(self, installation: Installation, permissions: dict[str, str]) -> None:
        """The owner grants other permissions; tokens keep those that they were minted with."""
        with self._state.lock:
            installation.permissions = {**permissions, "metadata": "read"}
            self._send_installation(installation, "new_permissions_accepted")

    def _send_installation(self, installation: Installation, action: str) -> None:
        shape = installation_shape(self._state, installation)
        body: Json = {"action": action, "installation": shape}
        self._webhooks.send_installation_event(
            installation, "installation", body, installation.account
        )

    def add_repositories(
        self, installation: Installation, repositories: Sequence[Repository]
    ) -> None:
        with self._state.lock:
            if installation.repository_ids is not None:
                installation.repository_ids |= {held.id for held in repositories}
            self._send_selection(installation, "added", repositories)

    def remove_repositories(
        self, installation: Installation, repositories: Sequence[Repository]
    ) -> None:
        with self._state.lock:
            if installation.repository_ids is not None:
                installation.repository_ids -= {held.id for held in repositories}
            self._send_selection(installation, "removed", repositories)

    def _send_selection(
        self, installation: Installation, what: str, repositories: Sequence[Repository]
    ) -> None:
        added = self._brief(repositories) if what == "added" else []
        removed = self._brief(repositories) if what == "removed" else []
        body: Json = {
            "action": what,
            "installation": installation_shape(self._state, installation),
            "repository_selection": "all" if installation.repository_ids is None else "selected",
            "repositories_added": added,
            "repositories_removed": removed,
            "requester": None,
        }
        self._webhooks.send_installation_event(
            installation, "installation_repositories", body, installation.account
        )

    def _brief(self, repositories: Iterable[Repository]) -> list[Json]:
        return [brief_repository_shape(held) for held in repositories]

    def repositories_of(self, installation: Installation) -> list[Repository]:
        with self._state.lock:
            every = list(self._state.repositories.values())
        return [held for held in every if installation.covers(held)]

    def find_installation(self, app: App, installation_id: int) -> Installation:
        found = self._state.installations.get(installation_id)
        if found is None or found.app is not app:
            raise not_found()
        return found

    def mint_token(
        self,
        installation: Installation,
        repositories: Sequence[Repository] | None,
        permissions: dict[str, str] | None,
    ) -> MintedToken:
        """A token of an installation, limited to what is requested; 422 for more than it has."""
        if installation.suspended_at is not None:
            raise ApiError(403, "This installation has been suspended")
        if repositories is not None:
            self._require_covered(installation, repositories)
        granted = dict(installation.permissions)
        # GitHub takes an empty object as a request for all permissions.
        if permissions:
            for permission, level in permissions.items():
                if not grants(granted, permission, level):
                    raise unprocessable(
                        "The permissions requested are not granted to this installation."
                    )
            granted = {**permissions, "metadata": "read"}
        ids = None if repositories is None else frozenset(held.id for held in repositories)
        secret = keys.installation_token(installation.app.id)
        actor = Actor(
            kind=TokenKind.INSTALLATION,
            account=installation.app.bot,
            app=installation.app,
            installation=installation,
            permissions=granted,
            repository_ids=ids,
            token=secret,
        )
        token = Token(actor, self._state.now() + INSTALLATION_TOKEN_LIFETIME)
        self._access.remember(secret, token)
        chosen = None if repositories is None else list(repositories)
        return MintedToken(secret, token, chosen, granted)

    def _require_covered(
        self, installation: Installation, repositories: Sequence[Repository]
    ) -> None:
        if len(repositories) > TOKEN_REPOSITORIES_MAX:
            raise unprocessable("Too many repositories for installation")
        if not all(installation.covers(held) for held in repositories):
            raise unprocessable(
                "There is at least one repository that does not exist or is not accessible to the "
                "parent installation."
            )


def _require_event_allowed(event: str, permissions: dict[str, str]) -> None:
    if event in _ALWAYS_SENT:
        return
    if event not in EVENT_PERMISSIONS:
        raise ValueError(f"the event {event} is not one that localhub sends")
    permission = EVENT_PERMISSIONS[event]
    if event == "issue_comment" and grants(permissions, "pull_requests", "read"):
        return
    if permission is not None and not grants(permissions, permission, "read"):
        raise ValueError(f"the event {event} needs the permission {permission}: read")
