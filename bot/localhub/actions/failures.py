"""Errors of the Actions service, in GitHub's words.

The blueprint turns them into GitHub's error body. `status` is the HTTP status.
"""


class ActionsError(Exception):
    def __init__(self, status: int, message: str) -> None:
        self.status = status
        self.message = message
        super().__init__(message)


def not_found() -> ActionsError:
    """404: it does not exist, or the caller may not see it."""
    return ActionsError(404, "Not Found")
