"""Mints installation tokens: one per repository and purpose, with no more than the purpose needs.

The rule: a token is good for one repository and one kind of deed, is kept in memory only, and is
minted by one thread while the others wait for it. Sources: REST, "Create an installation access
token for an app" (one hour of life); the permissions are those that the endpoints we use name.
"""

import threading
from collections.abc import Callable
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
    """What a token is for."""

    FIND = "find"
    LOOK = "look"
    TALK = "talk"
    REMARK = "remark"
    JUDGE = "judge"
    DISPATCH = "dispatch"
    PUSH = "push"


_PERMISSIONS: dict[Purpose, dict[str, str]] = {
    Purpose.FIND: {"metadata": "read"},
    Purpose.LOOK: {
        **{"metadata": "read", "contents": "read", "issues": "read"},
        **{"pull_requests": "read", "checks": "read", "actions": "read"},
    },
    Purpose.TALK: {
        **{"metadata": "read", "contents": "read"},
        **{"issues": "write", "pull_requests": "write"},
    },
    # Comments on commits belong to the contents.
    Purpose.REMARK: {"metadata": "read", "contents": "write"},
    Purpose.JUDGE: {"metadata": "read", "checks": "write"},
    Purpose.DISPATCH: {"metadata": "read", "actions": "write"},
    Purpose.PUSH: {"metadata": "read", "contents": "write"},
}


@dataclass
class _Slot:
    """Where the token of one repository and purpose is kept."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    minted: MintedToken | None = None


class AppTokens:
    """Tokens of one App. Safe for many threads; nothing of it is shared between processes."""

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
        """A JWT that speaks for the App itself, good for five minutes."""
        return self._app.create_jwt()

    def token_for(self, repository: RepositoryFacts, purpose: Purpose) -> str:
        """A token for one repository, good for five minutes or more."""
        return self._token(repository.installation_id, repository.id, purpose)

    def token_to_find(self, installation: InstallationId) -> str:
        """A token that can see which repositories the installation has, and nothing in them."""
        return self._token(installation, None, Purpose.FIND)

    def forget(self, token: str) -> None:
        """Do not give this token out again: GitHub did not take it."""
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
        body: dict[str, object] = {"permissions": _PERMISSIONS[what]}
        if repository is not None:
            body["repository_ids"] = [repository]
        path = f"/app/installations/{installation}/access_tokens"
        try:
            return read(MintedToken, self.api.send("POST", path, self.app_token(), body=body))
        except Refused as refused:
            # Not a `Refused`: what is absent here is the installation, not what was asked for.
            raise NotInstalled(
                "Headgate gets no token for this repository. It may not be installed there, or "
                f"its permissions may wait for a person's approval. {refused.sentence}"
            ) from refused


def _signed(claims: dict[str, int | str], private_key: str) -> str:
    return jwt.encode(claims, _loaded(private_key), algorithm="RS256")


# Reading a key checks its primes, which costs a hundred times more than signing with it.
@lru_cache(maxsize=4)
def _loaded(private_key: str) -> RSAPrivateKey:
    key = RSAAlgorithm(RSAAlgorithm.SHA256).prepare_key(private_key)
    if isinstance(key, RSAPublicKey):
        raise jwt.InvalidKeyError("This is a public key; an App signs with its private key.")
    return key


class NotInstalled(UserError):
    """The App is not installed there, is suspended, or lacks a permission."""
