"""The gateway's door, on a real socket: who sends no request, and who has many connections"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

import pytest
from aiohttp import web

from bot.entry.gateway.connection_limiter import ConnectionLimiter
from bot.entry.web.admission import Peers

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
_SOON, _LATE = 0.1, 30.0


async def _answer(request: web.Request) -> web.Response:
    return web.Response(body=await request.read())


def _through(talk: Talk, seconds: float = _SOON, peers_max: int = 5) -> None:
    async def run() -> None:
        app = web.Application()
        app.router.add_route("*", "/", _answer)
        runner = web.AppRunner(app)
        await runner.setup()
        assert runner.server is not None
        door = ConnectionLimiter(runner.server, Peers(peers_max), seconds)
        loop = asyncio.get_running_loop()
        try:
            async with await loop.create_server(door, "127.0.0.1", 0) as listening:
                port = listening.sockets[0].getsockname()[1]
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                try:
                    async with asyncio.timeout(20):
                        await talk(reader, writer)
                finally:
                    writer.close()
                    with contextlib.suppress(ConnectionError):
                        await writer.wait_closed()
        finally:
            await runner.cleanup()

    asyncio.run(run())


@pytest.mark.attack(
    "Strangers open connections to the gateway and send nothing, or half a head, until it has no file left",
    held="`bot.entry.gateway.connection_limiter.ConnectionLimiter`: a first request that does not come ends its connection",
)
@pytest.mark.parametrize("sent", [b"", b"POST / HTTP/1.1\r\nHost: a\r\nX-", b"\r\n"])
def test_a_connection_without_a_request_is_closed(sent: bytes) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(sent)
        with contextlib.suppress(ConnectionError):
            assert await reader.read(1) == b""

    _through(talk)


def test_a_received_request_has_its_own_time_limit() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for piece in (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r", b"\n\r", b"\n"):
            writer.write(piece)
            await asyncio.sleep(0)
        await asyncio.sleep(3 * _SOON)
        writer.write(b"ok")
        assert b"200 OK" in await reader.readuntil(b"ok")

    _through(talk)


class _Far(asyncio.Transport):
    """A connection from somewhere else."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 1)})
        self.is_closed = False

    def close(self) -> None:
        self.is_closed = True

    def abort(self) -> None:
        self.is_closed = True


@pytest.mark.attack(
    "One address takes all connections of the gateway",
    held="`bot.entry.gateway.connection_limiter.ConnectionLimiter`: a share for each peer",
)
def test_a_peer_has_its_share_of_connections() -> None:
    async def run() -> None:
        door = ConnectionLimiter(asyncio.Protocol, Peers(2), _LATE)
        made = [(door(), _Far(address)) for address in ("8.8.8.8",) * 3 + ("9.9.9.9",)]
        for protocol, transport in made:
            protocol.connection_made(transport)
        assert [transport.is_closed for _, transport in made] == [False, False, True, False]
        for protocol, _ in made:
            protocol.data_received(b"x")
            protocol.connection_lost(None)
        again = _Far("8.8.8.8")
        last = door()
        last.connection_made(again)
        assert not again.is_closed
        last.connection_lost(None)

    asyncio.run(run())
