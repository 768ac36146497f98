"""The gateway as a process: `headgate gateway`."""

from aiohttp import web

from bot.entry.gateway.app import Upstream, make_gateway
from bot.entry.gateway.leases import Leases
from bot.entry.settings import Settings
from bot.entry.wiring import SystemClock, make_order_store

_STOP_SECONDS = 5.0


def serve_gateway(settings: Settings) -> None:
    """Serve until stopped."""
    key = settings.model_key.get_secret_value() if settings.model_key else ""
    store = make_order_store(settings)

    async def app() -> web.Application:
        folder = settings.var / "gateway"
        leases = Leases(store, SystemClock(), settings.gateway_secret(), folder)
        return make_gateway(leases, Upstream(settings.model_base_url, key))

    web.run_app(
        app(),
        host=settings.host,
        port=settings.gateway_port,
        handler_cancellation=True,
        shutdown_timeout=_STOP_SECONDS,
        access_log=None,
        print=None,
    )
