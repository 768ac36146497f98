"""A gateway in a thread over a real order store, and a model that may be slow."""

import asyncio
import socket
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import httpx
import sqlalchemy as sa
from aiohttp import web

from action.order import AgentLimits, AgentOrder, AgentSettings, Price
from bot.adapters.store.engine import open_engine
from bot.adapters.store.order_store import SqlOrderStore
from bot.core.state.model_token import mint_model_token
from bot.core.values.ids import OrderId, RepositoryId, WorkflowRunId
from bot.entry.gateway.app import Upstream, make_gateway
from bot.entry.gateway.leases import Leases
from bot.entry.settings import Settings
from bot.entry.wiring import SystemClock
from tests.action.model_requests import HELPER, MODEL
from tests.testkit.prepared_store import prepare_store_by_copy

KEY = "sk-the-servers-own-key"
SECRET = b"secret of the gateway"
REPOSITORY = RepositoryId(77)
PRICES = {MODEL: Price(input=3, output=15), HELPER: Price(input=1, output=5)}
ASKED: dict[str, object] = {
    "model": MODEL,
    "max_tokens": 400,
    "messages": [{"role": "user", "content": "hi"}],
}
USED = b'"usage": {"input_tokens": 90, "output_tokens": 10}'


@contextmanager
def served(app: web.Application) -> Iterator[str]:
    """An application on a free port, in a thread with an event loop of its own."""
    loop = asyncio.new_event_loop()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=1)

        async def start() -> None:
            await runner.setup()
            await web.SockSite(runner, listening).start()

        def run() -> None:
            asyncio.set_event_loop(loop)
            loop.run_until_complete(start())
            loop.run_forever()
            loop.run_until_complete(runner.cleanup())
            loop.run_until_complete(loop.shutdown_default_executor())
            loop.close()

        thread = threading.Thread(target=run)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            loop.call_soon_threadsafe(loop.stop)
            thread.join(20)


@dataclass
class Model:
    """A model's server: it keeps what it was asked, and may hold its answers back."""

    url: str = ""
    status: int = 200
    is_silent: bool = False
    # Bytes of an answer that is long.
    much: int = 0
    asked: list[dict[str, object]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    answers: threading.Event = field(default_factory=threading.Event)

    async def ask(self, request: web.Request) -> web.StreamResponse:
        self.headers.append({k.lower(): v for k, v in request.headers.items()})
        self.asked.append(await request.json())
        if self.status != 200:
            return web.json_response({"error": {"message": "planted"}}, status=self.status)
        while self.is_silent:
            await asyncio.sleep(0.02)
        answer = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await answer.prepare(request)
        await answer.write(b"event: message_start\ndata: {}\n\n")
        for _ in range(self.much // 65_536):
            await answer.write(b": " + b" " * 65_532 + b"\n\n")
        while not self.answers.is_set():
            await asyncio.sleep(0.02)
        await answer.write(b"event: message_delta\ndata: {" + USED + b"}\n\n")
        await answer.write_eof()
        return answer


@contextmanager
def a_model() -> Iterator[Model]:
    model = Model()
    model.answers.set()
    app = web.Application()
    app.router.add_post("/v1/{path:.*}", model.ask)
    with served(app) as url:
        model.url = url
        try:
            yield model
        finally:
            model.answers.set()


@dataclass(frozen=True)
class House:
    """The gateway's address, the store that it looks into, and the folder of what was spent."""

    url: str
    store: SqlOrderStore
    folder: Path

    def lease(
        self, name: str = "o1", minutes: float = 1, owner: str = "team", **limits: float
    ) -> str:
        """An order that a runner holds; the token that came with its lease."""
        order = OrderId(name)
        agent = AgentSettings(
            model=MODEL, helpers=(HELPER,), limits=AgentLimits.model_validate(limits), prices=PRICES
        )
        placed = AgentOrder(
            order_id=name,
            repository=f"{owner}/shop",
            clone_url="https://example.org",
            base_sha="0" * 40,
            start_sha="0" * 40,
            start_ref="refs/x",
            change="c",
            title="t",
            attempt=1,
            requirements=(),
            agent=agent,
        )
        now = SystemClock().now()
        self.store.place(REPOSITORY, placed)
        until = now + timedelta(minutes=minutes)
        run = WorkflowRunId(zlib.crc32(name.encode()))
        self.store.take(REPOSITORY, order, run, (f"lease {name}", until), now)
        return mint_model_token(SECRET, REPOSITORY, order)

    def post(
        self, token: str, body: object = ASKED, path: str = "/v1/messages", **headers: str
    ) -> httpx.Response:
        said = {"authorization": f"Bearer {token}", **headers}
        return httpx.post(f"{self.url}{path}", json=body, headers=said, timeout=30, trust_env=False)


@contextmanager
def gateway(folder: Path, model_url: str, key: str = KEY) -> Iterator[House]:
    settings = Settings(_env_file=None, var=folder / "var")
    if not settings.var.is_dir():
        prepare_store_by_copy(settings)
    engine = open_engine(settings.journal_url)
    store = SqlOrderStore(engine)

    async def made() -> web.Application:
        leases = Leases(store, SystemClock(), SECRET, settings.var / "gateway")
        return make_gateway(leases, Upstream(model_url, key))

    with _engine(engine), served(asyncio.run(made())) as url:
        yield House(url, store, settings.var / "gateway")


@contextmanager
def _engine(engine: sa.Engine) -> Iterator[None]:
    try:
        yield
    finally:
        engine.dispose()
