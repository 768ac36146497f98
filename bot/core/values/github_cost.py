"""What a request costs in GitHub's budgets.

GitHub, "Rate limits for the REST API": things created that people are notified of, points (a read
one, a write five), and requests are counted separately.
"""

from bot.core.values.ids import Frozen

READ_POINTS = 1
WRITE_POINTS = 5


class Cost(Frozen):
    """An amount of each budget: content created, points, and requests."""

    content: int = 0
    points: int = 0
    requests: int = 0

    def times(self, count: int) -> "Cost":
        return Cost(
            content=self.content * count,
            points=self.points * count,
            requests=self.requests * count,
        )


# Creates something that people are notified of: an issue, a link, a comment, a pull.
CREATE = Cost(content=1, points=WRITE_POINTS, requests=1)
WRITE = Cost(points=WRITE_POINTS, requests=1)
# Sends nothing to GitHub's API. What is only read is counted after it was read; git is not counted.
NO_COST = Cost()
