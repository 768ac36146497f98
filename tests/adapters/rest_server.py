"""A server that gives prepared answers and records requests, for GitHub's rare answers."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, object]


@dataclass
class Answer:
    """`status` 0 closes the connection without an answer; a `body` that is a string is sent as it is."""

    status: int = 200
    body: object = None
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class RestServer:
    """Gives the answers of each `METHOD /path` in order; the last one is repeated."""

    url: str = ""
    answers: dict[str, list[Answer]] = field(default_factory=dict)
    asked: list[Request] = field(default_factory=list)

    def answer(self, key: str, *answers: Answer) -> None:
        """Set the answers of a `METHOD /path`."""
        self.answers[key] = list(answers)

    def requests_to(self, key: str) -> list[Request]:
        """The requests for a `METHOD /path`."""
        return [one for one in self.asked if f"{one.method} {one.path.split('?')[0]}" == key]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # A client may close a kept connection; that error is not printed.
    block_on_close = False


@contextmanager
def rest_server() -> Iterator[RestServer]:
    server = RestServer()

    class Connection(BaseHTTPRequestHandler):
        def _any(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            raw = self.rfile.read(length)
            body = json.loads(raw) if raw else {}
            headers = {key.lower(): value for key, value in self.headers.items()}
            server.asked.append(Request(self.command, self.path, headers, body))
            waiting = server.answers.get(f"{self.command} {self.path.split('?')[0]}", [])
            answer = (waiting.pop(0) if len(waiting) > 1 else waiting[0]) if waiting else None
            self._send(answer or Answer(404, {"message": "Not Found"}))

        def _send(self, answer: Answer) -> None:
            self.close_connection = True
            if answer.status == 0:
                return
            said = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
            raw = b"" if answer.body is None else said.encode()
            self.send_response(answer.status)
            for key, value in {**answer.headers, "Content-Length": str(len(raw))}.items():
                self.send_header(key, value)
            self.end_headers()
            self.wfile.write(raw)

        do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = _any  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Log nothing."""

    with _Server(("127.0.0.1", 0), Connection) as listening:
        server.url = f"http://127.0.0.1:{listening.server_address[1]}"
        thread = threading.Thread(target=listening.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server
        finally:
            listening.shutdown()
            thread.join()
