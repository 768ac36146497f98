"""The runner API of the bot, as a client: lease, heartbeat, bundle, report.

Bundle, report and lease request are idempotent on the server, so they are sent again after a 5xx, a 429 or
a broken connection, a bounded number of times with growing pauses, or those that the server asks for.
Refusals (4xx) are values with the server's own sentence. Redirects are never followed, because
the bearer token must not go where the server was not asked for.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from action.halt import Halt
from action.harness.http_client import Answer, HttpClient, NoAnswerError
from action.order import (
    ORDER_VERSION,
    EventBatch,
    EventsAnswer,
    Heartbeat,
    HeartbeatAnswer,
    LeaseGrant,
    LeaseRequest,
    Refusal,
)
from action.report import AgentReport, GateOrderReport

PAUSES_SECONDS = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
# Longer a runner is not occupied by nothing.
ASKED_PAUSE_SECONDS_MAX = 120.0
ANSWER_TIMEOUT_SECONDS = 30.0
# A bundle of 50 MiB over a slow line.
UPLOAD_TIMEOUT_SECONDS = 300.0


@dataclass(frozen=True)
class Refused:
    """The server refused; sending again does not help."""

    status: int
    sentence: str


@dataclass(frozen=True)
class Unreachable:
    """No usable answer, after all retries; the server asks for so long a pause."""

    sentence: str
    wait_seconds: float = 0.0


class _BundleAnswer(BaseModel):
    model_config = ConfigDict(frozen=True)

    sha256: str


_Shape = TypeVar("_Shape", bound=BaseModel)


class RunnerApi:
    """One order's requests to the bot. Heartbeats may come from another thread."""

    def __init__(
        self, url: str, order_id: str, halt: Halt, pauses_seconds: tuple[float, ...]
    ) -> None:
        self._order_id = order_id
        self._halt = halt
        self._pauses_seconds = pauses_seconds
        self._url = url.rstrip("/")
        self._http = HttpClient()
        self._headers: dict[str, str] = {}

    def lease(self, oidc_token: str) -> LeaseGrant | Refused | Unreachable:
        """Trade the OIDC token for the order; later calls carry the lease's own token."""
        asked = LeaseRequest(order_id=self._order_id, oidc_token=oidc_token)
        answer = self._send("POST", "/runner/lease", asked.model_dump_json().encode())
        if not isinstance(answer, Answer):
            return answer
        try:
            grant = LeaseGrant.model_validate_json(answer.content)
        except ValidationError as error:
            return _unreadable_grant(answer.content, error)
        if {grant.version, grant.order.version} != {ORDER_VERSION}:
            return _version_refusal(grant.order.version)
        self._headers["Authorization"] = f"Bearer {grant.lease_token}"
        return grant

    def heartbeat(self, beat: Heartbeat) -> HeartbeatAnswer | Refused | Unreachable:
        """Sent once, because the next one follows anyway."""
        path = f"/runner/orders/{self._order_id}/heartbeat"
        return _read(HeartbeatAnswer, self._posted_once(path, beat), "a heartbeat")

    def events(self, batch: EventBatch) -> EventsAnswer | Refused | Unreachable:
        """Sent once: what was not taken is in the next batch."""
        path = f"/runner/orders/{self._order_id}/events"
        return _read(EventsAnswer, self._posted_once(path, batch), "events")

    def upload_bundle(self, bundle: Path) -> str | Refused | Unreachable:
        """Hand the bundle back; the answer is its sha256 as the server computed it."""
        path = f"/runner/orders/{self._order_id}/bundle"
        read = _read(_BundleAnswer, self._send("PUT", path, bundle), "the bundle")
        return read.sha256 if isinstance(read, _BundleAnswer) else read

    def report(self, report: AgentReport | GateOrderReport) -> Refused | Unreachable | None:
        """Hand the report back; None where the server has it."""
        path = f"/runner/orders/{self._order_id}/report"
        answer = self._send("POST", path, report.model_dump_json().encode())
        return None if isinstance(answer, Answer) else answer

    def _send(
        self, method: str, path: str, content: bytes | Path
    ) -> Answer | Refused | Unreachable:
        sentence = ""
        for pause in (*self._pauses_seconds, None):
            asked = 0.0
            try:
                answer = self._send_once(method, path, content)
            except NoAnswerError as error:
                sentence = str(error)
            else:
                if answer.is_success:
                    return answer
                if not answer.is_later:
                    return _refused(answer)
                sentence = f"the server answered {answer.status}"
                asked = _asked_pause(answer)
            if pause is not None:
                self._halt.wait(max(pause, asked))
        return Unreachable(f"{method} {path}: {sentence}")

    def _posted_once(self, path: str, body: BaseModel) -> Answer | Refused | Unreachable:
        try:
            answer = self._send_once("POST", path, body.model_dump_json().encode())
        except NoAnswerError as error:
            return Unreachable(str(error))
        if answer.is_later:
            return Unreachable(f"the server answered {answer.status}", _asked_pause(answer))
        return _refused(answer) if answer.status >= 400 else answer

    def _send_once(self, method: str, path: str, content: bytes | Path) -> Answer:
        url = self._url + path
        if isinstance(content, bytes):
            headers = {**self._headers, "Content-Type": "application/json"}
            return self._http.send(method, url, headers, content, ANSWER_TIMEOUT_SECONDS)
        headers = {
            **self._headers,
            "Content-Type": "application/octet-stream",
            "Content-Length": str(content.stat().st_size),
        }
        with content.open("rb") as file:
            return self._http.send(method, url, headers, file, UPLOAD_TIMEOUT_SECONDS)


def _read(
    shape: type[_Shape], answer: Answer | Refused | Unreachable, asked: str
) -> _Shape | Refused | Unreachable:
    if not isinstance(answer, Answer):
        return answer
    try:
        return shape.model_validate_json(answer.content)
    except ValidationError:
        return Unreachable(f"the server's answer to {asked} could not be read")


def _asked_pause(answer: Answer) -> float:
    return min(answer.wait_seconds, ASKED_PAUSE_SECONDS_MAX)


def _refused(answer: Answer) -> Refused:
    try:
        sentence = Refusal.model_validate_json(answer.content).sentence
    except ValidationError:
        sentence = f"The server answered {answer.status} without a reason."
    return Refused(answer.status, sentence)


def _unreadable_grant(content: bytes, error: ValidationError) -> Refused:
    """An unreadable order is most often of a newer version."""
    try:
        raw = json.loads(content)
        version = raw["order"]["version"]
    except (ValueError, KeyError, TypeError):
        version = None
    if isinstance(version, int) and version != ORDER_VERSION:
        return _version_refusal(version)
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return Refused(0, f"The order could not be read ({where}: {first['msg']}).")


def _version_refusal(version: int) -> Refused:
    older = "the headgate action on this runner" if version > ORDER_VERSION else "the server"
    return Refused(
        0,
        f"The server sent an order of version {version}; this action reads version "
        f"{ORDER_VERSION}. Upgrade {older}.",
    )
