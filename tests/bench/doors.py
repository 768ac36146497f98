"""The webhook servers that are compared: Headgate's own, gidgethub with aiohttp, and Probot.

Each is a context manager that counts stored deliveries in the server's own store. All run on the same
machine with the same sender.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import redis
import sqlalchemy as sa
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from bot.adapters.store.engine import open_engine, reading
from bot.adapters.store.tables import deliveries
from bot.demo.process_tree import processes_below
from bot.entry.valkey import valkey_argv, valkey_program
from tests.bench.peer_aiohttp import LIST
from tests.bench.stage import BenchFailed, Stage, answers, bare_stage, start_doors, wait_until
from tests.contract.foreign import NODE, NODE_PROGRAM
from tests.testkit.hub_setup import SECRET

_TICKS_A_SECOND = 100


@dataclass(frozen=True)
class Door:
    """A webhook server: its URL, the deliveries it has stored, and its processor time."""

    url: str
    kept: Callable[[], int]
    cpu_seconds: Callable[[], float]


@contextmanager
def headgate() -> Iterator[Door]:
    """`headgate serve`: gunicorn and SQLite, synced at every commit; Valkey as the doorbell."""
    with bare_stage() as stage:
        web = start_doors(stage)
        yield Door(
            f"{stage.bot_url}/webhook",
            lambda: rows_kept(stage.folder),
            lambda: _cpu_of(web.pid),
        )


@contextmanager
def gidgethub() -> Iterator[Door]:
    """gidgethub's checks in an aiohttp server that does one Redis write first."""
    with bare_stage() as stage:
        store = _valkey(stage)
        port = stage.bot_url.rpartition(":")[2]
        argv = (sys.executable, "-m", "tests.bench.peer_aiohttp", port, store)
        yield _peer(stage, stage.start("aiohttp", argv, {}), store)


def has_probot() -> bool:
    """Whether Probot is installed."""
    return (NODE / "node_modules" / "probot").is_dir()


@contextmanager
def probot() -> Iterator[Door]:
    """Probot with a handler that does one Redis write."""
    with bare_stage() as stage:
        store = _valkey(stage)
        key = stage.folder / "probot.pem"
        key.write_bytes(
            rsa.generate_private_key(65537, 2048).private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.TraditionalOpenSSL,
                serialization.NoEncryption(),
            )
        )
        port = stage.bot_url.rpartition(":")[2]
        argv = (NODE_PROGRAM, str(NODE / "probot_door.mjs"), port, store, SECRET, str(key))
        yield _peer(stage, stage.start("probot", argv, {"NODE_ENV": "production"}), store)


def _peer(stage: Stage, process: "subprocess.Popen[bytes]", store: str) -> Door:
    wait_until(lambda: answers(f"{stage.bot_url}/healthz"), "the peer's door")
    kept = redis.Redis(unix_socket_path=store)
    return Door(
        f"{stage.bot_url}/webhook",
        lambda: int(str(kept.llen(LIST))),
        lambda: _cpu_of(process.pid),
    )


def _valkey(stage: Stage) -> str:
    var = stage.folder / "var"
    var.mkdir()
    server = valkey_program()
    if server is None:
        raise BenchFailed("there is no Valkey on this machine")
    stage.start("valkey", valkey_argv(server, var), {})
    socket = var / "valkey.sock"
    wait_until(socket.exists, "Valkey")
    return str(socket)


def rows_kept(folder: Path) -> int:
    """Deliveries in the inbox of a stage's server."""
    engine = open_engine(f"sqlite:///{folder}/var/inbox.db")
    with reading(engine) as connection:
        count = connection.execute(sa.select(sa.func.count()).select_from(deliveries)).scalar_one()
    engine.dispose()
    return int(count)


def _cpu_of(root: int) -> float:
    """Processor seconds of a process and its children (proc(5), fields 14 and 15)."""
    total = 0
    for pid in (root, *(facts.pid for facts in processes_below(root))):
        stat = Path(f"/proc/{pid}/stat")
        if stat.exists():
            fields = stat.read_text().rpartition(")")[2].split()
            total += int(fields[11]) + int(fields[12])
    return total / _TICKS_A_SECOND
