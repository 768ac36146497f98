"""What the session is doing, for heartbeats and for the job's log."""

from collections.abc import Callable

from action.agents.budget import Budget
from action.order import Heartbeat


class Progress:
    """Written by the main thread, read by the heartbeat's; each field is replaced whole."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._sentence = ""
        self._budget: Budget | None = None

    def note(self, sentence: str) -> None:
        """Log a sentence, and send it with the next heartbeats."""
        self._sentence = sentence
        self._say(sentence)

    def watch(self, budget: Budget) -> None:
        """From now on heartbeats carry this budget's turns and tokens."""
        self._budget = budget

    def beat(self) -> Heartbeat:
        budget = self._budget
        if budget is None:
            return Heartbeat(sentence=self._sentence)
        return Heartbeat(sentence=self._sentence, turns=budget.turns, tokens=budget.tokens.total)
