"""A webhook server with gidgethub and aiohttp: verify, one Redis write, 202.

`python -m tests.bench.peer_aiohttp PORT SOCKET`. Redis keeps the write in memory only.
"""

import sys

import redis.asyncio
from aiohttp import web
from gidgethub import sansio

from tests.testkit.hub_setup import SECRET

LIST = "deliveries"


def app(socket: str) -> web.Application:
    """The application over a Valkey at a socket."""
    store = redis.asyncio.Redis(unix_socket_path=socket)

    async def receive(request: web.Request) -> web.Response:
        body = await request.read()
        event = sansio.Event.from_http(request.headers, body, secret=SECRET)
        await store.lpush(LIST, f"{event.delivery_id} {event.event}".encode() + body)
        return web.Response(status=202)

    async def health(_request: web.Request) -> web.Response:
        return web.Response()

    made = web.Application()
    made.router.add_post("/webhook", receive)
    made.router.add_get("/healthz", health)
    return made


if __name__ == "__main__":
    web.run_app(app(sys.argv[2]), host="127.0.0.1", port=int(sys.argv[1]), print=None)
