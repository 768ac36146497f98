"""The table of failed requests, line by line."""

from datetime import UTC, datetime, timedelta

import pytest
import requests
from github import GithubException

from bot.adapters.github.classify import Refused, classify
from bot.ports import Retryable, UserError

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
RESET = str(int(NOW.timestamp()) + 90)
DATE = {"date": "Sun, 01 Mar 2026 12:00:30 GMT"}
SPENT = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": RESET}


def answer(status: int, message: str = "", **headers: str) -> GithubException:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return GithubException(status, {"message": message} if message else None, named)


def seconds(number: int) -> timedelta:
    return timedelta(seconds=number)


@pytest.mark.parametrize(
    ("failure", "after"),
    [
        (GithubException(403, {"message": "API rate limit exceeded"}, SPENT), seconds(90)),
        (GithubException(403, {"message": "API rate limit exceeded"}, SPENT | DATE), seconds(60)),
        (GithubException(429, {"message": "x"}, SPENT), seconds(90)),
        (answer(429, "Too many", retry_after="7"), seconds(7)),
        (answer(429, "Too many"), seconds(60)),
        (answer(403, "You have exceeded a secondary rate limit."), seconds(60)),
        (answer(403, "You have exceeded a secondary rate limit.", retry_after="13"), seconds(13)),
        (answer(403, "whatever", retry_after="13"), seconds(13)),
        (answer(403, "x", retry_after="Sun, 01 Mar 2026 12:05:00 GMT"), seconds(300)),
        (answer(422, "Validation Failed: was submitted too quickly"), seconds(60)),
        (answer(500), None),
        (answer(502, "Server Error"), None),
        (answer(503, "Busy", retry_after="30"), seconds(30)),
        (answer(408), None),
        (requests.Timeout("slow"), None),
        (requests.ConnectionError("reset"), None),
        (requests.exceptions.ChunkedEncodingError("cut"), None),
        (ValueError("no JSON"), None),
        (RuntimeError("Github server redirected from host a to b"), None),
        (answer(429, "x", retry_after="soon"), seconds(60)),
    ],
)
def test_rate_limits_and_server_errors_are_retryable(
    failure: Exception, after: timedelta | None
) -> None:
    meaning = classify(failure, NOW)
    assert isinstance(meaning, Retryable)
    assert meaning.after == after
    assert meaning.sentence


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 409, 410, 422, 451])
def test_refusals_are_not_retried(status: int) -> None:
    meaning = classify(answer(status, "Not so"), NOW)
    assert isinstance(meaning, Refused)
    assert meaning.status == status
    assert f"{status}: Not so" in meaning.sentence
    assert meaning.is_absence == (status in (404, 410))


def test_a_check_named_rate_limit_is_not_a_rate_limit() -> None:
    said = 'Repository rule violations found\n\nRequired status check "rate limit" is expected.'
    for status in (403, 422):
        assert isinstance(classify(answer(status, said), NOW), Refused)


def test_a_refusal_names_the_cause_and_the_missing_permission() -> None:
    failure = GithubException(
        422,
        {
            "message": "Validation Failed",
            "errors": [
                {"resource": "PullRequest", "code": "custom", "message": "A pull exists."},
                {"resource": "Issue", "field": "title", "code": "missing_field"},
                "plain words",
            ],
        },
        {},
    )
    sentence = str(classify(failure, NOW))
    for words in ("Validation Failed", "A pull exists.", "title missing_field", "plain words"):
        assert words in sentence
    needs = answer(
        403, "Resource not accessible", **{"X_Accepted_GitHub_Permissions": "issues=write"}
    )
    assert "needs issues=write" in str(classify(needs, NOW))


def test_an_unexpected_error_body_is_handled() -> None:
    for body in (None, "<html>", ["x"], {"message": 5}, {"data": "<html>Unicorn!</html>"}):
        assert isinstance(classify(GithubException(404, body, None), NOW), UserError)


def test_an_invalid_address_is_a_user_error() -> None:
    assert type(classify(requests.exceptions.InvalidURL("x"), NOW)) is UserError


@pytest.mark.parametrize(
    ("hour", "mend"),
    [
        ("11:50:00", "This machine's clock is 10 min 0 s ahead: set it"),
        ("12:10:00", "10 min 0 s behind"),
        ("12:00:30", "Check the App's key"),
    ],
)
def test_a_token_rejected_because_of_our_clock_names_the_clock(hour: str, mend: str) -> None:
    refused = answer(401, "'Issued at' claim", date=f"Sun, 01 Mar 2026 {hour} GMT")
    assert mend in str(classify(refused, NOW))
