"""The web server on real sockets: slow clients, large bodies, invalid tokens."""

import contextlib
import hmac
import io
import json
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from bot.adapters.blobs.folder import FolderBlobs
from bot.entry.settings import Settings
from bot.entry.web import oidc
from bot.entry.web.admission import (
    WINDOW_BYTES,
    Peers,
    RequestSize,
    large_seconds,
    request_size,
)
from bot.entry.web.oidc import OidcVerifier
from bot.entry.web.webhook import WebhookEndpoint
from bot.entry.wiring import SystemClock
from bot.shell.orders import BUNDLE_BYTES_MAX, Refused, _Counted
from tests.bench.siege import besiege
from tests.entry.test_keep_alive import ask, connect, server


@pytest.mark.attack(
    "100 half-open requests, and eight bodies of 50 MB without a token, beside a burst of deliveries",
    held="`bot.entry.web.admission`: no thread before a request is here; tokens before bodies",
)
@pytest.mark.slow
def test_a_burst_of_deliveries_is_stored_despite_half_open_sockets_and_big_bodies() -> None:
    found = besiege(deliveries=1_500, half_open=100, bodies=8)

    assert found.lost == 0
    assert found.refused == 0
    assert found.peak_bytes < 300 * 1024**2
    assert found.bodies_kept == 0
    # Whatever the server keeps is for its own user.
    assert found.open_to_others == ()


@pytest.mark.attack(
    "Requests that stop in the middle of their head, and bodies that stop in the middle",
    held="`bot.entry.web.keep_alive.KeepAliveWorker.murder_pending`: a deadline for each",
)
@pytest.mark.slow
def test_requests_that_arrive_too_slowly_are_dropped() -> None:
    large = b"POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\nx"
    late = b"GET / HTTP/1.1\r\nHo"
    kept = b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HT"
    with server(threads=2, keep_seconds=0.02) as port:
        lines = [socket.create_connection(("127.0.0.1", port), 30) for _ in range(8)]
        for number, line in enumerate(lines):
            line.sendall((large, late, kept, b"")[number % 4])
        # Others are served meanwhile.
        for _ in range(20):
            with contextlib.closing(connect(port)) as other:
                assert ask(other)
        begun = time.monotonic()
        for line in lines:
            with contextlib.suppress(ConnectionError):
                while line.recv(65_536):
                    pass
            line.close()
        assert time.monotonic() - begun < 25


@pytest.mark.attack(
    "A delivery of 25 MB that nobody signed",
    held="`bot.entry.web.webhook.WebhookEndpoint`: on the disk until its signature is known",
)
def test_a_large_delivery_is_in_memory_only_once_it_is_signed() -> None:
    body = b"x" * 3 * 1024**2

    class Stream(io.BytesIO):
        largest = 0

        def read(self, size: int | None = -1, /) -> bytes:
            piece = super().read(size)
            self.largest = max(self.largest, len(piece))
            return piece

    door = WebhookEndpoint(None, None, lambda: "secret")  # type: ignore[arg-type]
    right = f"sha256={hmac.digest(b'secret', body, 'sha256').hex()}"
    for signature, expected in ((right, body), ("sha256=00", None), (None, None), ("ä", None)):
        stream = Stream(body)
        assert door._body(stream, len(body), signature) == expected
        assert stream.largest < 100_000


@pytest.mark.attack(
    "A bundle without end, or without a token",
    held="`bot.shell.orders.keep_bundle`: the token first, then in pieces up to the limit",
)
def test_a_bundle_is_taken_in_pieces_up_to_its_limit(tmp_path: Path) -> None:
    blobs = FolderBlobs(tmp_path)
    pieces = (b"x" * 10 for _ in range(5))

    with pytest.raises(Refused, match="at most"):
        blobs.receive(_Counted(49, pieces))
    assert not any(tmp_path.iterdir())
    digest = blobs.receive(_Counted(50, (b"x" * 10 for _ in range(5))))
    assert blobs.get(digest) == b"x" * 50


HEAD = b"POST /webhook HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\nX-Y: z\r\n\r\n"
LONG = b"POST /webhook HTTP/1.1\r\nContent-Length: %s\r\n\r\n"


