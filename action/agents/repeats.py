"""Tells an agent that goes round in a circle: the same call, the same answer, again and again."""

# Twice may be a check. An agent that goes on after it was told is ended by its limits.
TOLD_AT = 3


class Repeats:
    """Counts turns in a row that called the same with the same answer."""

    def __init__(self) -> None:
        self._last: object = None
        self._times = 0

    def due(self, turn: object) -> str | None:
        """What the model is to be told; `turn` is all that it called and was answered."""
        self._times = self._times + 1 if turn == self._last else 1
        self._last = turn
        if self._times % TOLD_AT:
            return None
        return (
            f"You have made the same call {self._times} times in a row, with the same answer. It will not "
            "change by itself. Read what it says, look at its cause, and try something else; or end with "
            "GIVE UP: and why."
        )
