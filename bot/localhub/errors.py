"""Errors in GitHub's form: a status, a message, and for validation the invalid fields.

Operations and routes raise `ApiError`; the Flask application turns it into JSON.
"""

from collections.abc import Sequence

from bot.localhub.github_json import Json

DOCUMENTATION_URL = "https://docs.github.com/rest"


class ApiError(Exception):
    """An error answer; `errors` is GitHub's list of validation failures."""

    def __init__(self, status: int, message: str, errors: Sequence[Json | str] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.errors = list(errors)

    def as_json(self) -> Json:
        """GitHub's error body."""
        body: Json = {"message": self.message}
        if self.errors:
            body["errors"] = list(self.errors)
        return {**body, "documentation_url": DOCUMENTATION_URL, "status": str(self.status)}


def not_found() -> ApiError:
    """404: it does not exist, or the caller may not see it."""
    return ApiError(404, "Not Found")


def bad_credentials() -> ApiError:
    """401: the token is unknown, expired or revoked."""
    return ApiError(401, "Bad credentials")


def not_accessible() -> ApiError:
    return ApiError(403, "Resource not accessible by integration")


def invalid(resource: str, field: str, code: str, message: str = "") -> ApiError:
    """422 with one invalid field; `code` is one of GitHub's (`missing`, `custom`, …)."""
    error: Json = {"resource": resource, "field": field, "code": code}
    if message:
        error["message"] = message
    return ApiError(422, "Validation Failed", [error])


def unprocessable(message: str) -> ApiError:
    return ApiError(422, message)