@pytest.mark.attack(
    "A request that never ends, or ends late",
    held="`bot.entry.web.admission.request_size`: it waits without a thread, for seconds",
)
@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (b"", RequestSize(1, 0)),
        (b"POST /web", RequestSize(10, 0)),
        (HEAD % 10, RequestSize(len(HEAD % 10) + 10, 0)),
        (b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", RequestSize(27, 0)),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * WINDOW_BYTES, RequestSize(0, WINDOW_BYTES)),
        ((HEAD % 10**7), RequestSize(len(HEAD % 10**7), 10**7)),
        (LONG % b"0000000000000000000100", RequestSize(len(LONG) + 20 + 100, 0)),
        (LONG % (b"9" * 5_000), RequestSize(len(LONG) + 4_998, 10**15 - 1)),
        (HEAD.lower() % WINDOW_BYTES, RequestSize(len(HEAD % WINDOW_BYTES), WINDOW_BYTES)),
    ],
)
def test_the_expected_size_is_computed_from_the_first_bytes(
    seen: bytes, expected: RequestSize
) -> None:
    assert request_size(seen) == expected


@pytest.mark.parametrize("name", ["Transfer-Encoding: chunked", "Expect: 100-continue"])
def test_a_body_that_comes_in_pieces_counts_as_large(name: str) -> None:
    head = f"POST / HTTP/1.1\r\n{name}\r\nContent-Length: 3\r\n\r\n".encode()
    assert request_size(head).large > WINDOW_BYTES


def test_the_time_limit_of_a_large_body_grows_with_its_size() -> None:
    assert large_seconds(0) < 15
    assert 100 < large_seconds(BUNDLE_BYTES_MAX) < 600


@pytest.mark.attack(
    "All connections taken by one address",
    held="`bot.entry.web.admission.Peers`: a share each, `HEADGATE_PEER_CONNECTIONS`",
)
def test_an_address_has_its_share_of_connections_and_a_proxy_any_number() -> None:
    peers = Peers(2, ["8.8.4.0/24"])
    names = [peers.enter("8.8.8.8") for _ in range(3)]

    assert names[2] is None
    assert peers.enter("1.1.1.1") is not None
    peers.leave(str(names[0]))
    assert peers.enter("::ffff:8.8.8.8") is not None
    for free in ("127.0.0.1", "::1", "10.0.0.7", "172.18.0.2", "8.8.4.4", ""):
        assert [peers.enter(free) is None for _ in range(5)] == [False] * 5


