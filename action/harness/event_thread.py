"""Hands a run's events to the server as they come, and hears what people tell the run.

So the last seconds of a killed runner are all that is lost; a red gate is sent at once. The run does not
depend on it: if the server refuses events, no more are sent.
"""

import threading
import time
from typing import Self

from action.harness.progress import Progress
from action.harness.server import Refused, RunnerApi, Unreachable
from action.order import EventBatch, EventsAnswer, GateStatus
from action.redaction import redacted

# So often between two heartbeats, which are 15 s apart.
_TIMES_A_HEARTBEAT = 3
BATCH_CHARACTERS_MAX = 30_000
_LAST_BATCHES_MAX = 20


class EventThread:
    """Sends while the context is open, and what is left when it closes."""

    def __init__(
        self,
        api: RunnerApi,
        progress: Progress,
        heartbeat_seconds: float,
        secrets: tuple[str, ...],
    ) -> None:
        self._api = api
        self._progress = progress
        self._secrets = secrets
        self._listen_seconds = heartbeat_seconds
        self._seconds = heartbeat_seconds / _TIMES_A_HEARTBEAT
        self._listened_at = 0.0
        self._not_before = 0.0
        self._is_refused = False
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="events", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._progress.gates.urgent.set()
        self._thread.join(self._listen_seconds)

    def _run(self) -> None:
        urgent = self._progress.gates.urgent
        while not self._over.is_set():
            if urgent.wait(self._seconds):
                urgent.clear()
            if not self._over.is_set():
                self._hand_on()
        for _ in range(_LAST_BATCHES_MAX):
            if not self._hand_on():
                return

    def _hand_on(self) -> bool:
        events = self._progress.events
        first, lines = events.pending(BATCH_CHARACTERS_MAX)
        is_time = time.monotonic() - self._listened_at > self._listen_seconds
        if self._is_refused or not (lines or (is_time and not self._over.is_set())):
            return False
        if time.monotonic() < self._not_before:
            return False
        status = self._progress.status()
        batch = EventBatch(
            first=first,
            lines=tuple(redacted(line, self._secrets) for line in lines),
            status=status.replace(gates=tuple(self._redacted(one) for one in status.gates)),
            heard=events.heard,
        )
        answer = self._api.events(batch)
        self._is_refused = isinstance(answer, Refused)
        if isinstance(answer, Unreachable):
            self._not_before = time.monotonic() + answer.wait_seconds
        if not isinstance(answer, EventsAnswer):
            return False
        self._listened_at = time.monotonic()
        events.taken(first + len(lines))
        events.tell(answer.told)
        return True

    def _redacted(self, gate: GateStatus) -> GateStatus:
        return gate.replace(
            sentence=redacted(gate.sentence, self._secrets),
            log_tail=redacted(gate.log_tail, self._secrets),
        )
