"""What the model's proxy adds to a request, for `make bench-agents`: measured beside direct requests.

The client, the proxy and the scripted model are processes of their own, as at work.
"""

import multiprocessing
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

import httpx2

from action.agents.budget import Budget
from action.harness.model_proxy import model_proxy
from action.order import AgentLimits, AgentSettings, ModelCredentials
from bot.localhub.model_server.script import Script
from bot.localhub.model_server.server import running

MODEL = "claude-sonnet-4-6"
_SPAWN = multiprocessing.get_context("spawn")


def _serve_model(played: Script, told: Connection) -> None:
    with running(played) as url:
        told.send(url)
        told.recv()


def _serve_proxy(url: str, folder: Path, told: Connection) -> None:
    limits = AgentLimits(tokens_max=1_000_000_000, turns_max=1_000_000)
    budget = Budget(AgentSettings(model=MODEL, limits=limits))
    credentials = ModelCredentials(base_url=url, api_key="a-key")
    with model_proxy(credentials, MODEL, budget, folder / "m") as access:
        told.send(str(access.proxies[0].socket))
        told.recv()


@contextmanager
def apart(serve: Callable[..., None], *given: object) -> Iterator[str]:
    """Serve in a process of its own, so that nobody waits for another's Python; where it is."""
    ours, theirs = _SPAWN.Pipe()
    process = _SPAWN.Process(target=serve, args=(*given, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        yield ours.recv()
        ours.send("end")
    finally:
        process.join(5)
        process.terminate()


def question(kilobytes: float, word: str = "hi") -> dict[str, object]:
    """A request of so many kilobytes whose answer streams."""
    said = [{"role": "user", "content": f"{word} " + "x" * int(kilobytes * 1_000)}]
    return {"model": MODEL, "max_tokens": 400, "stream": True, "messages": said}


def _seconds(client: httpx2.Client, body: Mapping[str, object]) -> tuple[float, float]:
    """Until the first byte of an answer, and until its last."""
    headers = {"x-api-key": "a-key", "anthropic-version": "2023-06-01"}
    began = time.perf_counter()
    with client.stream("POST", "/v1/messages", json=body, headers=headers) as answer:
        pieces = answer.iter_raw()
        next(pieces)
        first = time.perf_counter() - began
        for _ in pieces:
            pass
        assert answer.status_code == 200
    return first, time.perf_counter() - began


def proxy_told(folder: Path, rounds: int, wait_seconds: float = 1.0) -> str:
    """What the proxy adds to requests of two sizes, and when an answer that takes long begins."""
    played = Script.model_validate(
        {
            "version": 1,
            "scenes": [
                {
                    "name": "slow",
                    "match": {"task": ["^slow"]},
                    "turns": [{"text": "At last.", "after_seconds": wait_seconds}],
                },
                {"name": "quick", "turns": [{"text": "word " * 400}]},
            ],
        }
    )
    with (
        apart(_serve_model, played) as url,
        apart(_serve_proxy, url, folder) as path,
        httpx2.Client(base_url=url, timeout=60, trust_env=False) as direct,
        httpx2.Client(
            transport=httpx2.HTTPTransport(uds=path), base_url="http://m", timeout=60
        ) as through,
    ):
        lines = [_added(direct, through, kilobytes, rounds) for kilobytes in (2, 400)]
        first, last = _seconds(through, question(2, "slow"))
    lines.append(
        f"The proxy streams: of an answer that takes {wait_seconds:.1f} s the first byte came after "
        f"{first * 1000:.0f} ms, the last after {last * 1000:.0f} ms"
    )
    return "\n".join(lines)


def _added(direct: httpx2.Client, through: httpx2.Client, kilobytes: float, rounds: int) -> str:
    body = question(kilobytes)
    whole: dict[str, list[float]] = {"direct": [], "through": []}
    begun: dict[str, list[float]] = {"direct": [], "through": []}
    for number in range(-3, rounds):
        for name, client in (("direct", direct), ("through", through)):
            first, last = _seconds(client, body)
            # The first few open connections and import.
            if number >= 0:
                begun[name].append(first * 1000)
                whole[name].append(last * 1000)
    is_, was = statistics.median(whole["through"]), statistics.median(whole["direct"])
    best = min(whole["through"]) - min(whole["direct"])
    token = statistics.median(begun["through"]) - statistics.median(begun["direct"])
    return (
        f"A request of {kilobytes} kB: {was:.1f} ms direct, {is_:.1f} ms through the proxy: "
        f"{is_ - was:+.1f} ms, ratio {is_ / was:.2f}, first byte {token:+.1f} ms "
        f"(medians of {rounds} in turns; {best:+.1f} ms of the best ones)"
    )
