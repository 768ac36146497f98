"""Where the gates of an order stand, for those who watch it; a red one is worth telling at once."""

import threading
from collections.abc import Iterable

from action.order import GateStatus
from gates.result import GateDefinition, GateResult

# Many gates may be red at once, and a status is one request.
LOG_CHARACTERS_MAX = 4_000
_LOGS_MAX = 10
_SENTENCE_CHARACTERS_MAX = 500


class GateStatuses:
    """Written by the threads that judge, read by the one that sends."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, GateStatus] = {}
        # Set where the next batch should be sent at once; the sender clears it.
        self.urgent = threading.Event()

    def now(self) -> tuple[GateStatus, ...]:
        with self._lock:
            return tuple(self._known.values())

    def expect(self, gates: Iterable[GateDefinition]) -> None:
        with self._lock:
            self._known = {gate.name: GateStatus(gate=gate.name) for gate in gates}

    def begin(self, gate: str) -> None:
        with self._lock:
            self._known[gate] = GateStatus(gate=gate, is_running=True)

    def end(self, result: GateResult) -> None:
        """A gate has ended; the order's report may say more of it later."""
        is_red = result.is_red
        with self._lock:
            logs = sum(bool(one.log_tail) for one in self._known.values())
            self._known[result.gate] = GateStatus(
                gate=result.gate,
                ending=result.ending,
                sentence=result.sentence[:_SENTENCE_CHARACTERS_MAX],
                seconds=result.seconds,
                log_tail=result.log_tail[-LOG_CHARACTERS_MAX:]
                if is_red and logs < _LOGS_MAX
                else "",
            )
        if is_red:
            self.urgent.set()