@pytest.mark.attack(
    "Eight slow bodies of 25 MB from one address, so that no other large body gets a thread",
    held="`bot.entry.web.admission.LARGE_OF_A_SENDER`: a share of the places for each sender",
)
@pytest.mark.parametrize("through_a_proxy", [False, True])
def test_slow_senders_of_large_bodies_do_not_block_others(through_a_proxy: bool) -> None:
    def begin(port: int, of: int, size: int) -> socket.socket:
        here = "127.0.0.1" if through_a_proxy else f"127.0.0.{of}"
        line = socket.create_connection(("127.0.0.1", port), 10, source_address=(here, 0))
        told = f"X-Forwarded-For: 8.8.4.4, 8.8.8.{of}\r\n" if through_a_proxy else ""
        line.sendall(
            f"POST /read HTTP/1.1\r\nHost: a\r\n{told}Content-Length: {size}\r\n\r\nx".encode()
        )
        return line

    with server(threads=16, keep_seconds=0.02) as port, contextlib.ExitStack() as stack:
        slow = [
            stack.enter_context(begin(port, of, 25 * 1024**2)) for of in (2, 3) for _ in range(8)
        ]
        for _ in range(20):
            with contextlib.closing(connect(port)) as other:
                assert ask(other)
        with begin(port, 4, 200_000) as third:
            third.sendall(b"x" * 199_999)
            assert third.recv(100).startswith(b"HTTP/1.1 200 ")
        # Whoever waited has the place of one that went.
        for line in slow[:8]:
            line.close()
        with begin(port, 2, 200_000) as again:
            again.sendall(b"x" * 199_999)
            assert again.recv(100).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize(
    ("address", "head", "sender"),
    [
        ("8.8.8.8", b"", "8.8.8.8"),
        # What a stranger says of others is not believed.
        ("8.8.8.8", b"X-Forwarded-For: 1.1.1.1\r\n", "8.8.8.8"),
        ("172.18.0.2", b"X-Forwarded-For: 1.1.1.1\r\n", "1.1.1.1"),
        # Only what the proxy itself has added.
        ("172.18.0.2", b"X-Forwarded-For: 9.9.9.9, 1.1.1.1\r\n", "1.1.1.1"),
        ("172.18.0.2", b"x-forwarded-for: 9.9.9.9\r\nX-Forwarded-For:1.1.1.1\r\n", "1.1.1.1"),
        ("172.18.0.2", b"X-Forwarded-For: 9.9.9.9, 10.0.0.7\r\n", "10.0.0.7"),
        # A proxy before the proxy, which the owner has named.
        ("172.18.0.2", b"X-Forwarded-For: 9.9.9.9, 1.1.1.1, 8.8.4.4\r\n", "1.1.1.1"),
        ("8.8.4.4", b"X-Forwarded-For: 2001:db8:1:2:3::4\r\n", "2001:db8:1:2::/64"),
        ("172.18.0.2", b"X-Forwarded-For: nobody\r\n", "172.18.0.2"),
        ("172.18.0.2", b"\r\nX-Forwarded-For: 1.1.1.1\r\n", "172.18.0.2"),
        ("", b"X-Forwarded-For: 1.1.1.1\r\n", ""),
    ],
)
def test_the_forwarded_address_is_trusted_only_from_a_proxy(
    address: str, head: bytes, sender: str
) -> None:
    peers = Peers(100, ["8.8.4.0/24"])
    assert peers.sender(address, b"POST / HTTP/1.1\r\nHost: a\r\n" + head + b"\r\n") == sender


def test_a_network_of_ipv6_counts_as_one_peer() -> None:
    peers = Peers(1)
    assert peers.enter("2001:4860:4860::1") is not None
    assert peers.enter("2001:4860:4860::2") is None
    assert peers.enter("2001:4860:4861::1") is not None


@dataclass
class Issuer:
    """An issuer with one key, that counts how often it is asked."""

    url: str = ""
    asked: int = 0
    key: rsa.RSAPrivateKey = field(default_factory=lambda: rsa.generate_private_key(65537, 2048))
    name: str = "real"


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    made = Issuer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            made.asked += 1
            key = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(made.key.public_key()))
            body = json.dumps({"keys": [{**key, "kid": made.name, "use": "sig"}]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield made
    server.shutdown()
    server.server_close()
    thread.join()


def token_of(issuer: Issuer, key: str) -> str:
    now = int(time.time())
    claims = {
        **{"iss": issuer.url, "aud": "https://headgate.example", "iat": now, "exp": now + 60},
        **{"repository_id": "1", "run_id": "2", "run_attempt": "1", "actor_id": "3"},
        **{"event_name": "workflow_dispatch", "workflow_ref": "a/b/.github/workflows/c@main"},
    }
    return jwt.encode(claims, issuer.key, "RS256", headers={"kid": key})


@pytest.mark.attack(
    "Leases with tokens of unknown keys, each of which asks the issuer again",
    held="`bot.entry.web.oidc.OidcVerifier`: asked again once in ten seconds",
)
def test_unknown_keys_do_not_ask_the_issuer_each_time(
    issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(oidc_issuer=issuer.url, public_url="https://headgate.example")
    verifier = OidcVerifier(settings, SystemClock())
    for number in range(50):
        with pytest.raises(Refused):
            verifier.claims(token_of(issuer, f"unknown-{number}"))

    assert issuer.asked <= 3
    assert verifier.claims(token_of(issuer, "real")).run_id == 2

    # A key that is new is found once the time is over.
    issuer.name = "next"
    with pytest.raises(Refused):
        verifier.claims(token_of(issuer, "next"))
    monkeypatch.setattr(oidc, "_ASKING_AGAIN_SECONDS", 0.0)
    assert verifier.claims(token_of(issuer, "next")).run_id == 2
