"""Who gets a thread of the web server: a request that is here, from a peer within its share.

A connection costs no thread before its head has arrived, and its body if that is small. So a peer that
sends slowly, or nothing at all, keeps only a socket, and only for seconds.
"""

import ipaddress
import re
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

# A head, or a body of the usual size, that has not come by then does not come.
ARRIVAL_SECONDS = 10.0
# What is waited for before a thread is given; the kernel keeps it until then.
WINDOW_BYTES = 64 * 1024
# Larger bodies are read by a thread, so many at once, and no slower than this.
LARGE_MAX = 8
LARGE_BYTES_A_SECOND = 100_000
# A body whose length is not said counts as the largest.
_UNSAID_BYTES = 25 * 1024**2

_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d+)[ \t]*\r\n", re.IGNORECASE)
# Of a longer number these are enough: no body is as large.
_DIGITS = 15
_IN_PIECES = re.compile(rb"\r\n(?:transfer-encoding|expect):", re.IGNORECASE)
_END = b"\r\n\r\n"


@dataclass(frozen=True)
class Arrival:
    """`wanted` bytes must be here before a thread reads; `large` bytes then come while it reads."""

    wanted: int
    large: int


def arrival(seen: bytes) -> Arrival:
    """What is known of a request by its first bytes. The real reading is done by the server."""
    end = seen.find(_END)
    if end < 0:
        is_endless = len(seen) >= WINDOW_BYTES
        return Arrival(0, WINDOW_BYTES) if is_endless else Arrival(len(seen) + 1, 0)
    head = seen[: end + len(_END)]
    if _IN_PIECES.search(head):
        return Arrival(len(head), _UNSAID_BYTES)
    said = _LENGTH.search(head)
    body = int(said[1].lstrip(b"0")[:_DIGITS] or 0) if said else 0
    if len(head) + body > WINDOW_BYTES:
        return Arrival(len(head), body)
    return Arrival(len(head) + body, 0)


def large_seconds(large: int) -> float:
    """How long a thread reads a request whose body has so many bytes still to come."""
    return ARRIVAL_SECONDS + large / LARGE_BYTES_A_SECOND


class Peers:
    """Counts connections by the peer's address, or by its /64 network for IPv6.

    Addresses of this machine's own networks are not counted, nor those of `proxies`: all the world
    comes through a proxy.
    """

    def __init__(self, connections_max: int, proxies: Sequence[str] = ()) -> None:
        self._max = connections_max
        self._proxies = tuple(ipaddress.ip_network(one, strict=False) for one in proxies)
        self._count: Counter[str] = Counter()
        self._lock = threading.Lock()

    def enter(self, address: str) -> str | None:
        """The peer's key, for `leave`; None if the peer has its share already."""
        name = self._name(address)
        with self._lock:
            if name and self._count[name] >= self._max:
                return None
            self._count[name] += 1
        return name

    def leave(self, name: str) -> None:
        with self._lock:
            self._count[name] -= 1
            if not self._count[name]:
                del self._count[name]

    def _name(self, address: str) -> str:
        """Empty for a peer that is not counted."""
        try:
            peer = ipaddress.ip_address(address.partition("%")[0])
        except ValueError:
            return ""
        if isinstance(peer, ipaddress.IPv6Address) and peer.ipv4_mapped is not None:
            peer = peer.ipv4_mapped
        if not peer.is_global or any(peer in one for one in self._proxies):
            return ""
        if isinstance(peer, ipaddress.IPv6Address):
            return str(ipaddress.ip_network((peer, 64), strict=False))
        return str(peer)
