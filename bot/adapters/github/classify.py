"""Maps a failed request to `UserError`, `Retryable` or `Limited`.

A rate limit is never a refusal, and a refusal is never tried again. A request that may or may not have
been carried out is `Retryable`; its caller reads before it sends it again. Sources: GitHub REST, "Rate
limits", "Troubleshooting"; RFC 9110 for Retry-After.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

import requests
from github import GithubException
from pydantic import ValidationError

from bot.adapters.github.shapes import AnswerPart
from bot.core.talk.setup_text import CLOCK_OFF_MAX, clock_fix
from bot.ports import Limited, Retryable, UserError

# "If the retry-after header is not present, wait for at least one minute" (REST, "Rate limits").
_SECONDARY_WAIT = timedelta(seconds=60)
_WAIT_MAX = timedelta(days=1)
_SECONDS = re.compile("[0-9]{1,10}")
_LIMITED = re.compile(
    r"rate limit|abuse detection|submitted too quickly|please wait a few minutes"
    r"|retry your request again later",
    re.IGNORECASE,
)
# What a team calls something: a required check may be named "rate limit".
_NAMED = re.compile(r'"[^"\n]*"')
_GONE = (404, 410)
# To a token that is signed for an id that no App has.
_NO_SUCH_APP = "Integration not found"
_TEMPORARY = (408, 425, 429)
_SENTENCE_CHARACTERS_MAX = 1_000


class Refused(UserError):
    """A response with a 4xx status that is no limit; `message` is GitHub's message."""

    def __init__(self, status: int, message: str, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.message = message

    @property
    def is_absence(self) -> bool:
        """Whether it does not exist, or we may not see it; GitHub answers 404 for both.

        And for an App that it does not know, which says nothing of what was asked for.
        """
        return self.status in _GONE and self.message != _NO_SUCH_APP


class _Complaint(AnswerPart):
    message: str = ""
    errors: list[object] = []


def classify(failure: Exception, now: datetime) -> UserError | Retryable:
    if isinstance(failure, GithubException):
        headers = {key.lower(): value for key, value in (failure.headers or {}).items()}
        return _of_answer(failure.status, _message_of(failure), headers, now)
    if isinstance(failure, requests.exceptions.InvalidURL | requests.exceptions.InvalidSchema):
        return UserError(f"GitHub's address is not valid: {failure}")
    if isinstance(failure, requests.Timeout):
        return Retryable("GitHub did not answer in time.")
    if isinstance(failure, requests.RequestException):
        return Retryable(f"GitHub cannot be reached: {type(failure).__name__}.")
    return Retryable(f"GitHub's answer cannot be read: {type(failure).__name__}.")


def _of_answer(
    status: int, message: str, headers: Mapping[str, str], now: datetime
) -> UserError | Retryable:
    sentence = f"GitHub answers {status}: {message or 'nothing'}"[:_SENTENCE_CHARACTERS_MAX]
    # Some endpoints answer 422 ("was submitted too quickly") for the secondary limit.
    is_too_quick = status == 422 and names_limit(message)
    if status == 429 or is_too_quick or (status == 403 and _is_limit(message, headers)):
        return Limited(sentence, _wait(headers, now) or _SECONDARY_WAIT)
    if status in _TEMPORARY or status >= 500:
        return Retryable(sentence, _wait(headers, now))
    if status == 401 and abs(ahead := _clock_ahead(headers, now)) > CLOCK_OFF_MAX:
        return Refused(status, message, f"{sentence}. {clock_fix(ahead)}")
    if status == 401:
        return Refused(status, message, f"{sentence}. Check the App's key and its installation.")
    if message == _NO_SUCH_APP:
        how = "No GitHub App has the id of this server: check HEADGATE_APP_ID and HEADGATE_GITHUB_API_URL."
        return Refused(status, message, f"{sentence}. {how}")
    needed = headers.get("x-accepted-github-permissions", "")
    if status == 403 and needed:
        return Refused(status, message, f"{sentence}. The App's installation needs {needed}.")
    return Refused(status, message, sentence)


def names_limit(message: str) -> bool:
    return _LIMITED.search(_NAMED.sub("", message)) is not None


def _clock_ahead(headers: Mapping[str, str], now: datetime) -> timedelta:
    theirs = _parse_date(headers.get("date", ""))
    return now - theirs if theirs else timedelta()


def _is_limit(message: str, headers: Mapping[str, str]) -> bool:
    return (
        "retry-after" in headers
        or headers.get("x-ratelimit-remaining") == "0"
        or names_limit(message)
    )


def retry_after(headers: Mapping[str, str], now: datetime) -> timedelta | None:
    """The wait that a `Retry-After` asks for; None without one."""
    return _wait(headers, now) if "retry-after" in headers else None


def _wait(headers: Mapping[str, str], now: datetime) -> timedelta | None:
    """The wait that the server asks for, by the server's own clock where its `Date` is known.

    Never longer than a day: what is no time of a server's would put the repository to rest for good.
    """
    asked = _asked_wait(headers, now)
    return None if asked is None else min(asked, _WAIT_MAX)


def _asked_wait(headers: Mapping[str, str], now: datetime) -> timedelta | None:
    server_now = _parse_date(headers.get("date", "")) or now
    retry_after = headers.get("retry-after", "")
    if _SECONDS.fullmatch(retry_after):
        return timedelta(seconds=int(retry_after))
    if until := _parse_date(retry_after):
        return max(until - server_now, timedelta(seconds=1))
    reset = headers.get("x-ratelimit-reset", "")
    if headers.get("x-ratelimit-remaining") == "0" and _SECONDS.fullmatch(reset):
        until = datetime.fromtimestamp(int(reset), UTC)
        return max(until - server_now, timedelta(seconds=1))
    return None


def _parse_date(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _message_of(failure: GithubException) -> str:
    """The message, followed by the details in `errors`."""
    try:
        complaint = _Complaint.model_validate(failure.data)
    except ValidationError:
        return ""
    details = [
        str(one.get("message") or " ".join(str(value) for value in one.values()))
        if isinstance(one, dict)
        else str(one)
        for one in complaint.errors
    ]
    return ": ".join([complaint.message.rstrip("."), *details])
