"""The webhook: 202 once a delivery is stored; 401, 413, 400 or 503 with nothing stored.

After a 503 GitHub keeps the delivery, and the sweep asks for it again.

It is plain WSGI in front of Flask, because most of a delivery's time would be Flask's.
"""

import hashlib
import hmac
import json
import logging
import tempfile
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from bot.core.state.webhook import BODY_BYTES_MAX
from bot.ports import Delivery, Retryable
from bot.shell.intake import Accepted, accept
from bot.shell.process_ports import Ports

if TYPE_CHECKING:
    from _typeshed.wsgi import InputStream, StartResponse, WSGIApplication, WSGIEnvironment

log = logging.getLogger(__name__)

_PATH = "/webhook"
_HEADER_LENGTH_MAX = 100
_IN_MEMORY_BYTES = 1024**2
_PIECE_BYTES = 64 * 1024


_REFUSED = {
    Accepted.UNSIGNED: ("401 Unauthorized", "the signature is missing or wrong"),
    Accepted.TOO_LARGE: (
        "413 Request Entity Too Large",
        "the delivery is larger than GitHub sends",
    ),
    Accepted.MALFORMED: (
        "400 Bad Request",
        "not a delivery: event, GUID and a JSON object are required",
    ),
}

_AWAY = ("503 Service Unavailable", "the database does not answer; the delivery was not stored")


class _Outage:
    """One log line when the database goes away and one when it is back, however many come."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_on = False

    def met(self, why: str) -> None:
        with self._lock:
            if not self._is_on:
                log.warning("database_away", extra={"why": why})
            self._is_on = True

    def over(self) -> None:
        # Read without the lock, which most deliveries never take.
        if self._is_on:
            with self._lock:
                self._is_on = False
            log.warning("database_back")


def _answer(start_response: "StartResponse", status: str, sentence: str) -> Iterable[bytes]:
    body = json.dumps({"message": sentence}).encode()
    headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
    start_response(status, headers)
    return [body]


def _said(signature: str | None) -> bytes:
    return (signature or "").encode("utf-8", "replace")


class WebhookEndpoint:
    """`POST /webhook`; any other request goes to `app`."""

    def __init__(self, app: "WSGIApplication", ports: Ports, secret: Callable[[], str]) -> None:
        self._app = app
        self._ports = ports
        self._secret = secret
        self._outage = _Outage()

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        if environ.get("PATH_INFO") != _PATH or environ["REQUEST_METHOD"] != "POST":
            return self._app(environ, start_response)
        try:
            accepted = self._receive(environ)
        except Retryable as failure:
            self._outage.met(failure.sentence)
            return _answer(start_response, *_AWAY)
        self._outage.over()
        if accepted in _REFUSED:
            return _answer(start_response, *_REFUSED[accepted])
        # GitHub reads only the status; a body would be a second packet for each delivery.
        start_response("202 Accepted", [("Content-Length", "0"), ("X-Headgate", accepted.value)])
        return ()

    def _body(self, stream: "InputStream", length: int, signature: str | None) -> bytes | None:
        """A large body waits on the disk until its signature is known; None if it is wrong."""
        if length <= _IN_MEMORY_BYTES:
            return stream.read(length)
        summed = hmac.new(self._secret().encode(), digestmod=hashlib.sha256)
        with tempfile.TemporaryFile() as file:
            left = length
            while left and (piece := stream.read(min(left, _PIECE_BYTES))):
                left -= len(piece)
                summed.update(piece)
                file.write(piece)
            if not hmac.compare_digest(f"sha256={summed.hexdigest()}".encode(), _said(signature)):
                return None
            file.seek(0)
            return file.read()

    def _receive(self, environ: "WSGIEnvironment") -> Accepted:
        length = environ.get("CONTENT_LENGTH") or "0"
        if not length.isdecimal():
            return Accepted.MALFORMED
        if int(length) > BODY_BYTES_MAX:
            return Accepted.TOO_LARGE
        if environ.get("CONTENT_TYPE", "").partition(";")[0].strip().lower() != "application/json":
            return Accepted.MALFORMED
        signature = environ.get("HTTP_X_HUB_SIGNATURE_256")
        body = self._body(environ["wsgi.input"], int(length), signature)
        if body is None:
            return Accepted.UNSIGNED
        if len(body) != int(length):
            return Accepted.MALFORMED
        delivery = Delivery(
            id=environ.get("HTTP_X_GITHUB_DELIVERY", "")[:_HEADER_LENGTH_MAX],
            event=environ.get("HTTP_X_GITHUB_EVENT", "")[:_HEADER_LENGTH_MAX],
            body=body,
        )
        return accept(self._ports, self._secret(), delivery, signature)
