"""The model proxy: lets a command agent ask the model without having the key.

It listens on a unix socket shown inside the sandbox and passes on what `action.model_request` lists
(and answers `GET`/`HEAD /` itself), with the real key in place of the agent's dummy. Answers stream
through unchanged and are read along for their token usage; a request that the budget does not admit
is not passed on. What it refuses it refuses with a sentence for the agent.
"""

import contextlib
import re
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import urlsplit

import httpx2

from action.agents.budget import Admission, Budget, LimitReached
from action.agents.contact import ModelAccess, ModelContact, obstacle_in, retry_after
from action.agents.usage import UsageReader, upper_estimate
from action.harness.sandbox_socket_server import SandboxSocketServer
from action.model_headers import HEADERS_PASSED_BACK, headers_to_send
from action.model_request import (
    DECLINES,
    ERROR_EVENTS,
    NO_RESPONSES,
    REQUEST_BYTES_MAX,
    ModelApi,
    ModelRequest,
    RefusedRequest,
    api_of,
    error_body,
    judge_request,
    lacks_responses,
    may_lack,
    target_of,
    words_of,
)
from action.order import ModelCredentials
from action.report import Obstacle
from action.sandbox.sandbox import ProxySocket

UPSTREAM_TIMEOUT = httpx2.Timeout(30.0, read=600.0)
# For the agent's next bytes: one that stops in the middle of a body does not keep its place.
_AGENT_SECONDS = 60
# However many requests an agent sends at once, so many are in memory; the others wait.
BODIES_MAX = 4
_PIECE_BYTES = 64 * 1024
DUMMY_KEY = "headgate-proxy-adds-the-key"
_TAIL_BYTES = 4_096
# What is looked for in an answer is shorter than this, and may lie across two pieces of it.
_SEAM_BYTES = 256


@contextlib.contextmanager
def model_proxy(
    credentials: ModelCredentials,
    model: str,
    budget: Budget,
    folder: Path,
    helpers: tuple[str, ...] = (),
) -> Iterator[ModelAccess]:
    """A proxy to the model, counted against `budget`.

    `model` is what the agent is told to ask; `helpers` it may ask, too, the first for small things.
    """
    folder.mkdir(mode=0o755)
    path = folder / "s"
    with (
        httpx2.Client(base_url=credentials.base_url, timeout=UPSTREAM_TIMEOUT) as upstream,
        _Server(path, upstream, credentials.api_key, budget, (model, *helpers)) as server,
    ):
        path.chmod(0o666)
        thread = threading.Thread(target=server.serve_forever, name="model proxy", daemon=True)
        thread.start()
        try:
            yield ModelAccess((ProxySocket(path, _told(model, helpers)),), server.contact)
        finally:
            budget.close()
            server.shutdown()
            thread.join()


def _told(model: str, helpers: tuple[str, ...]) -> dict[str, str]:
    """What agents' programs read: where the model is, and which to ask for what."""
    small = helpers[0] if helpers else model
    return {
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:{port}",
        "ANTHROPIC_API_KEY": DUMMY_KEY,
        "ANTHROPIC_MODEL": model,
        # Claude Code asks others for titles, summaries and its own helpers.
        "ANTHROPIC_DEFAULT_HAIKU_MODEL": small,
        "ANTHROPIC_SMALL_FAST_MODEL": small,
        "ANTHROPIC_DEFAULT_SONNET_MODEL": model,
        "ANTHROPIC_DEFAULT_OPUS_MODEL": model,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "OPENAI_BASE_URL": "http://127.0.0.1:{port}/v1",
        "OPENAI_API_KEY": DUMMY_KEY,
    }


