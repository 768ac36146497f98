"""How long one repository may hold a worker while others wait."""

from datetime import timedelta

from bot.core.values.ids import RepositoryId

# What is left is done in the next turn, after the jobs that wait. Less than a job may take.
TURN = timedelta(seconds=20)


class Turns:
    """The rounds that a repository had in turns which did not come to an end, in this process.

    Work that never comes to an end is a bug, and is told from much work by the number of rounds.
    """

    def __init__(self) -> None:
        self._rounds: dict[RepositoryId, int] = {}

    def begin(self, repository: RepositoryId) -> int:
        """How many rounds it had since it last came to an end, or was left for another reason."""
        return self._rounds.pop(repository, 0)

    def end_early(self, repository: RepositoryId, rounds: int) -> None:
        """Its turn is over, and there is something left."""
        self._rounds[repository] = rounds
