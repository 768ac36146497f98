"""A bot, a GitHub and a model in one small threaded server on loopback.

It speaks the runner API, gives OIDC tokens, serves one git repository over HTTP to who has the
read token, and answers `/v1/messages` from a script, in the words of localhub's scripted model. It
keeps what it was told and can be made to fail. It imports nothing of the bot.
"""

import base64
import hashlib
import json
import os
import re
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from pydantic import JsonValue, TypeAdapter, ValidationError

from action.order import (
    AgentOrder,
    EventBatch,
    EventsAnswer,
    GateOrder,
    Heartbeat,
    HeartbeatAnswer,
    LeaseGrant,
    LeaseRequest,
    ModelCredentials,
    Refusal,
    ToldWords,
)
from action.report import AgentReport, GateOrderReport, Report
from bot.localhub.model_server.conversation import Answer, RequestError, ToolCall
from bot.localhub.model_server.messages_api import (
    MessagesRequest,
    conversation_of,
    error_body,
    events,
    message,
)
from bot.localhub.model_server.script import StopReason
from bot.localhub.model_server.usage import Usage, without_usage

OIDC_BEARER = "gh-runtime-token-4711"
OIDC_TOKEN = "eyJ.oidc.token"
LEASE_TOKEN = "lease-token-0815"
READ_TOKEN = "ghs_readtoken123"
MODEL_KEY = "sk-real-model-key"
ORDER_ID = "order-1"
_REPORT: TypeAdapter[AgentReport | GateOrderReport] = TypeAdapter(Report)
_ARGUMENTS: TypeAdapter[dict[str, JsonValue]] = TypeAdapter(dict[str, JsonValue])


@dataclass(frozen=True)
class Call:
    """The model asks for a tool."""

    tool: str
    arguments: Mapping[str, object]


def bash(command: str) -> Call:
    """The model asks for a shell command."""
    return Call("bash", {"command": command})


def edit(command: str, path: str, **more: object) -> Call:
    """The model asks for an edit."""
    return Call("str_replace_based_edit_tool", {"command": command, "path": path, **more})


# Instead of a status: the answer breaks off in its middle.
BROKEN_OFF = 0
# One answer of the model: text and calls; or an HTTP status instead of an answer; or a whole stream.
Turn = Sequence[str | Call] | int | bytes


@dataclass
class FakeServer:
    """What is going to be answered, and what was asked."""

    url: str = ""
    repository: Path = Path()
    order: AgentOrder | GateOrder | None = None
    model_url: str | None = None
    model_key: str = MODEL_KEY
    refuse_lease: tuple[int, str] | None = None
    lease_json: Mapping[str, object] | None = None
    carry_on: bool = True
    heartbeat_seconds: int = 1
    script: list[Turn] = field(default_factory=list)
    tokens_a_turn: int = 100
    # What every answer says instead that it used, and how documents are laid out.
    usage: Usage | None = None
    # What it says with a status instead of an answer.
    refuses_because: str = "planted"
    tells_usage: bool = True
    indent: int | None = None
    # The model answers while this is set; `asks` is released by every question to it.
    answers: threading.Event = field(default_factory=threading.Event)
    asks: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    # Statuses to answer first, by the last part of the path ("report", "bundle", "lease" …).
    failures: dict[str, list[int]] = field(default_factory=dict)
    audiences: list[str] = field(default_factory=list)
    leases: list[LeaseRequest] = field(default_factory=list)
    beats: list[Heartbeat] = field(default_factory=list)
    # What people told the run, and what it said as it went.
    told: list[ToldWords] = field(default_factory=list)
    batches: list[EventBatch] = field(default_factory=list)
    bundles: list[bytes] = field(default_factory=list)
    reports: list[AgentReport | GateOrderReport] = field(default_factory=list)
    asked: list[dict[str, object]] = field(default_factory=list)
    model_headers: list[dict[str, str]] = field(default_factory=list)
    tries: list[str] = field(default_factory=list)
    asked_model: threading.Event = field(default_factory=threading.Event)
    asked_again: threading.Event = field(default_factory=threading.Event)

    @property
    def clone_url(self) -> str:
        """The repository, for those who have the read token."""
        return f"{self.url}/git/repo.git"

    @property
    def agent_report(self) -> AgentReport:
        """The one report of an agent order."""
        assert len(self.reports) == 1, self.reports
        report = self.reports[0]
        assert isinstance(report, AgentReport)
        return report

    @property
    def gate_report(self) -> GateOrderReport:
        """The one report of a gate order."""
        assert len(self.reports) == 1, self.reports
        report = self.reports[0]
        assert isinstance(report, GateOrderReport)
        return report


