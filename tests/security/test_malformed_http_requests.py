"""Malformed HTTP requests that a proxy may split differently than we do."""

import contextlib
import http.client
import re
import socket
from collections.abc import Iterator

import pytest

from tests.entry.test_keep_alive import TIMEOUT_SECONDS, server
from tests.needs import needs_linux

pytestmark = pytest.mark.slow

POST = b"POST /read HTTP/1.1\r\nHost: a\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
# What must not be read as a request of its own, unless all before it was plain.
NEXT = b"GET /read-next HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n"
BOTH = [b"/read x", b"/read-next "]

# Nothing of these is answered but a refusal, and the connection is closed.
REFUSED = {
    "a length and pieces": b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "pieces and a length": b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
    "one length twice": b"Content-Length: 1\r\nContent-Length: 1\r\n\r\nx",
    "two lengths": b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nx",
    "a list of lengths": b"Content-Length: 1, 1\r\n\r\nx",
    "a length with a sign": b"Content-Length: +1\r\n\r\nx",
    "a length below nothing": b"Content-Length: -1\r\n\r\nx",
    "a length in hex": b"Content-Length: 0x1\r\n\r\nx",
    "a length with a line": b"Content-Length: 0_1\r\n\r\nx",
    "a length in other digits": b"Content-Length: \xb9\r\n\r\nx",
    "a length that is empty": b"Content-Length:\r\n\r\n",
    "a blank before the colon": b"Content-Length : 1\r\n\r\nx",
    "a length in a folded line": b"Content-Length:\r\n 1\r\n\r\nx",
    "any folded line": b"X-A: b\r\n\tc\r\nContent-Length: 1\r\n\r\nx",
    "pieces twice": b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "pieces by another name": b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "pieces not last": b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "no encoding by name": b"Transfer-Encoding: identity\r\nContent-Length: 1\r\n\r\nx",
    "pieces behind a control": b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
    "a line's end alone": b"X: y\nContent-Length: 1\r\n\r\n",
    "a return alone": b"X: y\rContent-Length: 1\r\n\r\n",
    "a zero byte": b"X: y\0z\r\nContent-Length: 0\r\n\r\n",
    "a line without a colon": b"xx\r\n\r\n",
    "two hosts": b"Host: b\r\n\r\n",
    "three hundred lines": b"".join(b"X-%d: y\r\n" % n for n in range(300)) + b"\r\n",
    "an expectation of its own": b"Expect: 200-ok\r\nContent-Length: 1\r\n\r\nx",
}

REFUSED_WHOLE = {
    "bare line ends": b"GET /read HTTP/1.1\nHost: a\n\n",
    "a version to come": b"GET /read HTTP/2.0\r\nHost: a\r\n\r\n",
    "the preface of HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a version of two digits": b"GET /read HTTP/1.12\r\nHost: a\r\n\r\n",
    "no version": b"GET /read\r\n\r\n",
    "a path with a control": b"GET /read\x01 HTTP/1.1\r\nHost: a\r\n\r\n",
    "a path with a tab": b"GET /read\tb HTTP/1.1\r\nHost: a\r\n\r\n",
    "a blank before a name": b"GET /read HTTP/1.1\r\n Host: a\r\n\r\n",
    "a method in small letters": b"get /read HTTP/1.1\r\nHost: a\r\n\r\n",
    "an address before the request": b"PROXY TCP4 1.1.1.1 2.2.2.2 1 2\r\n" + POST + b"\r\n",
    "pieces in HTTP/1.0": b"POST /read HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
}

# The head is plain; the pieces of the body are not.
PIECES = {
    "an extension with a line's end": b"1;a\nb\r\nx\r\n0\r\n\r\n",
    "an extension without end": b"1;" + b"a" * 60_000 + b"\r\nx\r\n0\r\n\r\n",
    "bare line ends": b"1\nx\n0\n\n",
    "a sign": b"+1\r\nx\r\n0\r\n\r\n",
    "below nothing": b"-1\r\nx\r\n0\r\n\r\n",
    "a prefix": b"0x1\r\nx\r\n0\r\n\r\n",
    "a line": b"0_1\r\nx\r\n0\r\n\r\n",
    "a blank": b" 1\r\nx\r\n0\r\n\r\n",
    "more than it says": b"1\r\nxy\r\n0\r\n\r\n",
    "a length afterwards": b"1\r\nx\r\n0\r\nContent-Length: 9\r\n\r\n",
}

