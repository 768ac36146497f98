"""A server that answers as it is told and notes what it was asked: for GitHub's worst answers."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Asked:
    """One request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, object]


@dataclass
class Answer:
    """One answer to give; `status` 0 hangs up without any, `body` a string is sent as it is."""

    status: int = 200
    body: object = None
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class RestServer:
    """Answers by `METHOD /path`, each list front to back; its last answer stays."""

    url: str = ""
    answers: dict[str, list[Answer]] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)

    def answer(self, key: str, *answers: Answer) -> None:
        """Answer a `METHOD /path` so from now on."""
        self.answers[key] = list(answers)

    def requests_to(self, key: str) -> list[Asked]:
        """What came for a `METHOD /path`."""
        return [one for one in self.asked if f"{one.method} {one.path.split('?')[0]}" == key]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # A client that is done may hang up on a kept connection; that is no error worth printing.
    block_on_close = False


@contextmanager
def rest_server() -> Iterator[RestServer]:
    """The server, in a thread, for as long as the context lasts."""
    server = RestServer()

    class Connection(BaseHTTPRequestHandler):
        def _any(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            raw = self.rfile.read(length)
            body = json.loads(raw) if raw else {}
            headers = {key.lower(): value for key, value in self.headers.items()}
            server.asked.append(Asked(self.command, self.path, headers, body))
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
            """Say nothing."""

    with _Server(("127.0.0.1", 0), Connection) as listening:
        server.url = f"http://127.0.0.1:{listening.server_address[1]}"
        thread = threading.Thread(target=listening.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server
        finally:
            listening.shutdown()
            thread.join()