@contextmanager
def fake_server(repository: Path) -> Iterator[FakeServer]:
    """A server on a free port of loopback."""
    fake = FakeServer(repository=repository)
    fake.answers.set()

    class Bound(_Exchange):
        server_state = fake

    server = ThreadingHTTPServer(("127.0.0.1", 0), Bound)
    server.daemon_threads = True
    fake.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Exchange(BaseHTTPRequestHandler):
    server_state: FakeServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._route("GET")

    def do_POST(self) -> None:
        self._route("POST")

    def do_PUT(self) -> None:
        self._route("PUT")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing."""

    def _route(self, method: str) -> None:
        path = urlsplit(self.path).path
        body = self._body()
        last = path.rsplit("/", 1)[-1]
        self.server_state.tries.append(last)
        failures = self.server_state.failures.get(last)
        if failures:
            self._answer(failures.pop(0), Refusal(sentence="planted").model_dump_json())
        elif path == "/oidc":
            self._oidc()
        elif path == "/runner/lease":
            self._lease(body)
        elif match := re.fullmatch(
            r"/runner/orders/([^/]+)/(heartbeat|events|bundle|report)", path
        ):
            self._order(match[1], match[2], body)
        elif path.startswith("/git/"):
            self._git(method, path, body)
        elif path == "/v1/messages":
            self._model(body)
        else:
            self._answer(404, "{}")

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") == "chunked":
            read = b""
            while size := int(self.rfile.readline(), 16):
                read += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return read
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def _answer(self, status: int, body: str, kind: str = "application/json") -> None:
        raw = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def _oidc(self) -> None:
        if self.headers["Authorization"] != f"bearer {OIDC_BEARER}":
            self._answer(401, "{}")
            return
        self.server_state.audiences += parse_qs(urlsplit(self.path).query)["audience"]
        self._answer(200, json.dumps({"value": OIDC_TOKEN, "count": 1}))

    def _lease(self, body: bytes) -> None:
        state = self.server_state
        state.leases.append(LeaseRequest.model_validate_json(body))
        if state.refuse_lease is not None:
            status, sentence = state.refuse_lease
            self._answer(status, Refusal(sentence=sentence).model_dump_json())
            return
        if state.lease_json is not None:
            self._answer(200, json.dumps(state.lease_json))
            return
        assert state.order is not None
        model = ModelCredentials(base_url=state.model_url or state.url, api_key=state.model_key)
        grant = LeaseGrant(
            lease_token=LEASE_TOKEN,
            expires_at=datetime.now(UTC) + timedelta(minutes=5),
            heartbeat_seconds=state.heartbeat_seconds,
            order=state.order,
            model=model,
        )
        self._answer(200, grant.model_dump_json())

    def _order(self, order_id: str, what: str, body: bytes) -> None:
        state = self.server_state
        if self.headers["Authorization"] != f"Bearer {LEASE_TOKEN}" or order_id != ORDER_ID:
            self._answer(401, Refusal(sentence="No such lease.").model_dump_json())
        elif what == "events":
            batch = EventBatch.model_validate_json(body)
            state.batches.append(batch)
            answer_told = EventsAnswer(told=tuple(state.told[batch.heard :]))
            self._answer(200, answer_told.model_dump_json())
        elif what == "heartbeat":
            state.beats.append(Heartbeat.model_validate_json(body))
            answer = HeartbeatAnswer(carry_on=state.carry_on, sentence="The change was withdrawn.")
            self._answer(200, answer.model_dump_json())
        elif what == "bundle":
            state.bundles.append(body)
            self._answer(200, json.dumps({"sha256": hashlib.sha256(body).hexdigest()}))
        else:
            state.reports.append(_REPORT.validate_json(body))
            self._answer(200, "{}")

    def _git(self, method: str, path: str, body: bytes) -> None:
        pair = base64.b64encode(f"x-access-token:{READ_TOKEN}".encode()).decode()
        if self.headers.get("Authorization") != f"Basic {pair}":
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="git"')
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        environment = {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": str(self.server_state.repository.parent),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path.removeprefix("/git"),
            "QUERY_STRING": urlsplit(self.path).query,
            "REQUEST_METHOD": method,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
        }
        done = subprocess.run(
            ["git", "http-backend"], input=body, env=environment, capture_output=True, check=True
        )
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        self.send_response(int(headers.pop("Status", "200").split()[0]))
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _model(self, body: bytes) -> None:
        state = self.server_state
        state.asked.append(json.loads(body))
        state.model_headers.append({name.lower(): value for name, value in self.headers.items()})
        (state.asked_again if state.asked_model.is_set() else state.asked_model).set()
        state.asks.release()
        state.answers.wait(30)
        turn: Turn = state.script.pop(0) if state.script else ["DONE"]
        if turn == BROKEN_OFF:
            self._break_off()
            return
        if isinstance(turn, bytes):
            self._answer(200, turn.decode(), "text/event-stream")
            return
        if isinstance(turn, int):
            error = {
                "type": "error",
                "error": {"type": "api_error", "message": state.refuses_because},
            }
            self._answer(turn, json.dumps(error))
            return
        try:
            request = MessagesRequest.model_validate_json(body)
            conversation = conversation_of(request)
        except (ValidationError, RequestError) as error:
            self._answer(400, json.dumps(error_body("invalid_request_error", str(error))))
            return
        answer = _answer_of(turn)
        usage = state.usage or Usage(
            input=state.tokens_a_turn - 10, cache_read=0, cache_write=0, output=10
        )
        if not request.stream:
            document = message(answer, conversation, usage)
            told_whole = document if state.tells_usage else without_usage(document)
            self._answer(200, json.dumps(told_whole, indent=state.indent))
            return
        told = [
            (name, data if state.tells_usage else without_usage(data))
            for name, data in events(answer, conversation, usage)
        ]
        text = "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in told)
        self._answer(200, text, "text/event-stream")

    def _break_off(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", "100000")
        self.end_headers()
        self.wfile.write(b'event: ping\ndata: {"type": "ping"}\n\n')
        self.close_connection = True


def _answer_of(turn: Sequence[str | Call]) -> Answer:
    """A turn as localhub's model would say it."""
    calls = tuple(
        ToolCall(part.tool, _ARGUMENTS.validate_python(part.arguments))
        for part in turn
        if isinstance(part, Call)
    )
    return Answer(
        scene="the test's own",
        turn=1,
        text="".join(part for part in turn if isinstance(part, str)),
        calls=calls,
        stop_reason=StopReason.TOOL_USE if calls else StopReason.END_TURN,
        after_seconds=0.0,
        fault=None,
    )
