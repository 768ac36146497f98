"""Who sits at a browser: the sessions of pages on which a person does something.

A person signs in with a login and a personal access token, which stands for the password here.
"""

import secrets

from bot.localhub.access import Access
from bot.localhub.errors import ApiError
from bot.localhub.model import Actor, TokenKind

COOKIE = "user_session"


class Sessions:
    def __init__(self, access: Access) -> None:
        self._access = access
        self._held: dict[str, Actor] = {}

    def sign_in(self, login: str, token: str) -> str:
        """The cookie of a new session; 401 for a token that is not this person's."""
        actor = self._access.actor_of_token(token)
        is_theirs = actor.account is not None and actor.account.login.lower() == login.lower()
        if actor.kind is not TokenKind.USER or not is_theirs:
            raise ApiError(401, "Incorrect username or password.")
        secret = secrets.token_hex(24)
        self._held[secret] = actor
        return secret

    def actor(self, cookie: str | None) -> Actor | None:
        return self._held.get(cookie or "")
