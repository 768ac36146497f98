"""`make bench-ingest`: the rate at which webhooks are accepted, and whether any is lost.

`headgate serve` (no workers) is compared with a server of gidgethub and aiohttp and, where Node is
installed, one of Probot, which both do one Redis write. Each gets a burst, then deliveries at half of
the burst's rate. Numbers are printed; the only assertion is that no accepted delivery is lost.
"""

import argparse
import multiprocessing
import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from tests.bench.doors import Door, gidgethub, has_probot, headgate, probot
from tests.bench.hail import BODY_BYTES, CONNECTIONS, Hail, Sent, hail
from tests.bench.overhead import load_now
from tests.bench.walk import percentile

_PATIENCE_SECONDS = 300.0
_WARM_UP = 500
_SPAWN = multiprocessing.get_context("spawn")


@dataclass(frozen=True)
class Measured:
    """The results of one server; `cpu_us` is its processor time per delivery of the burst."""

    burst: Sent
    half: Sent
    lost: int
    cpu_us: float


def _apart(asked: Hail, answer: "multiprocessing.Queue[Sent]") -> None:
    answer.put(hail(asked))


def sent_apart(asked: Hail) -> Sent:
    """Sent from another process, which shares only the processors with the server."""
    answer: multiprocessing.Queue[Sent] = _SPAWN.Queue()
    sender = _SPAWN.Process(target=_apart, args=(asked, answer))
    sender.start()
    sent = answer.get(timeout=_PATIENCE_SECONDS)
    sender.join()
    return sent


def measure(opened: AbstractContextManager[Door], count: int) -> Measured:
    """A burst, then half of its pace for as many seconds."""
    with opened as door:
        warm = sent_apart(Hail(door.url, _WARM_UP))
        before = door.cpu_seconds()
        burst = sent_apart(Hail(door.url, count))
        cpu = door.cpu_seconds() - before
        half = sent_apart(Hail(door.url, max(_WARM_UP, count // 2), burst.a_second / 2))
        accepted = sum(len(one.seconds) for one in (warm, burst, half))
        lost = accepted - door.kept()
    return Measured(burst, half, lost, 1e6 * cpu / count)


def main() -> None:
    """Measure every installed server and print the results side by side."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000, help="deliveries of the burst")
    asked = parser.parse_args()
    doors: dict[str, Callable[[], AbstractContextManager[Door]]] = {
        "Headgate: gunicorn, one durable row": headgate,
        "gidgethub + aiohttp, one Redis write": gidgethub,
    }
    if has_probot():
        doors["Probot, one Redis write"] = probot
    before = load_now()
    found = {name: measure(opened(), asked.count) for name, opened in doors.items()}
    console = Console(width=max(110, int(os.environ.get("COLUMNS", "110"))))
    console.print(_table(found, asked.count))
    console.print(
        f"{BODY_BYTES / 1000:.0f} kB each, {CONNECTIONS} connections that stay open, one process a "
        f"door; {before} before, {load_now()} after."
    )
    if not has_probot():
        console.print("Probot is not here: `make node` installs it.")
    if any(one.lost or one.burst.refused or one.half.refused for one in found.values()):
        sys.exit("a delivery was refused, or accepted and not kept")


def _table(found: dict[str, Measured], count: int) -> Table:
    table = Table(
        *("door", "a second", "of the first", "p50 ms", "p99 ms", "half: p50", "half: p99"),
        *("CPU µs each", "lost"),
        title=f"A burst of {count:,}, then half of its pace",
    )
    first = next(iter(found.values()))
    for name, one in found.items():
        burst = [percentile(one.burst.seconds, share) * 1000 for share in (0.5, 0.99)]
        half = [percentile(one.half.seconds, share) * 1000 for share in (0.5, 0.99)]
        table.add_row(
            name,
            f"{one.burst.a_second:.0f}",
            f"{one.burst.a_second / first.burst.a_second:.2f}",
            *(f"{value:.1f}" for value in (*burst, *half)),
            f"{one.cpu_us:.0f}",
            str(one.lost),
        )
    return table


if __name__ == "__main__":
    main()
