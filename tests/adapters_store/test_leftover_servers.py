"""The tests leave no server behind, even if they are interrupted."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

_A_RUN = """
import time
from tests.testkit.own_postgres import own_postgres
with own_postgres() as url:
    print(url, flush=True)
    time.sleep(600)
"""


def _is_there(process: int) -> bool:
    try:
        return "postgres" in Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return False


@pytest.mark.parametrize("ended_by", [signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_test_run_leaves_no_postgres_server(ended_by: signal.Signals) -> None:
    folder = Path(tempfile.gettempdir())
    before = set(folder.glob("headgate-postgres-*/postmaster.pid"))
    run = subprocess.Popen([sys.executable, "-c", _A_RUN], stdout=subprocess.PIPE, text=True)
    assert run.stdout is not None
    url = run.stdout.readline()
    assert url.startswith("postgresql+psycopg://")
    ours = set(folder.glob("headgate-postgres-*/postmaster.pid")) - before
    servers = {
        int(file.read_text().split()[0]): file.parent for file in ours if file.parent.name in url
    }
    (server,) = servers
    assert _is_there(server)

    os.kill(run.pid, ended_by)
    run.communicate()

    until = time.monotonic() + 20
    while time.monotonic() < until and (_is_there(server) or servers[server].exists()):
        time.sleep(0.05)
    assert not _is_there(server)
    assert not servers[server].exists()


# What starts it, and a word of its command line.
OTHERS = {
    "valkey": ("from tests.testkit.valkey import valkey as server", "valkey"),
    "redis": ("from tests.testkit.real_servers import real_redis as server", "redis"),
    "postgres": ("from tests.testkit.real_servers import real_postgres as server", "postgres"),
}
_ANOTHER_RUN = """
import os, time
from pathlib import Path
{start}
with server():
    mine = Path(f"/proc/{{os.getpid()}}/task/{{os.getpid()}}/children").read_text()
    print(mine, flush=True)
    time.sleep(600)
"""


@pytest.mark.parametrize("ended_by", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("name", OTHERS)
def test_an_interrupted_test_run_leaves_no_other_server(
    name: str, ended_by: signal.Signals
) -> None:
    start, word = OTHERS[name]
    run = subprocess.Popen(
        [sys.executable, "-c", _ANOTHER_RUN.format(start=start)], stdout=subprocess.PIPE, text=True
    )
    assert run.stdout is not None
    children = [Path(f"/proc/{child}") for child in run.stdout.readline().split()]
    (server,) = [one for one in children if word in (one / "cmdline").read_text().split("\0")[0]]

    os.kill(run.pid, ended_by)
    run.communicate()

    until = time.monotonic() + 20
    while time.monotonic() < until and (server / "cmdline").exists() and _command(server):
        time.sleep(0.05)
    assert not _command(server)


def _command(process: Path) -> str:
    try:
        return (process / "cmdline").read_text()
    except OSError:
        return ""