class _Server(SandboxSocketServer):
    def __init__(
        self,
        path: Path,
        upstream: httpx2.Client,
        key: str,
        budget: Budget,
        models: tuple[str, ...],
    ) -> None:
        super().__init__(path, _Exchange)
        self.upstream = upstream
        self.key = key
        self.budget = budget
        self.models = models
        self.contact = ModelContact()
        self.places = threading.Semaphore(BODIES_MAX)
        # A body that is read in takes many times its size: one at a time.
        self.reading = threading.Lock()

    def handle_error(self, request: object, client_address: object) -> None:
        """An agent that goes away in the middle writes nothing into the job's log."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Place:
    """A place in memory for one body, until it has been sent on."""

    def __init__(self, places: threading.Semaphore) -> None:
        self._places = places
        self._is_held = False

    def __enter__(self) -> "_Place":
        self._places.acquire()
        self._is_held = True
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_held:
            self._is_held = False
            self._places.release()

    def sent(self, body: bytes) -> Iterator[bytes]:
        """The body in pieces; afterwards it is in memory no more."""
        for start in range(0, len(body), _PIECE_BYTES):
            yield body[start : start + _PIECE_BYTES]
        del body
        self.__exit__()


@dataclass(frozen=True)
class _Prepared:
    """A request that may be sent; `admitted` is None for one that costs nothing."""

    body: bytes
    input_bytes: int
    admitted: Admission | None


class _Exchange(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    timeout = _AGENT_SECONDS

    def do_HEAD(self) -> None:
        self._answer_root()

    def do_GET(self) -> None:
        self._answer_root()

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,9}", length) or int(length) > REQUEST_BYTES_MAX:
            self.close_connection = True
            self._refuse(413, "A request must have a Content-Length of at most 32 MiB.")
            return
        path, query = self._asked()
        api = api_of(path)
        over = self.server.budget.over()
        if api is None:
            sentence = f"{path[:200]} is not allowed; only {', '.join(ModelApi)} are."
            self.server.contact.failed(
                Obstacle.PROXY_REFUSED, f"Headgate refused a request of the agent: {sentence}"
            )
            self._refuse(403, sentence)
            self._leave_unread(int(length))
        elif over is not None:
            # A 400 is what clients do not send again.
            self._refuse(400, over.sentence)
            self._leave_unread(int(length))
        else:
            # Built anew: a request line may name another host, and the key must not go there.
            self._ask(api, target_of(api, query), int(length))

    def _asked(self) -> tuple[str, str]:
        """The path and the query of the request; both empty if the address is malformed."""
        try:
            asked = urlsplit(self.path)
        except ValueError:
            return "", ""
        return asked.path, asked.query

    def _ask(self, api: ModelApi, target: str, length: int) -> None:
        with _Place(self.server.places) as place:
            asked = self._prepare(api, length)
            if isinstance(asked, str):
                self._refuse(400, asked)
                return
            headers = self._headers(len(asked.body))
            sent, size, admitted = place.sent(asked.body), asked.input_bytes, asked.admitted
            # From here on only `sent` has the body, and only until it is sent.
            del asked
            try:
                with (
                    admitted or contextlib.nullcontext(),
                    self.server.upstream.stream(
                        "POST", target, content=sent, headers=headers
                    ) as far,
                ):
                    if may_lack(api, far.status_code):
                        self._say_no_responses(far)
                    else:
                        self._pass_back(far, size, admitted)
            except httpx2.HTTPError as error:
                sentence = f"The model could not be reached: {type(error).__name__}: {error}"
                self.server.contact.failed(Obstacle.MODEL_AWAY, sentence)
                self.close_connection = True
                with contextlib.suppress(OSError):
                    self._refuse(502, f"The model cannot be reached: {type(error).__name__}.")

    def _prepare(self, api: ModelApi, length: int) -> _Prepared | str:
        """Read a request, judge it and reserve what it may cost; a sentence where it is refused."""
        body = self.rfile.read(length)
        with self.server.reading:
            judged = judge_request(api, body, self.server.models)
        if isinstance(judged, RefusedRequest):
            sentence = f"Headgate refused a request of the agent: {judged.sentence}"
            self.server.contact.failed(Obstacle.PROXY_REFUSED, sentence)
            return judged.sentence
        admitted = self._admit(judged)
        if isinstance(admitted, LimitReached):
            return admitted.sentence
        # Asked again, because those that it waited for have used something since.
        written = judged.written(self._answer_tokens_left(judged))
        if isinstance(written, RefusedRequest):
            with admitted or contextlib.nullcontext():
                return written.sentence
        return _Prepared(written, judged.input_bytes, admitted)

    def _admit(self, judged: ModelRequest) -> Admission | LimitReached | None:
        """None: the request is free of charge."""
        if judged.api is ModelApi.COUNT:
            return self.server.budget.over()
        longest = min(judged.answer_tokens, self._answer_tokens_left(judged))
        upper = upper_estimate(judged.input_bytes, longest)
        return self.server.budget.admit(judged.model, upper)

    def _answer_tokens_left(self, judged: ModelRequest) -> int:
        reading = upper_estimate(judged.input_bytes, 0)
        return self.server.budget.answer_tokens_left(judged.model, reading)

    def _headers(self, length: int) -> dict[str, str]:
        said = {name.lower(): value for name, value in self.headers.items()}
        betas = self.headers.get_all("anthropic-beta", ())
        headers = headers_to_send(said, betas, self.server.key)
        return headers | {"content-length": str(length)}

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing: the job's log is for people."""

    def _answer_root(self) -> None:
        if self._asked()[0] != "/":
            self._refuse(404, "Only the model can be reached here.")
            return
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _leave_unread(self, length: int) -> None:
        """Take a body off the wire that is not wanted, without keeping it."""
        while length > 0 and (piece := self.rfile.read(min(length, _PIECE_BYTES))):
            length -= len(piece)

    def _say_no_responses(self, far: httpx2.Response) -> None:
        """Name the missing Responses API, because the server's own words name something else."""
        said = far.read()
        sentence = NO_RESPONSES if lacks_responses(said) else words_of(said)
        self.server.contact.failed(Obstacle.MODEL_REFUSED, sentence)
        self._refuse(far.status_code, sentence)

    def _pass_back(self, far: httpx2.Response, size: int, admitted: Admission | None) -> None:
        self.send_response(far.status_code)
        for name in HEADERS_PASSED_BACK:
            if name in far.headers:
                self.send_header(name, far.headers[name])
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        reader = UsageReader(size)
        tail, has_failed, declines = b"\n", False, False
        try:
            for chunk in far.iter_bytes():
                reader.feed(chunk)
                new = tail[-_SEAM_BYTES:] + chunk
                has_failed = has_failed or any(event in new for event in ERROR_EVENTS)
                declines = declines or DECLINES.search(new) is not None
                tail = (tail + chunk)[-_TAIL_BYTES:]
                self._write_chunk(chunk)
            self._note_answer(far, tail, has_failed, declines)
        finally:
            # Only an answer costs something: neither an error nor a count does.
            if admitted is not None and far.is_success:
                admitted.charge(reader.finish())
        # Last, because with the end of the answer the agent may exit or send the next request.
        self._write_chunk(b"")

    def _note_answer(
        self, far: httpx2.Response, tail: bytes, has_failed: bool, declines: bool
    ) -> None:
        """Called before the agent gets the end of the answer, after which it may exit at once."""
        words = words_of(tail)
        obstacle = obstacle_in(far.status_code, words)
        if obstacle is not None:
            sentence = f"The model's server answered {far.status_code}. {words}".rstrip()
            self.server.contact.failed(obstacle, sentence, retry_after(far.headers))
        elif has_failed:
            sentence = "An answer of the model was interrupted by an error."
            self.server.contact.failed(Obstacle.MODEL_AWAY, sentence)
        else:
            self.server.contact.answered(declines)

    def _write_chunk(self, chunk: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        self.wfile.flush()

    def _refuse(self, status: int, sentence: str) -> None:
        body = error_body(sentence)
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
