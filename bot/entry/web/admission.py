"""Who gets a thread of the web server: a request that is here, from a peer within its share.

A connection costs no thread before its head has arrived, and its body if that is small. So a peer that
sends slowly, or nothing at all, keeps only a socket, and only for seconds.
"""

import ipaddress
import re
import threading
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

# A head, or a body of the usual size, that has not come by then does not come.
ARRIVAL_SECONDS = 10.0
# What is waited for before a thread is given; the kernel keeps it until then.
WINDOW_BYTES = 64 * 1024
# Larger bodies are read by a thread, so many at once, and no slower than this.
LARGE_MAX = 8
LARGE_BYTES_A_SECOND = 100_000
# Of these places one sender has no more, so that two do not hold all.
LARGE_OF_A_SENDER = 3
# A body whose length is not said counts as the largest.
_UNSAID_BYTES = 25 * 1024**2

_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d+)[ \t]*\r\n")
# Of a longer number these are enough: no body is as large.
_DIGITS = 15
_FORWARDED = re.compile(rb"\r\nx-forwarded-for:([^\r\n]*)", re.IGNORECASE)
_IN_PIECES = b"\r\ntransfer-encoding:"
_EXPECTS = b"\r\nexpect:"
_END = b"\r\n\r\n"

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class RequestSize(NamedTuple):
    """`wanted` bytes must be here before a thread reads; `large` bytes then come while it reads."""

    wanted: int
    large: int


def request_size(seen: bytes) -> RequestSize:
    """What is known of a request by its first bytes. The real reading is done by the server."""
    end = seen.find(_END)
    if end < 0:
        is_endless = len(seen) >= WINDOW_BYTES
        return RequestSize(0, WINDOW_BYTES) if is_endless else RequestSize(len(seen) + 1, 0)
    head = seen[: end + len(_END)].lower()
    if _IN_PIECES in head or _EXPECTS in head:
        return RequestSize(len(head), _UNSAID_BYTES)
    said = _LENGTH.search(head)
    body = int(said[1].lstrip(b"0")[:_DIGITS] or 0) if said else 0
    if len(head) + body > WINDOW_BYTES:
        return RequestSize(len(head), body)
    return RequestSize(len(head) + body, 0)


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

    def sender(self, address: str, seen: bytes) -> str:
        """Who sends a request that begins so: of a peer that is not counted, whom it says to have heard
        last, as a proxy does. What any other peer says of that is not believed.
        """
        peer = _address(address)
        if peer is None or not self._is_free(peer):
            return _network(peer)
        said = b",".join(_FORWARDED.findall(seen.partition(_END)[0])).decode("latin-1")
        for word in reversed(said.split(",")):
            heard = _address(word.strip())
            if heard is None:
                break
            peer = heard
            if not self._is_named(peer):
                break
        return _network(peer)

    def _name(self, address: str) -> str:
        """Empty for a peer that is not counted."""
        peer = _address(address)
        return "" if peer is None or self._is_free(peer) else _network(peer)

    def _is_free(self, peer: _Address) -> bool:
        return not peer.is_global or self._is_named(peer)

    def _is_named(self, peer: _Address) -> bool:
        return any(peer in one for one in self._proxies)


def _address(written: str) -> _Address | None:
    try:
        peer = ipaddress.ip_address(written.partition("%")[0])
    except ValueError:
        return None
    if isinstance(peer, ipaddress.IPv6Address) and peer.ipv4_mapped is not None:
        return peer.ipv4_mapped
    return peer


def _network(peer: _Address | None) -> str:
    if isinstance(peer, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((peer, 64), strict=False))
    return str(peer or "")
