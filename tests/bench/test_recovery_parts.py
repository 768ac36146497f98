"""A dead worker's lease is released at once, and an orphan process ends."""

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest

from bot.adapters.store.engine import migrate, open_engine
from bot.adapters.store.journal import SqlJournal
from bot.core.values.ids import RepositoryId
from bot.ports import LeaseLost
from tests.bench.stage import wait_until
from tests.needs import needs_linux

NOW = datetime(2030, 1, 1, tzinfo=UTC)
SHOP = RepositoryId(7)


def journal(folder: Path) -> SqlJournal:
    engine = open_engine(f"sqlite:///{folder}/journal.db")
    inbox = open_engine(f"sqlite:///{folder}/inbox.db")
    migrate(engine, inbox)
    inbox.dispose()
    return SqlJournal(engine)


def test_the_leases_of_a_dead_holder_are_released_and_their_epoch_ends(tmp_path: Path) -> None:
    store = journal(tmp_path)
    dead = store.acquire(SHOP, "here/worker-1", NOW)
    assert dead is not None
    assert store.acquire(SHOP, "here/worker-2", NOW) is None

    freed = store.release_all_of("here/worker-1", NOW)

    assert freed == (SHOP,)
    assert store.acquire(SHOP, "here/worker-2", NOW) is not None
    with pytest.raises(LeaseLost):
        store.append(dead, (), NOW)


def test_the_leases_of_other_holders_stay(tmp_path: Path) -> None:
    store = journal(tmp_path)
    held = store.acquire(SHOP, "here/worker-1", NOW)
    assert held is not None

    assert store.release_all_of("here/worker-2", NOW) == ()
    assert store.acquire(SHOP, "here/worker-2", NOW) is None
    store.append(held, (), NOW)


@needs_linux
def test_an_orphan_dies_with_the_process_that_started_it() -> None:
    # The child reports that it is ready; the parent waits until it is killed.
    child = "from bot.entry.die_with_parent import die_with_parent as d; import signal, time; d(signal.SIGKILL); print('r', flush=True); time.sleep(60)"
    parent = f"import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', {child!r}]); print(p.pid, flush=True); p.wait()"
    process = subprocess.Popen(
        [sys.executable, "-c", parent],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert process.stdout is not None
    orphan = int(process.stdout.readline())
    assert process.stdout.readline() == b"r\n"

    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()

    def is_gone() -> bool:
        return not psutil.pid_exists(orphan) or psutil.Process(orphan).status() == "zombie"

    wait_until(is_gone, "the end of the orphan", 10)
