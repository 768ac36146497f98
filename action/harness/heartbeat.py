"""The lease's heartbeat: a thread that renews the lease and hears when the server says stop.

On a stop or a refusal it requests a halt at once. In network trouble it keeps trying until the
lease has run out by this machine's monotonic clock, counted from the last answer.
"""

import threading
import time
from collections.abc import Callable
from typing import Self

from action.halt import Halt, HaltReason
from action.harness.server import Refused, RunnerApi
from action.order import Heartbeat, HeartbeatAnswer

# Three missed heartbeats end a lease (see `HEARTBEAT_SECONDS`).
MISSED_MAX = 3


class HeartbeatThread:
    """Sends what `beat` returns every `heartbeat_seconds` while the context is open."""

    def __init__(
        self, api: RunnerApi, heartbeat_seconds: float, halt: Halt, beat: Callable[[], Heartbeat]
    ) -> None:
        self._api = api
        self._heartbeat_seconds = heartbeat_seconds
        self._halt = halt
        self._beat = beat
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(self._heartbeat_seconds)

    def _run(self) -> None:
        answered_at = time.monotonic()
        while not self._over.wait(self._heartbeat_seconds):
            answer = self._api.heartbeat(self._beat())
            if self._over.is_set():
                return
            if isinstance(answer, HeartbeatAnswer) and answer.carry_on:
                answered_at = time.monotonic()
            elif isinstance(answer, HeartbeatAnswer):
                self._halt.ask(
                    HaltReason.TOLD_TO_STOP, answer.sentence or "The order is no longer needed."
                )
                return
            elif isinstance(answer, Refused):
                self._halt.ask(HaltReason.TOLD_TO_STOP, answer.sentence)
                return
            elif time.monotonic() - answered_at > MISSED_MAX * self._heartbeat_seconds:
                self._halt.ask(
                    HaltReason.LEASE_RAN_OUT,
                    f"The lease expired: the server did not answer {MISSED_MAX} heartbeats "
                    f"({answer.sentence}).",
                )
                return
