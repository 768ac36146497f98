"""The gateway as a process: `headgate gateway`."""

import asyncio
import resource
import signal

from aiohttp import web

from bot.entry.gateway.app import Upstream, make_gateway
from bot.entry.gateway.connection_limiter import PEER_CONNECTIONS_MAX, ConnectionLimiter
from bot.entry.gateway.leases import Leases
from bot.entry.settings import Settings
from bot.entry.web.admission import Peers
from bot.entry.wiring import SystemClock, make_order_store

_STOP_SECONDS = 5.0
# Longer than the two minutes for which a proxy before it keeps a connection.
_IDLE_SECONDS = 150.0
_FILES = 8_192


def serve_gateway(settings: Settings) -> None:
    # Each stream is two open files, and a process begins with 1,024 in most places.
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if now != resource.RLIM_INFINITY and now < _FILES:
        wanted = _FILES if most == resource.RLIM_INFINITY else min(most, _FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
    asyncio.run(_serve(settings))


async def _serve(settings: Settings) -> None:
    loop, stopped = asyncio.get_running_loop(), asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, stopped.set)
    key = settings.model_key.get_secret_value() if settings.model_key else ""
    store = make_order_store(settings)
    leases = Leases(store, SystemClock(), settings.gateway_secret(), settings.var / "gateway")
    app = make_gateway(leases, Upstream(settings.model_base_url, key))
    peers = Peers(PEER_CONNECTIONS_MAX, settings.proxies)
    runner = web.AppRunner(
        app,
        handler_cancellation=True,
        shutdown_timeout=_STOP_SECONDS,
        keepalive_timeout=_IDLE_SECONDS,
        access_log=None,
    )
    await runner.setup()
    try:
        server = runner.server
        assert server is not None  # noqa: S101 - it has been set up
        door = ConnectionLimiter(server, peers)
        async with await loop.create_server(door, settings.host, settings.gateway_port):
            await stopped.wait()
    finally:
        await runner.cleanup()
