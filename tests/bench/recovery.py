"""`make bench-recovery`: the time until work goes on after `kill -9` of each process.

A chain of changes is worked on by `headgate up`. Each process is killed at a bad time: a worker while
it holds the repository's lease, the web while runners report, the doorbell with all its rings. Two
times are printed, from the journal's database and the runners' answers: until the supervisor has
started the process again, and from then until work goes on, which is
* for a worker and the doorbell: the next reconcile (a new epoch of the lease) has written an event;
* for the web: the next order of a runner was leased and its report accepted;
* for the sweep: a hint without a ring was handled.
Numbers are printed and never asserted.
"""

import argparse
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import psutil
import sqlalchemy as sa
from rich.console import Console
from rich.table import Table

from bot.adapters.store.engine import open_engine, reading
from bot.adapters.store.journal import SqlJournal
from bot.adapters.store.tables import events, repository_leases
from bot.core.journal.effects import ImportBundle
from bot.core.state.observed import Hint, HintKind
from bot.core.values.ids import RepositoryId
from tests.bench import instant
from tests.bench.instant import RunnerThread
from tests.bench.overhead import chain, load_now
from tests.bench.stage import BenchFailed, Stage, open_stage, wait_until

SLOTS = ("worker-1", "worker-2", "web", "doorbell", "sweep")
_TIMEOUT_SECONDS = 60.0
# Time between two kills, so that each is measured alone.
_PAUSE_SECONDS = 1.0


@dataclass(frozen=True)
class Recovery:
    """One kill: the time until the restart, and from then until work went on."""

    slot: str
    restarted_seconds: float
    working_seconds: float


@dataclass(frozen=True)
class _Writing:
    """The lease, and the number of events."""

    holder: str
    epoch: int
    events: int


class _JournalObserver:
    """Reads the journal's database from another process."""

    def __init__(self, stage: Stage) -> None:
        self._engine = open_engine(f"sqlite:///{stage.folder}/var/journal.db")
        self._journal = SqlJournal(self._engine)

    def writing(self) -> _Writing:
        with reading(self._engine) as connection:
            row = connection.execute(sa.select(repository_leases)).one()
            written = connection.execute(
                sa.select(sa.func.count()).select_from(events)
            ).scalar_one()
        return _Writing(row.holder, row.epoch, written)

    def hint(self) -> None:
        """Store a hint without a ring; only the sweep will find it."""
        repository = self._repository()
        self._journal.put_hints(repository, (Hint(kind=HintKind.AGAIN),))

    def is_handled(self) -> bool:
        """Whether no hint waits."""
        return not self._journal.hints(self._repository())

    def _repository(self) -> RepositoryId:
        return self._journal.repositories()[0]


def process_of(stage: Stage, slot: str) -> psutil.Process | None:
    """The child of `headgate up` in a slot, if it runs."""
    if stage.bot is None:
        return None
    for child in psutil.Process(stage.bot.pid).children():
        try:
            is_doorbell = child.name().startswith(("valkey", "redis"))
            if ("doorbell" if is_doorbell else child.name()) == slot and child.status() != "zombie":
                return child
        except psutil.Error:
            continue
    return None


def _kill(stage: Stage, slot: str) -> tuple[float, float]:
    """Returns when it was killed, and when it was started again (monotonic)."""
    process = process_of(stage, slot)
    if process is None:
        raise BenchFailed(f"{slot} does not run")
    process.kill()
    killed = time.monotonic()

    def is_back() -> bool:
        found = process_of(stage, slot)
        return found is not None and found.pid != process.pid

    wait_until(is_back, f"a new {slot}", _TIMEOUT_SECONDS)
    return killed, time.monotonic()


def _measure(stage: Stage, slot: str, has_worked: Callable[[], bool]) -> Recovery:
    killed, restarted = _kill(stage, slot)
    wait_until(has_worked, f"work after the end of {slot}", _TIMEOUT_SECONDS)
    working = max(0.0, time.monotonic() - restarted)
    return Recovery(slot, restarted - killed, working)


def _kill_worker(stage: Stage, observer: _JournalObserver, slot: str) -> Recovery:
    wait_until(lambda: observer.writing().holder.endswith(f"/{slot}"), f"a lease of {slot}", 30.0)
    return _measure(stage, slot, _next_reconcile(observer))


def _next_reconcile(observer: _JournalObserver) -> Callable[[], bool]:
    before = observer.writing()

    def has_written() -> bool:
        now = observer.writing()
        return now.epoch > before.epoch and now.events > before.events

    return has_written


def _kill_web(stage: Stage, runners: list[RunnerThread]) -> Recovery:
    # While no runner sends a request: the harness's repetitions are not measured here.
    wait_until(lambda: _is_importing(stage), "a bundle to import", _TIMEOUT_SECONDS)
    begin = datetime.now(UTC)

    def has_reported() -> bool:
        return any(t.taken_at > begin for r in runners for t in r.turns)

    return _measure(stage, "web", has_reported)


def _is_importing(stage: Stage) -> bool:
    return any(isinstance(e, ImportBundle) for e in stage.state().open_effects.values())


def _kill_sweep(stage: Stage, observer: _JournalObserver) -> Recovery:
    """No other work is open, and nothing rings for the hint."""
    killed, restarted = _kill(stage, "sweep")
    observer.hint()
    wait_until(observer.is_handled, "a look at a hint", _TIMEOUT_SECONDS)
    return Recovery("sweep", restarted - killed, time.monotonic() - restarted)


def _one_round(stage: Stage, runners: list[RunnerThread], changes: int) -> list[Recovery]:
    observer = _JournalObserver(stage)
    pause = threading.Event()
    issue = stage.plan(chain(changes))
    pause.wait(_PAUSE_SECONDS)
    found = [_kill_sweep(stage, observer)]
    stage.approve(issue)
    for slot in SLOTS:
        if stage.is_over():
            raise BenchFailed("the run was over before every process was killed: more --changes")
        match slot:
            case "web":
                found.append(_kill_web(stage, runners))
            case "doorbell":
                found.append(_measure(stage, slot, _next_reconcile(observer)))
            case "sweep":
                continue
            case _:
                found.append(_kill_worker(stage, observer, slot))
        pause.wait(_PAUSE_SECONDS)
    wait_until(stage.is_over, "the end of the run after all kills", 300.0)
    return found


def main() -> None:
    """Kill every process `--rounds` times and print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--changes", type=int, default=14)
    asked = parser.parse_args()
    console = Console(width=100)
    found: dict[str, list[Recovery]] = defaultdict(list)
    before = load_now()
    for _ in range(asked.rounds):
        with (
            open_stage() as stage,
            tempfile.TemporaryDirectory() as scratch,
            instant.running(stage.hub_url, Path(scratch)) as runners,
        ):
            for recovery in _one_round(stage, runners, asked.changes):
                found[recovery.slot].append(recovery)
    console.print(f"Every run ended well. {before} before, {load_now()} after")
    table = Table("killed", "restarted after, s", "work went on after, s")
    for slot, many in found.items():
        back = "  ".join(f"{r.restarted_seconds:.2f}" for r in many)
        on = "  ".join(f"{r.working_seconds:.2f}" for r in many)
        table.add_row(slot, back, on)
    console.print(table)


if __name__ == "__main__":
    main()
