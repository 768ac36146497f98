"""A doorbell that rings from a thread, so that a caller never waits for Redis.

The thread coalesces the rings of a short time, because one ring costs as much as storing a
delivery. Rings that are lost when the process dies cost time only: the sweep finds unread
deliveries. Not for processes that fork: the child has the queue but no thread.
"""

import threading
from collections import deque
from typing import TypeVar

from bot.core.values.ids import EffectKey, RepositoryId
from bot.core.values.wanted_reading import Reading
from bot.ports import Doorbell

_Item = TypeVar("_Item")

# Too short for a person to notice; long enough for a hundred deliveries of a burst to share a ring.
_PAUSE_SECONDS = 0.05


class BackgroundDoorbell:
    def __init__(self, bell: Doorbell) -> None:
        self._bell = bell
        self._woken = threading.Event()
        self._deliveries: deque[str] = deque()
        self._repositories: deque[RepositoryId] = deque()
        self._pause = threading.Event()
        self._start = threading.Lock()
        self._thread: threading.Thread | None = None

    def ring_delivery(self, delivery_id: str) -> None:
        """Coalesced: one ring for all deliveries that wait when it is sent."""
        self._deliveries.append(delivery_id)
        self._wake()

    def ring_repository(self, repository: RepositoryId) -> None:
        self._repositories.append(repository)
        self._wake()

    def ring_prompt(self, repository: RepositoryId, effect: EffectKey) -> None:
        """Not queued: only workers ring for prompts, and they may wait."""
        self._bell.ring_prompt(repository, effect)

    def ring_reading(self, repository: RepositoryId, reading: Reading) -> None:
        self._bell.ring_reading(repository, reading)

    def ring_self_test(self, repository: RepositoryId, effect: EffectKey) -> None:
        self._bell.ring_self_test(repository, effect)

    def _wake(self) -> None:
        if self._thread is None:
            with self._start:
                if self._thread is None:
                    thread = threading.Thread(target=self._ring, name="doorbell", daemon=True)
                    thread.start()
                    self._thread = thread
        if not self._woken.is_set():
            self._woken.set()

    def _ring(self) -> None:
        while True:
            self._woken.wait()
            # Cleared before the queues are drained, so that a ring in between is not lost.
            self._woken.clear()
            newest = _drained(self._deliveries)[-1:]
            for delivery_id in newest:
                self._bell.ring_delivery(delivery_id)
            for repository in dict.fromkeys(_drained(self._repositories)):
                self._bell.ring_repository(repository)
            self._pause.wait(_PAUSE_SECONDS)


def _drained(queue: deque[_Item]) -> list[_Item]:
    return [queue.popleft() for _ in range(len(queue))]
