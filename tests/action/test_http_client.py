"""The harness's HTTP client when a server redirects, stops in the middle, or is unreachable."""

import io
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from action.harness.http_client import HttpClient, NoAnswerError

HEADERS = {"Authorization": "Bearer secret"}


class Server(ThreadingHTTPServer):
    """Remembers the paths, tokens and bodies of its requests."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Exchange)
        self.seen: list[tuple[str, str | None, bytes]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Exchange(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self.server.seen.append((self.path, self.headers.get("Authorization"), body))
        match self.path:
            case "/redirects":
                self.send_response(302)
                self.send_header("Location", "/elsewhere")
                self.end_headers()
            case "/breaks-off":
                self.send_response(200)
                self.send_header("Content-Length", "100")
                self.end_headers()
                self.wfile.write(b"half")
            case "/refuses":
                self.send_response(409)
                self.end_headers()
                self.wfile.write(b"no")
            case _:
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"yes")

    def do_PUT(self) -> None:
        self.do_GET()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing."""


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def test_redirects_are_not_followed(server: Server) -> None:
    answer = HttpClient().send("GET", f"{server.url}/redirects", HEADERS, None, 10)

    assert answer.status == 302
    assert not answer.is_success
    assert server.seen == [("/redirects", "Bearer secret", b"")]


def test_a_refusal_is_an_answer_with_its_text(server: Server) -> None:
    answer = HttpClient().send("GET", f"{server.url}/refuses", HEADERS, None, 10)

    assert (answer.status, answer.content) == (409, b"no")


def test_a_file_is_sent_whole(server: Server) -> None:
    content = b"x" * 300_000
    headers = {"Content-Type": "application/octet-stream", "Content-Length": str(len(content))}

    answer = HttpClient().send("PUT", f"{server.url}/bundle", headers, io.BytesIO(content), 10)

    assert (answer.status, answer.content) == (200, b"yes")
    assert server.seen == [("/bundle", None, content)]


def test_a_truncated_response_is_an_error(server: Server) -> None:
    with pytest.raises(NoAnswerError, match="IncompleteRead"):
        HttpClient().send("GET", f"{server.url}/breaks-off", HEADERS, None, 10)


def test_an_unreachable_server_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]

    with pytest.raises(NoAnswerError, match="refused"):
        HttpClient().send("GET", f"http://127.0.0.1:{port}/", HEADERS, None, 10)


@pytest.mark.parametrize("url", ["file:///etc/hosts", "ftp://127.0.0.1/x", "data:,x"])
def test_only_http_addresses_are_opened(url: str) -> None:
    with pytest.raises(NoAnswerError, match="unknown url type"):
        HttpClient().send("GET", url, HEADERS, None, 10)


@pytest.mark.parametrize("url", ["nonsense/healthz", "https://[::1", "ftp://127.0.0.1/", ""])
def test_an_invalid_address_is_an_error(url: str) -> None:
    with pytest.raises(NoAnswerError):
        HttpClient().send("GET", url, {}, None, 1)
