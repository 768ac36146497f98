"""Authentication and authorisation of requests.

An App's token is limited to its permissions and repositories, a user's token to the user's role.
What a caller may not see is 404, what they may not do is 403. A public repository may be read
without an installation, as on GitHub; inside an installation reading needs the permission, because
GitHub would refuse it on a private repository.
"""

import base64
import binascii
from datetime import timedelta

from bot.localhub import keys
from bot.localhub.errors import ApiError, bad_credentials, not_accessible, not_found
from bot.localhub.model import Account, Actor, App, Repository, Role, Token, TokenKind
from bot.localhub.state import State

ANONYMOUS = Actor(TokenKind.ANONYMOUS)

# GitHub: installation access tokens expire one hour from the time they are created.
INSTALLATION_TOKEN_LIFETIME = timedelta(hours=1)

# GitHub: the job token lives as long as its job, at most a day on self-hosted runners.
JOB_TOKEN_LIFETIME = timedelta(hours=24)

_LEVELS = {"read": 1, "write": 2, "admin": 3}
_ROLES = list(Role)

# What a user without write access may do with issues and pulls that they can see.
_OPEN_TO_READERS = {"issues", "pull_requests"}


class Access:
    def __init__(self, state: State) -> None:
        self._state = state

    def identify(self, authorization: str | None) -> Actor:
        """The actor of an `Authorization` header; 401 if the credential is not good."""
        if not authorization:
            return ANONYMOUS
        scheme, _, rest = authorization.partition(" ")
        secret = rest.strip()
        if scheme.lower() == "basic":
            secret = _basic_secret(secret)
        elif scheme.lower() not in ("bearer", "token"):
            raise bad_credentials()
        if secret.startswith("eyJ") and secret.count(".") == 2:
            return self._app_of_jwt(secret)
        return self.actor_of_token(secret)

    def actor_of_token(self, secret: str) -> Actor:
        """The actor of a token of any kind; 401 if it is unknown, expired or revoked."""
        with self._state.lock:
            token = self._state.tokens.get(secret)
            if token is None or token.is_revoked:
                raise bad_credentials()
            if token.expires_at is not None and token.expires_at <= self._state.now():
                raise bad_credentials()
            installation = token.actor.installation
            if installation is not None and installation.suspended_at is not None:
                raise ApiError(403, "This installation has been suspended")
            return token.actor

    def _app_of_jwt(self, secret: str) -> Actor:
        app = self._state.app_by_issuer(keys.issuer_of(secret))
        if app is None:
            raise ApiError(404, "Integration not found")
        keys.check_app_jwt(secret, app.public_key_pem, self._state.now())
        return Actor(TokenKind.APP_JWT, account=app.bot, app=app)

    def app(self, actor: Actor) -> App:
        if actor.kind is not TokenKind.APP_JWT or actor.app is None:
            raise ApiError(401, "A JSON web token could not be decoded")
        return actor.app

    def can_see(self, actor: Actor, repository: Repository) -> bool:
        return not repository.is_private or self.is_member(actor, repository)

    def is_member(self, actor: Actor, repository: Repository) -> bool:
        """Whether the caller has access beyond what is public."""
        match actor.kind:
            case TokenKind.INSTALLATION:
                covered = actor.installation is not None and actor.installation.covers(repository)
                return covered and _within(actor, repository)
            case TokenKind.JOB:
                return _within(actor, repository)
            case TokenKind.USER:
                return (
                    actor.account is not None and self.role(actor.account, repository) is not None
                )
            case TokenKind.ANONYMOUS | TokenKind.APP_JWT:
                return False

    def role(self, account: Account, repository: Repository) -> Role | None:
        if account is repository.owner or account.login in repository.owner.owners:
            return Role.ADMIN
        return repository.collaborators.get(account.login.lower())

    def require(self, actor: Actor, repository: Repository, permission: str, level: str) -> None:
        """Raise 401, 403 or 404 if the caller lacks the permission."""
        if actor.kind is TokenKind.APP_JWT:
            raise bad_credentials()
        if not self.can_see(actor, repository):
            raise not_found()
        if actor.kind in (TokenKind.INSTALLATION, TokenKind.JOB):
            self._require_of_app(actor, repository, permission, level)
        elif level != "read":
            self._require_of_person(actor, repository, permission)
        if level != "read" and repository.is_archived:
            raise ApiError(403, "Repository was archived so is read-only.")

    def _require_of_app(
        self, actor: Actor, repository: Repository, permission: str, level: str
    ) -> None:
        if not self.is_member(actor, repository):
            if level == "read":
                return
            raise not_accessible()
        if not grants(actor.permissions, permission, level):
            raise not_accessible()

    def _require_of_person(self, actor: Actor, repository: Repository, permission: str) -> None:
        if actor.account is None:
            raise ApiError(401, "Requires authentication")
        if permission == "checks":
            raise ApiError(403, "You must authenticate via a GitHub App.")
        if permission in _OPEN_TO_READERS:
            return
        self.require_role(actor, repository, Role.WRITE)

    def require_role(self, actor: Actor, repository: Repository, role: Role) -> None:
        """Raise 403 if a person has a lower role; an App's token was checked before."""
        if actor.kind is not TokenKind.USER or actor.account is None:
            return
        if not self.has_role(actor.account, repository, role):
            raise ApiError(403, "Must have admin rights to Repository.")

    def has_role(self, account: Account, repository: Repository, role: Role) -> bool:
        held = self.role(account, repository)
        return held is not None and _ROLES.index(held) >= _ROLES.index(role)

    def remember(self, secret: str, token: Token) -> None:
        with self._state.lock:
            self._state.tokens[secret] = token

    def revoke(self, secret: str) -> None:
        """Make a token invalid; nothing happens if it is unknown."""
        with self._state.lock:
            token = self._state.tokens.get(secret)
            if token is not None:
                token.is_revoked = True


def grants(permissions: dict[str, str], permission: str, level: str) -> bool:
    if permission == "metadata":
        return level == "read"
    return _LEVELS.get(permissions.get(permission, ""), 0) >= _LEVELS[level]


def _within(actor: Actor, repository: Repository) -> bool:
    return actor.repository_ids is None or repository.id in actor.repository_ids


def _basic_secret(encoded: str) -> str:
    try:
        user, _, password = base64.b64decode(encoded, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError) as error:
        raise bad_credentials() from error
    # `https://TOKEN@host/…` arrives with the token as the user and an empty password.
    return user if password in ("", "x-oauth-basic") else password
