"""A doorbell that is rung behind the caller's back, so that a door never waits for Redis.

One thread rings for all who asked since it last did, and then rests a moment, because a ring costs
as much as taking a delivery in. What it had not rung when the process died is
lost, which costs time and nothing else: the sweep finds what nobody has read. For processes that do
not fork; a child would have the rope without the thread.
"""

import threading
from collections import deque
from typing import TypeVar

from bot.core.values.ids import EffectKey, RepositoryId
from bot.ports import Doorbell

_Rung = TypeVar("_Rung")

# Shorter than a person notices, and long enough for twenty deliveries of a burst to share a ring.
_REST_SECONDS = 0.01


class BackgroundDoorbell:
    """Implements the port `Doorbell` over another one."""

    def __init__(self, bell: Doorbell) -> None:
        self._bell = bell
        self._wanted = threading.Event()
        self._deliveries: deque[str] = deque()
        self._repositories: deque[RepositoryId] = deque()
        self._questions: deque[tuple[RepositoryId, EffectKey]] = deque()
        self._rest = threading.Event()
        self._start = threading.Lock()
        self._thread: threading.Thread | None = None

    def ring_delivery(self, delivery_id: str) -> None:
        """Have a worker nudged to read deliveries: once for all that wait by then."""
        self._deliveries.append(delivery_id)
        self._want()

    def ring_repository(self, repository: RepositoryId) -> None:
        """Have a worker nudged to reconcile a repository."""
        self._repositories.append(repository)
        self._want()

    def ring_prompt(self, repository: RepositoryId, effect: EffectKey) -> None:
        """Have a worker nudged to ask a model: at once, for no door asks."""
        self._bell.ring_prompt(repository, effect)

    def _want(self) -> None:
        if self._thread is None:
            with self._start:
                if self._thread is None:
                    thread = threading.Thread(target=self._ring, name="doorbell", daemon=True)
                    thread.start()
                    self._thread = thread
        if not self._wanted.is_set():
            self._wanted.set()

    def _ring(self) -> None:
        while True:
            self._wanted.wait()
            # Cleared before the ropes are emptied: who asks in between is rung for once more.
            self._wanted.clear()
            newest = _emptied(self._deliveries)[-1:]
            for delivery_id in newest:
                self._bell.ring_delivery(delivery_id)
            for repository in dict.fromkeys(_emptied(self._repositories)):
                self._bell.ring_repository(repository)
            for question in dict.fromkeys(_emptied(self._questions)):
                self._bell.ring_prompt(*question)
            self._rest.wait(_REST_SECONDS)


def _emptied(rope: deque[_Rung]) -> list[_Rung]:
    return [rope.popleft() for _ in range(len(rope))]
