"""`make bench-recovery`: how soon work goes on after `kill -9` of any one process.

A chain of changes is under way under `headgate up`; one process after another is killed where it
hurts: a worker while it holds the repository's lease, the web while runners report, the doorbell
with all its nudges. Two times are printed, from the journal's database and from what runners were
answered: until the supervisor had it back, and from then until work goes on, which is
* for a worker and the doorbell: the next reconcile (a new epoch of the lease) has written an event;
* for the web: the next order of a runner was leased and its report accepted;
* for the sweep: a hint that nobody rang for was looked at.
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
_PATIENCE_SECONDS = 60.0
# Between two kills work is let run, so that each is felt on its own.
_PAUSE_SECONDS = 1.0


@dataclass(frozen=True)
class Recovery:
    """One kill: until it was there again, and from then until work went on."""

    slot: str
    restarted_seconds: float
    working_seconds: float


@dataclass(frozen=True)
class _Writing:
    """Who may write now, and how much was written."""

    holder: str
    epoch: int
    events: int


class _Onlooker:
    """Looks into the journal's database from outside."""

    def __init__(self, stage: Stage) -> None:
        self._engine = open_engine(f"sqlite:///{stage.folder}/var/journal.db")
        self._journal = SqlJournal(self._engine)

    def writing(self) -> _Writing:
        """The lease and the length of the journal."""
        with reading(self._engine) as connection:
            row = connection.execute(sa.select(repository_leases)).one()
            written = connection.execute(
                sa.select(sa.func.count()).select_from(events)
            ).scalar_one()
        return _Writing(row.holder, row.epoch, written)

    def hint(self) -> None:
        """Leave word without ringing; only the sweep will see it."""
        repository = self._repository()
        self._journal.put_hints(repository, (Hint(kind=HintKind.AGAIN),))

    def is_heard(self) -> bool:
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
    """Kill it; when, and when another was there (monotonic)."""
    victim = process_of(stage, slot)
    if victim is None:
        raise BenchFailed(f"{slot} does not run")
    victim.kill()
    killed = time.monotonic()

    def is_back() -> bool:
        found = process_of(stage, slot)
        return found is not None and found.pid != victim.pid

    wait_until(is_back, f"a new {slot}", _PATIENCE_SECONDS)
    return killed, time.monotonic()


def _measure(stage: Stage, slot: str, has_worked: Callable[[], bool]) -> Recovery:
    killed, restarted = _kill(stage, slot)
    wait_until(has_worked, f"work after the end of {slot}", _PATIENCE_SECONDS)
    working = max(0.0, time.monotonic() - restarted)
    return Recovery(slot, restarted - killed, working)


def _kill_worker(stage: Stage, onlooker: _Onlooker, slot: str) -> Recovery:
    wait_until(lambda: onlooker.writing().holder.endswith(f"/{slot}"), f"a lease of {slot}", 30.0)
    return _measure(stage, slot, _next_reconcile(onlooker))


def _next_reconcile(onlooker: _Onlooker) -> Callable[[], bool]:
    before = onlooker.writing()

    def has_written() -> bool:
        now = onlooker.writing()
        return now.epoch > before.epoch and now.events > before.events

    return has_written


def _kill_web(stage: Stage, runners: list[RunnerThread]) -> Recovery:
    # While no runner speaks: an answer that is lost is the harness's to bear, not measured here.
    wait_until(lambda: _is_importing(stage), "a bundle to import", _PATIENCE_SECONDS)
    begin = datetime.now(UTC)

    def has_reported() -> bool:
        return any(t.taken_at > begin for r in runners for t in r.turns)

    return _measure(stage, "web", has_reported)


def _is_importing(stage: Stage) -> bool:
    return any(isinstance(e, ImportBundle) for e in stage.state().open_effects.values())


def _kill_sweep(stage: Stage, onlooker: _Onlooker) -> Recovery:
    """Nothing else is going on, and nobody rings for the hint."""
    killed, restarted = _kill(stage, "sweep")
    onlooker.hint()
    wait_until(onlooker.is_heard, "a look at a hint", _PATIENCE_SECONDS)
    return Recovery("sweep", restarted - killed, time.monotonic() - restarted)


def _one_round(stage: Stage, runners: list[RunnerThread], changes: int) -> list[Recovery]:
    onlooker = _Onlooker(stage)
    pause = threading.Event()
    issue = stage.plan(chain(changes))
    pause.wait(_PAUSE_SECONDS)
    found = [_kill_sweep(stage, onlooker)]
    stage.approve(issue)
    for slot in SLOTS:
        if stage.is_over():
            raise BenchFailed("the run was over before every process was killed: more --changes")
        match slot:
            case "web":
                found.append(_kill_web(stage, runners))
            case "doorbell":
                found.append(_measure(stage, slot, _next_reconcile(onlooker)))
            case "sweep":
                continue
            case _:
                found.append(_kill_worker(stage, onlooker, slot))
        pause.wait(_PAUSE_SECONDS)
    wait_until(stage.is_over, "the end of the run after all kills", 300.0)
    return found


def main() -> None:
    """Kill everything so many times, and print how it went on."""
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
    table = Table("killed", "there again after, s", "then work went on after, s")
    for slot, many in found.items():
        back = "  ".join(f"{r.restarted_seconds:.2f}" for r in many)
        on = "  ".join(f"{r.working_seconds:.2f}" for r in many)
        table.add_row(slot, back, on)
    console.print(table)


if __name__ == "__main__":
    main()
