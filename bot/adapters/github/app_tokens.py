"""Creates installation tokens: one per repository and purpose, with the least permissions for it.

Tokens are kept in memory only. One thread creates a token while the others wait for it. Source: REST,
"Create an installation access token for an app" (a token lives one hour).
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey
from github import Auth
from jwt.algorithms import RSAAlgorithm

from bot.adapters.github.api import Api
from bot.adapters.github.classify import Refused
from bot.adapters.github.shapes import MintedToken, read
from bot.core.values.ids import InstallationId
from bot.core.values.repository import RepositoryFacts
from bot.ports import UserError

_RENEWED_BEFORE_EXPIRY = timedelta(minutes=5)


class Purpose(StrEnum):
    LIST = "list"
    READ = "read"
    ISSUES_AND_PULLS = "issues_and_pulls"
    THREADS = "threads"
    COMMIT_COMMENTS = "commit_comments"
    CHECK_RUNS = "check_runs"
    WORKFLOWS = "workflows"
    PUSH = "push"
    CONTENTS = "contents"
    HISTORY = "history"
    SETTINGS = "settings"
    STATUSES = "statuses"
    MERGE_QUEUE = "merge_queue"


_PERMISSIONS: dict[Purpose, dict[str, str]] = {
    Purpose.LIST: {"metadata": "read"},
    Purpose.READ: {
        **{"metadata": "read", "contents": "read", "issues": "read"},
        **{"pull_requests": "read", "checks": "read", "actions": "read"},
    },
    Purpose.ISSUES_AND_PULLS: {
        **{"metadata": "read", "contents": "read"},
        **{"issues": "write", "pull_requests": "write"},
    },
    # Resolving a thread of a review needs write access to contents, too.
    Purpose.THREADS: {"metadata": "read", "contents": "write", "pull_requests": "write"},
    # Comments on commits need write access to contents.
    Purpose.COMMIT_COMMENTS: {"metadata": "read", "contents": "write"},
    Purpose.CHECK_RUNS: {"metadata": "read", "checks": "write"},
    Purpose.WORKFLOWS: {"metadata": "read", "actions": "write"},
    Purpose.PUSH: {"metadata": "read", "contents": "write"},
    # Whether a runner gets its order must not wait for a permission that it does not need.
    Purpose.CONTENTS: {"metadata": "read", "contents": "read"},
    Purpose.HISTORY: {"metadata": "read", "contents": "read", "pull_requests": "read"},
}
# What Headgate does where an owner has granted it, and does without where not.
_OPTIONAL: dict[Purpose, dict[str, str]] = {
    Purpose.SETTINGS: {"metadata": "read", "administration": "read"},
    Purpose.STATUSES: {"metadata": "read", "statuses": "read"},
    Purpose.MERGE_QUEUE: {
        **{"metadata": "read", "contents": "write"},
        **{"pull_requests": "write", "merge_queues": "write"},
    },
}


_LEVELS = ("read", "write", "admin")


def app_permissions() -> dict[str, str]:
    """What the App needs: each permission at the highest level that a token asks for."""
    needed: dict[str, str] = {}
    for wanted in _PERMISSIONS.values():
        for name, level in wanted.items():
            needed[name] = max(needed.get(name, level), level, key=_LEVELS.index)
    return dict(sorted(needed.items()))


def missing_permissions(granted: Mapping[str, str]) -> tuple[str, ...]:
    """What an installation does not grant of all that Headgate's tokens ask for."""
    return tuple(
        f"{name}: {level}"
        for name, level in app_permissions().items()
        if granted.get(name) not in _LEVELS[_LEVELS.index(level) :]
    )


@dataclass
class _Slot:
    lock: threading.Lock = field(default_factory=threading.Lock)
    minted: MintedToken | None = None


class AppTokens:
    """Tokens of one App. Safe for many threads; processes share nothing."""

    def __init__(
        self,
        api: Api,
        app_id: int,
        private_key: str,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.api = api
        self.app_id = app_id
        self._app = Auth.AppAuth(app_id, sign_func=lambda claims: _signed(claims, private_key))
        self._now = now
        self._lock = threading.Lock()
        self._slots: dict[tuple[int, int | None, Purpose], _Slot] = {}

    def app_token(self) -> str:
        """A JWT for the App itself, valid for five minutes. Raises `UnreadableKey`."""
        try:
            return self._app.create_jwt()
        except (jwt.PyJWTError, ValueError, TypeError) as failure:
            raise UnreadableKey(type(failure).__name__) from failure

    def token_for(self, repository: RepositoryFacts, purpose: Purpose) -> str:
        """A token that is valid for at least five more minutes."""
        return self._token(repository.installation_id, repository.id, purpose)

    def token_to_list(self, installation: InstallationId) -> str:
        return self._token(installation, None, Purpose.LIST)

    def token_to_watch(self, installation: InstallationId) -> str:
        """A token that can read the contents of all the installation's repositories, and no more.

        Not for the ones that are asked about: GitHub refuses a token for many where one is gone.
        """
        return self._token(installation, None, Purpose.CONTENTS)

    def forget(self, token: str) -> None:
        with self._lock:
            slots = list(self._slots.values())
        for slot in slots:
            with slot.lock:
                if slot.minted and slot.minted.token == token:
                    slot.minted = None

    def _token(self, installation: InstallationId, repository: int | None, what: Purpose) -> str:
        with self._lock:
            slot = self._slots.setdefault((installation, repository, what), _Slot())
        with slot.lock:
            minted = slot.minted
            if minted is None or minted.expires_at - self._now() < _RENEWED_BEFORE_EXPIRY:
                minted = slot.minted = self._mint(installation, repository, what)
            return minted.token

    def _mint(
        self, installation: InstallationId, repository: int | None, what: Purpose
    ) -> MintedToken:
        body: dict[str, object] = {"permissions": {**_PERMISSIONS, **_OPTIONAL}[what]}
        if repository is not None:
            body["repository_ids"] = [repository]
        path = f"/app/installations/{installation}/access_tokens"
        try:
            return read(MintedToken, self.api.send("POST", path, self.app_token(), body=body))
        except Refused as refused:
            # Not a `Refused`: a 404 here is about the installation, not about the caller's request.
            raise NotInstalled(
                "Headgate gets no token for this repository. It may not be installed there, or "
                f"its permissions may wait for a person's approval. {refused.sentence}"
            ) from refused


def _signed(claims: dict[str, int | str], private_key: str) -> str:
    return jwt.encode(claims, _loaded(private_key), algorithm="RS256")


# Loading a key checks its primes, which takes a hundred times longer than signing.
@lru_cache(maxsize=4)
def _loaded(private_key: str) -> RSAPrivateKey:
    key = RSAAlgorithm(RSAAlgorithm.SHA256).prepare_key(private_key)
    if isinstance(key, RSAPublicKey):
        raise jwt.InvalidKeyError("This is a public key, but an App needs its private key.")
    return key


class UnreadableKey(UserError):
    def __init__(self, detail: str) -> None:
        super().__init__(
            f"The App's private key is not an RSA key in PEM format ({detail}). Set "
            "HEADGATE_PRIVATE_KEY_FILE to the .pem file from GitHub."
        )
        self.detail = detail


class NotInstalled(UserError):
    """The App is not installed there, is suspended, or lacks a permission."""
