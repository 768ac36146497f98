"""What the built-in agent is told before a limit ends its run."""

from action.agents.budget import Budget

NOTICE_ABOVE = 0.8


class LimitNotices:
    """Each limit is named once, when four fifths of it are used."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._told: set[str] = set()

    def due(self) -> str | None:
        near = {
            limit: share
            for limit, share in self._budget.shares().items()
            if share >= NOTICE_ABOVE and limit not in self._told
        }
        if not near:
            return None
        self._told |= near.keys()
        used = ", ".join(f"{share:.0%} of your {limit}" for limit, share in near.items())
        return (
            f"You have used {used}. Bring what is begun into a state that can be judged, run its "
            "tests, and end with DONE. Work that is left over can be done by another run."
        )
