"""The webhook: 202 once a delivery is stored; 401, 413 or 400 with nothing stored.

It is plain WSGI in front of Flask, because most of a delivery's time would be Flask's.
"""

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from bot.core.state.webhook import BODY_BYTES_MAX
from bot.ports import Delivery
from bot.shell.intake import Accepted, accept
from bot.shell.process_ports import Ports

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_PATH = "/webhook"
_HEADER_LENGTH_MAX = 100


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


class WebhookEndpoint:
    """`POST /webhook`; any other request goes to `app`."""

    def __init__(self, app: "WSGIApplication", ports: Ports, secret: Callable[[], str]) -> None:
        self._app = app
        self._ports = ports
        self._secret = secret

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        if environ.get("PATH_INFO") != _PATH or environ["REQUEST_METHOD"] != "POST":
            return self._app(environ, start_response)
        accepted = self._receive(environ)
        if accepted in _REFUSED:
            status, sentence = _REFUSED[accepted]
            body = json.dumps({"message": sentence}).encode()
            headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
            start_response(status, headers)
            return [body]
        # GitHub reads only the status; a body would be a second packet for each delivery.
        start_response("202 Accepted", [("Content-Length", "0"), ("X-Headgate", accepted.value)])
        return ()

    def _receive(self, environ: "WSGIEnvironment") -> Accepted:
        length = environ.get("CONTENT_LENGTH") or "0"
        if not length.isdecimal():
            return Accepted.MALFORMED
        if int(length) > BODY_BYTES_MAX:
            return Accepted.TOO_LARGE
        if environ.get("CONTENT_TYPE", "").partition(";")[0].strip().lower() != "application/json":
            return Accepted.MALFORMED
        delivery = Delivery(
            id=environ.get("HTTP_X_GITHUB_DELIVERY", "")[:_HEADER_LENGTH_MAX],
            event=environ.get("HTTP_X_GITHUB_EVENT", "")[:_HEADER_LENGTH_MAX],
            body=environ["wsgi.input"].read(int(length)),
        )
        signature = environ.get("HTTP_X_HUB_SIGNATURE_256")
        return accept(self._ports, self._secret(), delivery, signature)
