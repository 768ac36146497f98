"""`make bench-ingest`: how many signed webhooks the real door takes in, and whether any is lost.

`headgate serve` (gunicorn) in front of the inbox, a Valkey for the nudges, no workers; from another
process sixteen connections that stay open send deliveries of 11 KB, each as soon as the one before
is answered. Numbers are printed and never asserted.
"""

import argparse
import hashlib
import hmac
import json
import multiprocessing
import socket
import sys
import threading
import time
import uuid
from dataclasses import dataclass
from http.client import HTTPConnection
from urllib.parse import urlsplit

import sqlalchemy as sa
from rich.console import Console

from bot.adapters.store.engine import open_engine, reading
from bot.adapters.store.tables import deliveries
from tests.bench.overhead import load_now
from tests.bench.stage import Stage, bare_stage, start_doors
from tests.bench.walk import percentile
from tests.testkit.ground import SECRET

CONNECTIONS = 16
# The mean of GitHub's published examples.
BODY_BYTES = 11_000


@dataclass(frozen=True)
class Sent:
    """What one connection saw: seconds of each accepted answer, and other answers' number."""

    seconds: list[float]
    refused: int


def body_of(size: int) -> bytes:
    """A delivery that says nothing to us, of about this size."""
    empty = {"action": "labeled", "repository": {"id": 1, "full_name": "team/shop"}, "fill": ""}
    empty["fill"] = "x" * (size - len(json.dumps(empty)))
    return json.dumps(empty).encode()


def _send(url: str, until: float, body: bytes, found: list[Sent]) -> None:
    """Send on one connection until the time is up."""
    where = urlsplit(url)
    connection = HTTPConnection(where.hostname or "", where.port, timeout=30)
    connection.connect()
    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    signature = "sha256=" + hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    seconds, refused = [], 0
    while time.monotonic() < until:
        headers = {
            "Content-Type": "application/json",
            "X-GitHub-Event": "issues",
            "X-GitHub-Delivery": str(uuid.uuid4()),
            "X-Hub-Signature-256": signature,
        }
        begin = time.monotonic()
        connection.request("POST", "/webhook", body, headers)
        answer = connection.getresponse()
        answer.read()
        if answer.status == 202:
            seconds.append(time.monotonic() - begin)
        else:
            refused += 1
    connection.close()
    found.append(Sent(seconds, refused))


def generate(url: str, duration_seconds: float, answer: "multiprocessing.Queue[Sent]") -> None:
    """The load generator's process: all connections, and what they saw together."""
    body, found = body_of(BODY_BYTES), list[Sent]()
    until = time.monotonic() + duration_seconds
    threads = [
        threading.Thread(target=_send, args=(url, until, body, found)) for _ in range(CONNECTIONS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answer.put(Sent([s for one in found for s in one.seconds], sum(one.refused for one in found)))


def _stored(stage: Stage) -> int:
    engine = open_engine(f"sqlite:///{stage.folder}/var/inbox.db")
    with reading(engine) as connection:
        count = connection.execute(sa.select(sa.func.count()).select_from(deliveries)).scalar_one()
    engine.dispose()
    return int(count)


def main() -> None:
    """Take in as many as there come, and print how many that were."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    asked = parser.parse_args()
    before = load_now()
    context = multiprocessing.get_context("spawn")
    with bare_stage() as stage:
        start_doors(stage)
        answer: multiprocessing.Queue[Sent] = context.Queue()
        generator = context.Process(target=generate, args=(stage.bot_url, asked.seconds, answer))
        generator.start()
        sent = answer.get(timeout=asked.seconds + 60)
        generator.join()
        stored = _stored(stage)
    accepted = len(sent.seconds)
    half, most = (percentile(sent.seconds, share) * 1000 for share in (0.5, 0.99))
    Console(width=100).print(
        f"{accepted} accepted in {asked.seconds:.0f} s: [bold]{accepted / asked.seconds:.0f} a "
        f"second[/bold], p50 {half:.1f} ms, p99 {most:.1f} ms; {sent.refused} refused, "
        f"{accepted - stored} lost. {CONNECTIONS} connections; {before} before, {load_now()} after"
    )
    if stored < accepted:
        sys.exit("a delivery was accepted and not stored")


if __name__ == "__main__":
    main()
