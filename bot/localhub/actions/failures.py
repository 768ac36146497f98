"""Refusals of the Actions service, as GitHub words them.

The blueprint turns them into GitHub's error body. `status` is the HTTP status.
"""


class ActionsError(Exception):
    """A request that GitHub would answer with an error."""

    def __init__(self, status: int, message: str) -> None:
        self.status = status
        self.message = message
        super().__init__(message)


def not_found() -> ActionsError:
    """What cannot be seen does not exist."""
    return ActionsError(404, "Not Found")
