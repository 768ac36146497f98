"""The model proxy: lets a command agent ask the model without having the key.

It listens on a unix socket shown inside the sandbox and passes on `POST /v1/messages` and
`/v1/messages/count_tokens` (and answers `GET`/`HEAD /` itself), with the real key in place of the
agent's dummy. Answers stream through unchanged and are read along for their token usage; a request
that the budget does not admit is not passed on.
"""

import contextlib
import json
import socketserver
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
from pydantic import BaseModel, ConfigDict, ValidationError

from action.agents.budget import Admission, Budget, LimitReached
from action.agents.contact import ModelAccess, ModelContact, obstacle_in, retry_after, words_of
from action.agents.usage import UsageReader, upper_estimate
from action.order import ModelCredentials
from action.report import Obstacle
from action.sandbox.sandbox import ProxySocket

REQUEST_BYTES_MAX = 32 * 1024**2
UPSTREAM_TIMEOUT = httpx2.Timeout(30.0, read=600.0)
PATHS = ("/v1/messages", "/v1/messages/count_tokens")
# What the agent may set; everything about identity is ours.
HEADERS_PASSED_ON = ("content-type", "accept", "anthropic-version", "anthropic-beta", "user-agent")
HEADERS_PASSED_BACK = ("content-type", "request-id", "retry-after", "anthropic-version")
DUMMY_KEY = "headgate-proxy-adds-the-key"
# A stream that has begun with 200 may still end with an error.
_ERROR_EVENT = b"event: error"
_TAIL_BYTES = 4_096


@contextlib.contextmanager
def model_proxy(
    credentials: ModelCredentials, model: str, budget: Budget, folder: Path
) -> Iterator[ModelAccess]:
    """A proxy to the model, counted against `budget`; `model` is what the agent is told to ask."""
    folder.mkdir(mode=0o755)
    path = folder / "s"
    contact = ModelContact()
    with (
        httpx2.Client(base_url=credentials.base_url, timeout=UPSTREAM_TIMEOUT) as upstream,
        _Server(path, upstream, credentials, budget, contact) as server,
    ):
        path.chmod(0o666)
        thread = threading.Thread(target=server.serve_forever, name="model proxy", daemon=True)
        thread.start()
        try:
            env = {
                "ANTHROPIC_BASE_URL": "http://127.0.0.1:{port}",
                "ANTHROPIC_API_KEY": DUMMY_KEY,
                "ANTHROPIC_MODEL": model,
            }
            yield ModelAccess((ProxySocket(path, env),), contact)
        finally:
            budget.close()
            server.shutdown()
            thread.join()


class _Asked(BaseModel):
    """What a request to the model costs depends on this; the rest passes on unread."""

    model_config = ConfigDict(frozen=True)

    model: str = ""
    max_tokens: int = 0


class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    # An agent asks many things at once.
    request_queue_size = 128
    block_on_close = False

    def __init__(
        self,
        path: Path,
        upstream: httpx2.Client,
        credentials: ModelCredentials,
        budget: Budget,
        contact: ModelContact,
    ) -> None:
        super().__init__(str(path), _Exchange)
        self.upstream = upstream
        self.credentials = credentials
        self.budget = budget
        self.contact = contact


class _Exchange(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self._answer_root()

    def do_GET(self) -> None:
        self._answer_root()

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > REQUEST_BYTES_MAX:
            self._refuse(413, "A request needs a Content-Length of at most 32 MiB.")
            return
        body = self.rfile.read(int(length))
        asked = urlsplit(self.path)
        path = asked.path
        if path not in PATHS:
            sentence = f"{path} is not passed on; only {' and '.join(PATHS)} are."
            self.server.contact.failed(Obstacle.PROXY_REFUSED, f"The agent was refused: {sentence}")
            self._refuse(403, sentence)
            return
        # Built anew: a request line may name another host, and the key must not go there.
        target = f"{path}?{asked.query}" if asked.query else path
        admitted = self._admit(path, body)
        if isinstance(admitted, LimitReached):
            # A 400 is what clients do not send again.
            self._refuse(400, admitted.sentence)
            return
        try:
            with admitted or contextlib.nullcontext():
                self._pass_on(target, body, admitted)
        except httpx2.HTTPError as error:
            sentence = f"The model could not be reached: {type(error).__name__}: {error}"
            self.server.contact.failed(Obstacle.MODEL_AWAY, sentence)
            self.close_connection = True
            with contextlib.suppress(OSError):
                self._refuse(502, f"The model cannot be reached: {type(error).__name__}.")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing: the job's log is for people."""

    def _answer_root(self) -> None:
        if urlsplit(self.path).path != "/":
            self._refuse(404, "There is nothing here but the model.")
            return
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _admit(self, path: str, body: bytes) -> Admission | LimitReached | None:
        """None: the request is free of charge."""
        if path != PATHS[0]:
            return self.server.budget.over()
        try:
            asked = _Asked.model_validate_json(body)
        except ValidationError:
            # The model's server refuses it, too.
            asked = _Asked()
        upper = upper_estimate(len(body), max(0, asked.max_tokens))
        return self.server.budget.admit(asked.model, upper)

    def _pass_on(self, target: str, body: bytes, admitted: Admission | None) -> None:
        key = self.server.credentials.api_key
        headers = {name: self.headers[name] for name in HEADERS_PASSED_ON if name in self.headers}
        headers |= {"Authorization": f"Bearer {key}", "accept-encoding": "identity"}
        with self.server.upstream.stream("POST", target, content=body, headers=headers) as far:
            self.send_response(far.status_code)
            for name in HEADERS_PASSED_BACK:
                if name in far.headers:
                    self.send_header(name, far.headers[name])
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            reader = UsageReader(len(body))
            tail = b""
            try:
                for chunk in far.iter_bytes():
                    reader.feed(chunk)
                    tail = (tail + chunk)[-_TAIL_BYTES:]
                    self._write_chunk(chunk)
                self._note_answer(far, tail)
                self._write_chunk(b"")
            finally:
                # Only an answer costs something: neither an error nor a count does.
                if admitted is not None and far.is_success:
                    admitted.charge(reader.finish())

    def _note_answer(self, far: httpx2.Response, tail: bytes) -> None:
        """Before the agent hears its end: it may end itself at once."""
        words = words_of(tail)
        obstacle = obstacle_in(far.status_code, words)
        if obstacle is not None:
            sentence = f"The model's server answered {far.status_code}. {words}".rstrip()
            self.server.contact.failed(obstacle, sentence, retry_after(far.headers))
        elif tail.startswith(_ERROR_EVENT) or b"\n" + _ERROR_EVENT in tail:
            sentence = "An answer of the model broke off with an error."
            self.server.contact.failed(Obstacle.MODEL_AWAY, sentence)
        else:
            self.server.contact.answered()

    def _write_chunk(self, chunk: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        self.wfile.flush()

    def _refuse(self, status: int, sentence: str) -> None:
        error = {"type": "invalid_request_error", "message": f"headgate: {sentence}"}
        body = json.dumps({"type": "error", "error": error}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
