"""Two hundred slow answers beside a burst of deliveries: neither stops the other."""

import asyncio
import hashlib
import hmac
import json
import os
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread

import aiohttp
import httpx
import psutil
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from pydantic import SecretStr

from bot.adapters.store.engine import open_engine
from bot.adapters.store.order_store import SqlOrderStore
from bot.core.state.model_token import mint_model_token
from bot.core.values.ids import OrderId
from bot.entry.settings import Settings
from bot.localhub import keys
from tests.demo.watched import eventually, start
from tests.gateway.kit import ASKED, KEY, REPOSITORY, House, a_model
from tests.needs import needs_linux
from tests.testkit.prepared_store import prepare_store_by_copy

pytestmark = [pytest.mark.slow, needs_linux]

STREAMS, RUNS, DELIVERIES = 200, 10, 400
SECRET = "hook"
# A stack of its own for each stream would be two hundred.
THREADS_MAX = 40
# Held by whoever waits for 48 threads; alone it is a second or two.
BURST_SECONDS = 60


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        port: int = one.getsockname()[1]
        return port


def delivery(number: int) -> tuple[bytes, dict[str, str]]:
    body = json.dumps({
        "action": "created",
        "repository": {"id": 77, "full_name": "team/shop"},
        "issue": {"number": 1},
        "comment": {"id": number, "body": "/headgate status"},
        "sender": {"id": 1, "login": "mona", "type": "User"},
        "installation": {"id": 3},
    }).encode()  # fmt: skip
    signature = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    return body, {
        "content-type": "application/json",
        "x-github-event": "issue_comment",
        "x-github-delivery": f"guid-{number}",
        "x-hub-signature-256": f"sha256={signature}",
    }


def hold(url: str, tokens: list[str], ended: list[int]) -> None:
    """Ask with every token at once, and take the answers as they come."""

    async def one(session: aiohttp.ClientSession, token: str) -> None:
        headers = {"authorization": f"Bearer {token}"}
        async with session.post(f"{url}/v1/messages", json=ASKED, headers=headers) as answer:
            said = await answer.text()
            ended.append(answer.status if "message_delta" in said else 0)

    async def all_of_them() -> None:
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(connector=connector) as session:
            await asyncio.gather(*(one(session, token) for token in tokens))

    asyncio.run(all_of_them())


def test_slow_answers_stop_no_delivery_and_hold_no_thread_each(tmp_path: Path) -> None:
    pem = keys.new_key().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    ports = free_port(), free_port()
    settings = Settings(_env_file=None, var=tmp_path / "var", private_key=SecretStr(pem))
    prepare_store_by_copy(settings)
    engine = open_engine(settings.journal_url)
    store = House("", SqlOrderStore(engine), tmp_path)
    secret = settings.gateway_secret()
    tokens = [mint_model_token(secret, REPOSITORY, OrderId(f"o{n % RUNS}")) for n in range(STREAMS)]
    environment = {
        "HEADGATE_VAR": str(settings.var),
        "HEADGATE_SETTINGS": str(tmp_path / "none"),
        "HEADGATE_APP_ID": "1",
        "HEADGATE_PRIVATE_KEY": pem,
        "HEADGATE_WEBHOOK_SECRET": SECRET,
        "HEADGATE_PORT": str(ports[0]),
        "HEADGATE_GATEWAY_PORT": str(ports[1]),
        "ANTHROPIC_API_KEY": KEY,
        "HEADGATE_SLOT": "of-a-test",
    }
    web, gateway = (f"http://127.0.0.1:{port}" for port in ports)
    ended: list[int] = []
    with a_model() as model:
        environment["ANTHROPIC_BASE_URL"] = model.url
        model.answers.clear()
        processes = []
        for command in ("serve", "gateway"):
            (tmp_path / command).mkdir()
            arguments = ("-m", "bot.entry.cli", command)
            processes.append(start(*arguments, folder=tmp_path / command, environment=environment))
        try:
            eventually(lambda: answers(f"{web}/healthz") and answers(f"{gateway}/healthz"))
            # No lease is believed that ends later than two heartbeats' leases from now.
            for run in range(RUNS):
                store.lease(f"o{run}", minutes=1.5)
            holding = Thread(target=hold, args=(gateway, tokens, ended))
            holding.start()
            eventually(lambda: len(model.asked) == STREAMS)

            begun = time.monotonic()
            with (
                httpx.Client(trust_env=False, timeout=30) as client,
                ThreadPoolExecutor(16) as pool,
            ):
                codes = list(
                    pool.map(
                        lambda n: (
                            client.post(
                                f"{web}/webhook", content=delivery(n)[0], headers=delivery(n)[1]
                            ).status_code
                        ),
                        range(DELIVERIES),
                    )
                )
            assert codes == [202] * DELIVERIES
            assert time.monotonic() - begun < BURST_SECONDS
            assert psutil.Process(processes[1].pid).num_threads() < THREADS_MAX

            model.answers.set()
            holding.join(60)
            assert ended == [200] * STREAMS
        finally:
            model.answers.set()
            for process in processes:
                os.kill(process.pid, signal.SIGTERM)
            for process in processes:
                process.wait(30)
    engine.dispose()


def answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=2, trust_env=False).status_code == 200
    except httpx.HTTPError:
        return False
