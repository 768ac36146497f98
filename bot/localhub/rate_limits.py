"""The primary rate limits: requests per hour and token, as GitHub counts them, and points of GraphQL.

The two are counted apart. Answers of 304 are not counted. The secondary limits are in `secondary_limits.py`.
"""

from dataclasses import dataclass
from datetime import timedelta

from bot.localhub.errors import ApiError
from bot.localhub.github_json import Json
from bot.localhub.model import Actor, TokenKind
from bot.localhub.state import State

# GitHub, "Rate limits for the REST API".
HOURLY: dict[TokenKind, int] = {
    TokenKind.ANONYMOUS: 60,
    TokenKind.APP_JWT: 5000,
    TokenKind.INSTALLATION: 5000,
    TokenKind.USER: 5000,
    TokenKind.JOB: 1000,
}


@dataclass
class _Window:
    reset_at: float
    used: int = 0


class RateLimits:
    def __init__(self, state: State) -> None:
        self._state = state
        self._windows: dict[tuple[str, str], _Window] = {}
        self.hourly = dict(HOURLY)

    def spend(self, actor: Actor) -> None:
        """Count a request; 403 if the hour's limit is reached."""
        with self._state.lock:
            window = self._window(actor)
            if window.used >= self.hourly[actor.kind]:
                raise ApiError(403, f"API rate limit exceeded for {_key(actor)}.")
            window.used += 1

    def spend_points(self, actor: Actor, points: int) -> None:
        """Count a query of GraphQL; raises `ApiError` where the hour's points are spent."""
        with self._state.lock:
            window = self._window(actor, "graphql")
            if window.used >= self.hourly[actor.kind]:
                raise ApiError(403, f"API rate limit already exceeded for {_key(actor)}.")
            window.used += points

    def refund(self, actor: Actor) -> None:
        with self._state.lock:
            window = self._window(actor)
            window.used = max(0, window.used - 1)

    def headers(self, actor: Actor) -> dict[str, str]:
        return {f"X-RateLimit-{key}": str(value) for key, value in self._figures(actor).items()}

    def overview(self, actor: Actor) -> Json:
        core = {key.lower(): value for key, value in self._figures(actor).items()}
        figures: Json = {key: value for key, value in core.items() if key != "resource"}
        return {"resources": {"core": figures, "search": figures}, "rate": figures}

    def _figures(self, actor: Actor) -> dict[str, int | str]:
        with self._state.lock:
            window = self._window(actor)
            limit = self.hourly[actor.kind]
            return {
                "Limit": limit,
                "Remaining": max(0, limit - window.used),
                "Reset": int(window.reset_at),
                "Used": window.used,
                "Resource": "core",
            }

    def _window(self, actor: Actor, resource: str = "core") -> _Window:
        now = self._state.now()
        key = (_key(actor), resource)
        window = self._windows.get(key)
        if window is None or window.reset_at <= now.timestamp():
            window = _Window((now + timedelta(hours=1)).timestamp())
            self._windows[key] = window
        return window


def _key(actor: Actor) -> str:
    if actor.installation is not None:
        return f"installation ID {actor.installation.id}"
    if actor.kind is TokenKind.JOB:
        return f"the job token {actor.token[-8:]}"
    if actor.account is not None:
        return f"user ID {actor.account.id}"
    return "127.0.0.1"
