"""`make bench-siege`: a burst of deliveries beside half-open sockets and large bodies.

`headgate serve` alone, on loopback. Printed: what was lost, how fast the burst was taken, and the most
memory that the web process has had.
"""

import argparse
import contextlib
import socket
import stat
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psutil

from bot.shell.orders import BUNDLE_BYTES_MAX
from tests.bench.doors import rows_kept
from tests.bench.hail import Hail
from tests.bench.ingest import sent_apart
from tests.bench.stage import bare_stage, start_doors

_HALF = b"POST /webhook HTTP/1.1\r\nHost: a\r\nX-"
_PIECE = b"x" * 65_536
# A heap has grown by then, and a peak lasts longer.
_LOOK_SECONDS = 0.05


@dataclass(frozen=True)
class Siege:
    """What came of it; `bodies_kept` is what large bodies left under the data folder."""

    lost: int
    refused: int
    a_second: float
    peak_bytes: int
    bodies_kept: int
    open_to_others: tuple[str, ...]


def besiege(deliveries: int, half_open: int, bodies: int) -> Siege:
    """A server of its own, all of it at once."""
    with bare_stage() as stage:
        web = start_doors(stage)
        process = psutil.Process(web.pid)
        stop = threading.Event()
        with (
            _memory_of(process, stop) as peak,
            _sockets(stage.bot_url, half_open),
            _bodies(stage.bot_url, bodies, stop),
        ):
            sent = sent_apart(Hail(f"{stage.bot_url}/webhook", deliveries))
            stop.set()
        kept = rows_kept(stage.folder)
        files = [file for file in Path(stage.folder, "var", "blobs").rglob("*") if file.is_file()]
        return Siege(
            lost=len(sent.seconds) - kept,
            refused=deliveries - len(sent.seconds),
            a_second=sent.a_second,
            peak_bytes=max(peak),
            bodies_kept=len(files),
            open_to_others=tuple(_open_to_others(Path(stage.folder, "var"))),
        )


def _open_to_others(var: Path) -> Iterator[str]:
    """What of the server's own files others may read; the bench itself starts Valkey."""
    for path in (var, *var.rglob("*")):
        if stat.S_IMODE(path.stat().st_mode) & 0o077 and "valkey" not in path.name:
            yield str(path)


@contextlib.contextmanager
def _memory_of(process: psutil.Process, stop: threading.Event) -> Iterator[list[int]]:
    """The memory of the largest of a process and its children, looked at again and again."""
    seen = [0]

    def look() -> None:
        while not stop.wait(_LOOK_SECONDS):
            for one in (process, *process.children(recursive=True)):
                with contextlib.suppress(psutil.Error):
                    seen.append(one.memory_info().rss)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        stop.set()
        thread.join()


def _connect(url: str) -> socket.socket:
    where = urlsplit(url)
    return socket.create_connection((where.hostname or "", where.port or 80), timeout=30)


@contextlib.contextmanager
def _sockets(url: str, count: int) -> Iterator[None]:
    """Requests that begin and never go on."""
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            made = stack.enter_context(_connect(url))
            made.sendall(_HALF)
        yield


@contextlib.contextmanager
def _bodies(url: str, count: int, stop: threading.Event) -> Iterator[None]:
    """Bundles without a token, half of them signed by nobody to the webhook; again and again."""

    def send(number: int) -> None:
        size, path = (BUNDLE_BYTES_MAX, "PUT /runner/orders/x/bundle")
        if number % 2:
            size, path = (24 * 1024**2, "POST /webhook")
        head = (
            f"{path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            f"X-Hub-Signature-256: sha256=00\r\nContent-Length: {size}\r\n\r\n"
        )
        while not stop.is_set():
            with contextlib.suppress(OSError), _connect(url) as made:
                made.sendall(head.encode())
                for _ in range(size // len(_PIECE)):
                    made.sendall(_PIECE)
                made.recv(1)
            stop.wait(1.0)

    threads = [threading.Thread(target=send, args=(n,), daemon=True) for n in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join(30)


def main() -> None:
    """Print the numbers; exit code 1 if a delivery was lost or too much memory was used."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deliveries", type=int, default=10_000)
    parser.add_argument("--half-open", type=int, default=100)
    parser.add_argument("--bodies", type=int, default=8)
    asked = parser.parse_args()
    found = besiege(asked.deliveries, asked.half_open, asked.bodies)
    sys.stdout.write(
        f"{asked.deliveries:,} deliveries beside {asked.half_open} half-open sockets and "
        f"{asked.bodies} large bodies: {found.lost} lost, {found.refused} refused, "
        f"{found.a_second:,.0f} a second, {found.peak_bytes / 1024**2:.0f} MiB at most\n"
    )
    sys.exit(1 if found.lost or found.refused or found.peak_bytes > 300 * 1024**2 else 0)


if __name__ == "__main__":
    main()