# Plain, if odd: what follows is the next request, and nobody can take it for a body.
PLAIN = {
    "a length": (POST + b"Content-Length: 1\r\n\r\nx", BOTH),
    "a length with zeros": (POST + b"Content-Length: 0000000000000000000001\r\n\r\nx", BOTH),
    "pieces": (CHUNKED + b"1\r\nx\r\n0\r\n\r\n", BOTH),
    "an extension": (CHUNKED + b"1;a=b\r\nx\r\n0\r\n\r\n", BOTH),
    "a line afterwards": (CHUNKED + b"1\r\nx\r\n0\r\nX: 9\r\n\r\n", BOTH),
    "pieces in capitals": (
        POST + b"Transfer-Encoding: CHUNKED\r\n\r\n1\r\nx\r\n0\r\n\r\n",
        BOTH,
    ),
    "a name that only looks like pieces": (
        POST + b"Transfer_Encoding: chunked\r\nContent-Length: 1\r\n\r\nx",
        BOTH,
    ),
    "a name that only looks like a length": (
        POST + b"Content_Length: 50\r\nContent-Length: 1\r\n\r\nx",
        BOTH,
    ),
    "an address as a path": (
        b"POST http://evil.example/read HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx",
        BOTH,
    ),
    "a wish for HTTP/2": (
        POST + b"Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 1\r\n\r\nx",
        BOTH,
    ),
    "HTTP/1.0 that stays": (
        b"POST /read HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\nx",
        BOTH,
    ),
    "HTTP/1.0 that goes": (b"POST /read HTTP/1.0\r\nContent-Length: 1\r\n\r\nx", BOTH[:1]),
    "a body that nobody reads, with a request in it": (
        b"POST /leave HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(NEXT) + NEXT,
        BOTH[1:],
    ),
    "pieces that nobody reads, with a request in them": (
        b"POST /leave HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"%x\r\n%s\r\n0\r\n\r\n" % (len(NEXT), NEXT),
        BOTH[1:],
    ),
    "a body of a GET that is a request": (
        b"GET /read HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
        % len(NEXT),
        [b"/read " + NEXT],
    ),
}


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with server(threads=12, keep_seconds=0.02) as found:
        yield found


def answered(port: int, sent: bytes) -> tuple[list[int], list[bytes]]:
    """The statuses of all answers until the server closes, and what its app had read."""
    heard = b""
    with socket.create_connection(("127.0.0.1", port), TIMEOUT_SECONDS) as line:
        line.sendall(sent + NEXT)
        while piece := line.recv(65_536):
            heard += piece
    statuses = [int(one) for one in re.findall(rb"^HTTP/1\.[01] (\d{3}) ", heard, re.MULTILINE)]
    return statuses, re.findall(rb"<(/read.*?)>", heard, re.DOTALL)


@pytest.mark.attack(
    "A request whose end a proxy and this server see at different places, with another one inside",
    held="gunicorn's own reading, under `bot.entry.web.keep_alive`: one refusal, and the end",
)
@pytest.mark.parametrize(
    "sent",
    [*(POST + lines for lines in REFUSED.values()), *REFUSED_WHOLE.values()],
    ids=[*REFUSED, *REFUSED_WHOLE],
)
def test_a_request_that_can_be_read_in_two_ways_is_refused(port: int, sent: bytes) -> None:
    statuses, read = answered(port, sent)
    assert (len(statuses), read) == (1, [])
    assert 400 <= statuses[0] <= 501


@pytest.mark.attack(
    "A body in pieces whose lengths a proxy reads in another way",
    held="gunicorn's own reading, under `bot.entry.web.keep_alive`: nothing behind it is answered",
)
@pytest.mark.parametrize("pieces", PIECES.values(), ids=PIECES)
def test_pieces_that_can_be_read_in_two_ways_end_the_connection(port: int, pieces: bytes) -> None:
    statuses, read = answered(port, CHUNKED + pieces)
    assert len(statuses) <= 1
    assert read == []


@pytest.mark.parametrize(("sent", "expected"), PLAIN.values(), ids=PLAIN)
def test_plain_requests_on_one_connection_are_answered_in_order(
    port: int, sent: bytes, expected: list[bytes]
) -> None:
    statuses, read = answered(port, sent)
    assert read == expected
    assert set(statuses) == {200}


@pytest.mark.attack(
    "A length with many zeros in front, which is not seen at the door: each holds a thread",
    held="`bot.entry.web.admission.request_size`: the body is waited for without one",
)
def test_a_content_length_of_many_digits_blocks_no_thread() -> None:
    late = POST + b"Content-Length: 0000000000000000060000\r\n\r\nx"
    with server(threads=2, keep_seconds=0.02) as port:
        lines = [socket.create_connection(("127.0.0.1", port), TIMEOUT_SECONDS) for _ in range(6)]
        for line in lines:
            line.sendall(late)
        with socket.create_connection(("127.0.0.1", port), 5) as other:
            other.sendall(NEXT)
            assert other.recv(65_536).startswith(b"HTTP/1.1 200")
        for line in lines:
            line.close()


@needs_linux
@pytest.mark.attack(
    "Whoever asks again and again on one connection and reads no answer, so that each connection holds a thread",
    held="`bot.entry.web.keep_alive.Connection.is_unread`: who leaves answers unread gets no more of them",
)
def test_a_client_that_does_not_read_blocks_no_thread() -> None:
    body = b"x" * 50_000
    one = POST + b"Content-Length: %d\r\n\r\n" % len(body) + body
    with server(threads=2, keep_seconds=0.02) as port, contextlib.ExitStack() as held:
        for _ in range(4):
            silent = held.enter_context(socket.socket())
            silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
            silent.settimeout(TIMEOUT_SECONDS)
            silent.connect(("127.0.0.1", port))
            with pytest.raises(ConnectionError):
                silent.sendall(one * 500)
        with socket.create_connection(("127.0.0.1", port), TIMEOUT_SECONDS) as other:
            other.sendall(NEXT)
            assert b"/read-next" in other.makefile("rb").read()


def test_a_client_that_reads_answers_may_reuse_its_connection() -> None:
    body = b"x" * 50_000
    with server(threads=1, keep_seconds=0.02) as port:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
        for _ in range(20):
            connection.request("POST", "/read", body)
            assert len(connection.getresponse().read()) > len(body)
        connection.close()
