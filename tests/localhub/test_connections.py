"""How long localhub keeps a connection open, as GitHub does: clients send the next request on it."""

import http.client
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from bot.localhub.hub import Hub
from bot.localhub.server import running

PROGRAM = {"User-Agent": "a-program"}


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[http.client.HTTPConnection]:
    with running(Hub(tmp_path / "hub")) as url:
        place = urlsplit(url)
        with closing(http.client.HTTPConnection(str(place.hostname), place.port)) as made:
            yield made


def _ask(
    connection: http.client.HTTPConnection,
    method: str = "GET",
    path: str = "/meta",
    body: bytes | None = None,
    headers: dict[str, str] = PROGRAM,
) -> http.client.HTTPResponse:
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    answer.read()
    return answer


def test_requests_follow_one_another_on_a_connection(
    connection: http.client.HTTPConnection,
) -> None:
    assert _ask(connection).status == 200
    first = connection.sock
    assert first is not None
    assert _ask(connection, "HEAD", "/nothing").status == 404
    assert _ask(connection, path="/nothing").status == 404

    assert connection.sock is first


def test_an_unread_body_is_not_parsed_as_the_next_request(
    connection: http.client.HTTPConnection,
) -> None:
    assert _ask(connection, "POST", "/nothing", b"GET /meta HTTP/1.1\r\n\r\n").status == 404

    assert connection.sock is not None
    assert _ask(connection, path="/nothing").status == 404


@pytest.mark.parametrize(
    ("headers", "body"),
    [({"User-Agent": "git/2.39.5"}, b""), (PROGRAM, b"x" * (1 << 20) + b"x")],
    ids=["git", "a long body"],
)
def test_a_connection_that_may_not_be_used_again_is_closed(
    connection: http.client.HTTPConnection, headers: dict[str, str], body: bytes
) -> None:
    answer = _ask(connection, "POST", "/nothing", body, headers)

    assert answer.getheader("Connection") == "close"
    assert connection.sock is None
