"""Sends signed deliveries as fast as they are answered, or at a rate, in one loop over raw sockets.

Sending must cost little beside answering, so all but the GUID is made before the clock starts.
Connections stay open, as behind a proxy.
"""

import hashlib
import hmac
import json
import selectors
import socket
import time
import uuid
from collections import deque
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from tests.testkit.hub_setup import SECRET

# The mean of GitHub's published examples.
BODY_BYTES = 11_000
CONNECTIONS = 32
_TIMEOUT_SECONDS = 30.0


@dataclass(frozen=True)
class Hail:
    """`count` deliveries, `a_second` of them per second (0: as fast as they are answered)."""

    url: str
    count: int
    a_second: float = 0.0


@dataclass
class Sent:
    """The seconds of each accepted answer, the number of other answers, and the total time."""

    seconds: list[float] = field(default_factory=list)
    refused: int = 0
    elapsed_seconds: float = 0.0

    @property
    def a_second(self) -> float:
        """Accepted answers a second."""
        return len(self.seconds) / self.elapsed_seconds if self.elapsed_seconds else 0.0


@dataclass
class _Line:
    """One connection; `sent_at` is 0 while no request is open."""

    socket: socket.socket
    left: bytes = b""
    heard: bytes = b""
    sent_at: float = 0.0


def body_of(size: int) -> bytes:
    """A push of about this size, which is kept."""
    empty = {"ref": "refs/heads/main", "repository": {"id": 1}, "fill": ""}
    empty["fill"] = "x" * (size - len(json.dumps(empty)))
    return json.dumps(empty).encode()


def _request(url: str, body: bytes) -> tuple[bytes, bytes]:
    """A whole request, before and after its GUID."""
    where = urlsplit(url)
    signature = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    head = (
        f"POST {where.path} HTTP/1.1\r\nHost: {where.netloc}\r\nUser-Agent: GitHub-Hookshot/bench\r\n"
        f"Accept: */*\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        f"X-GitHub-Event: push\r\nX-Hub-Signature-256: sha256={signature}\r\n"
    )
    return head.encode() + b"X-GitHub-Delivery: ", b"\r\n\r\n" + body


def hail(asked: Hail) -> Sent:
    """Send all deliveries and wait for every answer."""
    before, after = _request(asked.url, body_of(BODY_BYTES))
    guids = deque(str(uuid.uuid4()).encode() for _ in range(asked.count))
    where = urlsplit(asked.url)
    sent = Sent()
    with selectors.DefaultSelector() as selector:
        lines = [_connect(where.hostname or "", where.port or 80) for _ in range(CONNECTIONS)]
        for line in lines:
            selector.register(line.socket, selectors.EVENT_READ, line)
        idle = deque(lines)
        begin = time.monotonic()
        due = begin
        gap = 1 / asked.a_second if asked.a_second else 0.0
        while guids or len(idle) < len(lines):
            now = time.monotonic()
            while guids and idle and due <= now:
                line = idle.popleft()
                # The time since it was due, with the wait for a free connection.
                line.sent_at = due if gap else now
                _send(selector, line, before + guids.popleft() + after)
                due = due + gap if gap else now
            wait = max(0.0, due - now) if guids and idle else _TIMEOUT_SECONDS
            for key, events in selector.select(wait):
                _serve(selector, key.data, events, sent, idle)
        sent.elapsed_seconds = time.monotonic() - begin
        for line in lines:
            line.socket.close()
    return sent


def _connect(host: str, port: int) -> _Line:
    made = socket.create_connection((host, port), timeout=10)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    made.setblocking(False)
    return _Line(made)


def _send(selector: selectors.BaseSelector, line: _Line, request: bytes) -> None:
    line.left = request
    _push(selector, line)


def _push(selector: selectors.BaseSelector, line: _Line) -> None:
    """Send what the socket takes; the rest follows when it is writable again."""
    was_waiting = selector.get_key(line.socket).events & selectors.EVENT_WRITE
    try:
        count = line.socket.send(line.left)
        line.left = line.left[count:]
    except BlockingIOError:
        pass
    if bool(line.left) != bool(was_waiting):
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if line.left else 0)
        selector.modify(line.socket, events, line)


def _serve(
    selector: selectors.BaseSelector, line: _Line, events: int, sent: Sent, idle: deque[_Line]
) -> None:
    if events & selectors.EVENT_WRITE:
        _push(selector, line)
    if not events & selectors.EVENT_READ:
        return
    heard = line.socket.recv(65_536)
    if not heard:
        raise ConnectionError("the door hung up")
    line.heard += heard
    if not _is_whole(line.heard):
        return
    if line.heard.startswith(b"HTTP/1.1 20"):
        sent.seconds.append(time.monotonic() - line.sent_at)
    else:
        sent.refused += 1
    line.heard, line.sent_at = b"", 0.0
    idle.append(line)


def _is_whole(heard: bytes) -> bool:
    head, end, body = heard.partition(b"\r\n\r\n")
    if not end:
        return False
    for row in head.lower().split(b"\r\n"):
        if row.startswith(b"content-length:"):
            return len(body) >= int(row[15:])
    return b"transfer-encoding: chunked" not in head.lower() or body.endswith(b"0\r\n\r\n")
