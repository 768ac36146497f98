"""What the session is doing, for heartbeats, for those who watch it, and for the job's log."""

from collections.abc import Callable

from action.agents.budget import Budget
from action.agents.event_log import EventLog
from action.harness.fingerprint import FingerprintWatch
from action.harness.gate_statuses import GateStatuses
from action.order import Heartbeat, RunStatus


class Progress:
    """Written by the main thread, read by those that send; each field is replaced whole."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._sentence = ""
        self._budget: Budget | None = None
        self._fingerprint: FingerprintWatch | None = None
        self.events = EventLog()
        self.gates = GateStatuses()

    def note(self, sentence: str) -> None:
        """Log a sentence, and send it with the next heartbeats."""
        self._sentence = sentence
        self._say(sentence)
        self.events.note("harness", sentence)

    def step(self, sentence: str) -> None:
        """The same for a call of the agent's, which is an event already."""
        self._sentence = sentence
        self._say(sentence)

    def watch(self, budget: Budget) -> None:
        self._budget = budget

    def follow(self, fingerprint: FingerprintWatch) -> None:
        self._fingerprint = fingerprint

    def beat(self) -> Heartbeat:
        budget = self._budget
        if budget is None:
            return Heartbeat(sentence=self._sentence)
        return Heartbeat(sentence=self._sentence, turns=budget.turns, tokens=budget.tokens.total)

    def status(self) -> RunStatus:
        budget = self._budget
        status = RunStatus(
            sentence=self._sentence, last_tool=self.events.last_tool, gates=self.gates.now()
        )
        if self._fingerprint is not None:
            status = status.replace(fingerprint=self._fingerprint.now())
        if budget is None:
            return status
        return status.replace(
            turns=budget.turns, tokens=budget.tokens.total, dollars=budget.dollars
        )
