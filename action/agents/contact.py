"""Whether the model answers a command agent: what became of its newest request."""

import re
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from action.agents.outcome import AgentOutcome
from action.report import AgentEnding, Obstacle
from action.sandbox.sandbox import ProxySocket

# What a server says for "not now"; from 500 on it says it of itself.
_NOT_NOW = frozenset({408, 409, 429})
# What only a person can repair: the key, the name of the model.
_REFUSED = frozenset({401, 403, 404})
# Only the words of an answer show that an account is spent: status and type are those of a malformed request.
_UNPAID = re.compile(r"credit balance|api usage limit", re.IGNORECASE)

# What may begin while an agent works.
_AT_ANY_TIME = frozenset({Obstacle.MODEL_AWAY, Obstacle.MODEL_UNPAID})


def obstacle_in(status: int, said: str = "") -> Obstacle | None:
    """What an answer's status says of the model; None where it says something of the request."""
    if status == 402 or (status == 400 and _UNPAID.search(said)):
        return Obstacle.MODEL_UNPAID
    if status in _REFUSED:
        return Obstacle.MODEL_REFUSED
    return Obstacle.MODEL_AWAY if status in _NOT_NOW or status >= 500 else None


def retry_after(headers: Mapping[str, str]) -> float | None:
    """After how many seconds the server wants to be asked again; None where it does not say."""
    said = headers.get("retry-after", "").strip()
    if not said:
        return None
    try:
        seconds = float(said)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(said).timestamp() - time.time()
        except ValueError:
            return None
    # Neither an infinity nor a time that is over.
    return seconds if 0 <= seconds < float("inf") else None


def deferred(
    obstacle: Obstacle, sentence: str, retry_after_seconds: float | None = None
) -> AgentOutcome:
    return AgentOutcome(
        AgentEnding.DEFERRED,
        sentence,
        obstacle=obstacle,
        retry_after_seconds=retry_after_seconds,
    )


@dataclass(frozen=True)
class ModelAccess:
    """The way of a command agent to the model (none without a proxy), and how its requests ended."""

    proxies: tuple[ProxySocket, ...]
    contact: "ModelContact"


class ModelContact:
    """The requests of one command agent, noted from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._has_answered = False
        self._trouble: AgentOutcome | None = None
        self._has_declined = False

    @property
    def trouble(self) -> AgentOutcome | None:
        """Why the newest request got no answer; None where it did, or where nothing was asked."""
        return self._trouble

    @property
    def has_declined(self) -> bool:
        """Whether the newest answer was that the model will not do it."""
        return self._has_declined

    def answered(self, declines: bool = False) -> None:
        """The model is there, whatever it said."""
        with self._lock:
            self._has_declined = declines
            self._has_answered = True
            self._trouble = None

    def failed(
        self, obstacle: Obstacle, sentence: str, retry_after_seconds: float | None = None
    ) -> None:
        """A request got no answer. Who was answered before was not refused as a whole."""
        with self._lock:
            if obstacle in _AT_ANY_TIME or not self._has_answered:
                self._trouble = deferred(obstacle, sentence, retry_after_seconds)
