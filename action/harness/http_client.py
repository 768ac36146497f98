"""One HTTP request and its answer, on the standard library.

An HTTP package would take longer to import than everything else that a gate order needs. Redirects
are never followed, because a bearer token must not go where it was not sent. Proxies come from
the environment (`HTTPS_PROXY`, `NO_PROXY`), certificates from the system.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http.client import HTTPException, HTTPResponse
from typing import IO
from urllib.request import (
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    UnknownHandler,
)

_USER_AGENT = "headgate-action"
_WAIT_SECONDS_MAX = 86_400.0


class NoAnswerError(Exception):
    """No whole answer came: no connection, a broken one, or a timeout."""


@dataclass(frozen=True)
class Answer:
    """Any status, 3xx to 5xx included; `date` and `retry_after` are headers of it."""

    status: int
    content: bytes
    date: str = ""
    retry_after: str = ""

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300

    @property
    def is_later(self) -> bool:
        return self.status >= 500 or self.status == 429

    @property
    def wait_seconds(self) -> float:
        """How long the server asks us to wait; 0 where it does not say."""
        try:
            if re.fullmatch("[0-9]+", self.retry_after):
                return min(float(self.retry_after), _WAIT_SECONDS_MAX)
            until = parsedate_to_datetime(self.retry_after)
            now = parsedate_to_datetime(self.date)
            return min(max(0.0, (until - now).total_seconds()), _WAIT_SECONDS_MAX)
        except (ValueError, TypeError, OverflowError):
            return 0.0


class HttpClient:
    """Sends requests to http and https addresses; may be used from several threads."""

    def __init__(self) -> None:
        self._opener = OpenerDirector()
        for handler in (
            ProxyHandler(),
            HTTPHandler(),
            HTTPSHandler(),
            UnknownHandler(),
            _PassEveryStatus(),
        ):
            self._opener.add_handler(handler)

    def send(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        content: bytes | IO[bytes] | None,
        timeout_seconds: float,
    ) -> Answer:
        """Send once; a file needs a `Content-Length` among the headers. Raises `NoAnswerError`."""
        try:
            request = Request(  # noqa: S310 (the opener knows http and https only)
                url, content, {"User-Agent": _USER_AGENT, **headers}, method=method
            )
            with self._opener.open(request, timeout=timeout_seconds) as response:
                said = response.headers
                return Answer(
                    response.status,
                    response.read(),
                    date=said.get("Date", ""),
                    retry_after=said.get("Retry-After", "").strip(),
                )
        # ValueError: that is no address.
        except (OSError, HTTPException, ValueError) as error:
            raise NoAnswerError(f"{type(error).__name__}: {error}") from error


class _PassEveryStatus(HTTPErrorProcessor):
    """Hands every answer on; urllib would make errors of some, and follow redirects."""

    def http_response(self, request: Request, response: HTTPResponse) -> HTTPResponse:
        return response

    https_response = http_response
