"""The client of the runner API against a server that sends retry delays."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from action.halt import Halt
from action.harness.event_thread import EventThread
from action.harness.http_client import Answer
from action.harness.progress import Progress
from action.harness.server import ASKED_PAUSE_SECONDS_MAX, Refused, RunnerApi, Unreachable
from action.order import EventBatch, Heartbeat

LATER = "Tue, 24 Nov 2026 10:00:30 GMT"
NOW = "Tue, 24 Nov 2026 10:00:00 GMT"


class Waits(Halt):
    """Keeps how long it was asked to wait, and waits no time."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds: list[float] = []

    def wait(self, seconds: float) -> None:
        self.seconds.append(seconds)


class Server(ThreadingHTTPServer):
    """Gives the answers of a list, one a request: a status and `Retry-After`."""

    def __init__(self, answers: list[tuple[int, str]]) -> None:
        super().__init__(("127.0.0.1", 0), _Exchange)
        self.answers = answers
        self.asked = 0


class _Exchange(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", "0")))
        status, after = self.server.answers[min(self.server.asked, len(self.server.answers) - 1)]
        self.server.asked += 1
        self.send_response_only(status)
        self.send_header("Date", NOW)
        if after:
            self.send_header("Retry-After", after)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def server(*answers: tuple[int, str]) -> Iterator[tuple[Server, RunnerApi, Waits]]:
    running = Server(list(answers))
    thread = threading.Thread(target=running.serve_forever, daemon=True)
    thread.start()
    halt = Waits()
    try:
        url = f"http://127.0.0.1:{running.server_port}"
        yield running, RunnerApi(url, "order-1", halt, (1.0, 2.0, 4.0)), halt
    finally:
        running.shutdown()
        running.server_close()


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("", 1.0),
        ("7", 7.0),
        ("0", 1.0),
        ("86400", ASKED_PAUSE_SECONDS_MAX),
        (LATER, 30.0),
        (NOW, 1.0),
        ("soon", 1.0),
    ],
)
def test_the_client_waits_as_long_as_the_server_asks(
    status: int, said: str, seconds: float
) -> None:
    with server((status, said), (404, "")) as (_, api, halt):
        assert isinstance(api.lease("token"), Refused)
    assert halt.seconds == [seconds]


def test_delays_still_grow_if_the_server_asks_for_short_ones() -> None:
    with server((503, "3")) as (running, api, halt):
        assert isinstance(api.lease("token"), Unreachable)
    assert halt.seconds == [3.0, 3.0, 4.0]
    assert running.asked == 4


@pytest.mark.parametrize("status", [429, 503])
def test_a_heartbeat_that_comes_too_often_ends_no_run(status: int) -> None:
    with server((status, "5")) as (_, api, _):
        assert isinstance(api.heartbeat(Heartbeat()), Unreachable)


def test_events_wait_for_as_long_as_the_server_asks() -> None:
    progress = Progress(lambda _: None)
    progress.note("one")
    with server((429, "60")) as (running, api, _):
        said = api.events(EventBatch(lines=("one",)))
        assert said == Unreachable("the server answered 429", 60.0)
        with EventThread(api, progress, 0.03, ()):
            threading.Event().wait(0.3)
        assert running.asked == 2


@pytest.mark.parametrize("date", ["", "no date"])
def test_a_retry_date_without_the_servers_time_is_ignored(date: str) -> None:
    assert Answer(503, b"", date, LATER).wait_seconds == 0.0
