"""The gateway's door: a connection is closed whose first request does not come, or whose peer has its share."""

import asyncio
from collections.abc import Callable

from bot.entry.gateway.leases import OWNER_STREAMS_MAX
from bot.entry.web.admission import ARRIVAL_SECONDS, Peers

# Twice what an owner's runs may have under way: they may be behind one address.
PEER_CONNECTIONS_MAX = 2 * OWNER_STREAMS_MAX
_END = b"\r\n\r\n"


class ConnectionLimiter:
    """Makes the protocols of a listening socket; `inner` makes those that read requests."""

    def __init__(
        self,
        inner: Callable[[], asyncio.Protocol],
        peers: Peers,
        seconds: float = ARRIVAL_SECONDS,
    ) -> None:
        self.inner, self.peers, self.seconds = inner, peers, seconds

    def __call__(self) -> asyncio.Protocol:
        return _Connection(self)


class _Connection(asyncio.Protocol):
    """Passes everything on. Later requests of a connection are in time by its server's own measure."""

    def __init__(self, door: ConnectionLimiter) -> None:
        self._door = door
        self._inner: asyncio.Protocol | None = None
        self._peer = ""
        self._seen: bytes | None = b""
        self._late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        named = transport.get_extra_info("peername")
        peer = self._door.peers.enter(str(named[0]) if named else "")
        if peer is None or not isinstance(transport, asyncio.Transport):
            transport.close()
            return
        self._peer = peer
        self._late = asyncio.get_running_loop().call_later(self._door.seconds, transport.abort)
        self._inner = self._door.inner()
        self._inner.connection_made(transport)

    def data_received(self, data: bytes) -> None:
        if self._inner is None:
            return
        if self._seen is not None:
            both = self._seen + data
            self._seen = both[-len(_END) :]
            if _END in both:
                self._seen = None
                self._in_time()
        self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        return self._inner.eof_received() if self._inner is not None else None

    def connection_lost(self, exc: Exception | None) -> None:
        self._in_time()
        if self._inner is not None:
            self._door.peers.leave(self._peer)
            self._inner.connection_lost(exc)

    def pause_writing(self) -> None:
        if self._inner is not None:
            self._inner.pause_writing()

    def resume_writing(self) -> None:
        if self._inner is not None:
            self._inner.resume_writing()

    def _in_time(self) -> None:
        if self._late is not None:
            self._late.cancel()
