"""`make bench-growth`: what a repository costs as its journal grows, and a thousand that are quiet.

One change is played for once in a whole Headgate beside a localhub; journals of any length are
copies of it (`grown_journal`), written straight into the database. Times are processor time of the
thread that works, without localhub's. Numbers are printed and never asserted.

    python -m tests.bench.growth [--quick] [--changes 10 100 1000 10000] [--crowds 10 1000 10000] [--quiet 1000]
"""

import argparse
import multiprocessing
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil
import sqlalchemy as sa
from rich.console import Console
from rich.table import Table

from bot.adapters.store.engine import open_engine, reading
from bot.adapters.store.journal import SqlJournal
from bot.adapters.store.snapshots import Folded, SqlSnapshots
from bot.adapters.store.tables import snapshots
from bot.core.decide.specs.retire_spec_runs import record_of
from bot.core.journal.effects import React
from bot.core.journal.events import CommandAnswered, EffectIntended
from bot.core.journal.state import snapshot_of, state_of
from bot.core.state.observed import Hint, HintKind
from bot.core.values.ids import RepositoryId
from bot.shell.reconcile import reconcile
from tests.bench import crowds, grown_journal
from tests.bench.crowds import Crowd
from tests.bench.grown_journal import Recorded
from tests.bench.overhead import load_now
from tests.bench.quiet import measure_all, measure_quiet
from tests.testkit.crash import ports_on_story_clock
from tests.testkit.house import House, house
from tests.testkit.specs import requirement, spec

_SPAWN = multiprocessing.get_context("spawn")
_TICKS = 9


@dataclass(frozen=True)
class Loaded:
    """What a fresh process paid for the state: seconds of its processor, and bytes it kept."""

    cpu: float
    kept: int


@dataclass(frozen=True)
class Measured:
    """One length of journal. Seconds of processor time; sizes in bytes."""

    changes: int
    events: int
    database: int
    fold: Loaded
    load: Loaded
    snapshot: int
    dump: float
    parse: float
    quiet: float
    look: float
    effect: float


def _load_apart(url: str, repository: int, answer: "multiprocessing.Queue[Loaded]") -> None:
    journal = SqlJournal(open_engine(url))
    journal.repositories()
    process = psutil.Process()
    before, cpu = process.memory_info().rss, time.process_time()
    state = journal.load(RepositoryId(repository))
    took = time.process_time() - cpu
    answer.put(Loaded(took, process.memory_info().rss - before if state.facts else 0))


def _loaded(url: str, repository: RepositoryId) -> Loaded:
    answer: multiprocessing.Queue[Loaded] = _SPAWN.Queue()
    process = _SPAWN.Process(target=_load_apart, args=(url, int(repository), answer))
    process.start()
    found = answer.get()
    process.join()
    return found


def _timed(deed: Callable[[], object]) -> float:
    before = time.thread_time()
    deed()
    return time.thread_time() - before


def _median(deed: Callable[[], object]) -> float:
    return statistics.median(_timed(deed) for _ in range(_TICKS))


def _measure(shop: House, recorded: Recorded | Crowd, changes: int) -> Measured:
    repository = RepositoryId(shop.hub.repository(shop.full_name).id)
    url = shop.settings.journal_url
    engine = open_engine(url)
    now = shop.clock.now()
    count = grown_journal.write(engine, repository, recorded, changes - 1, now)
    fold = _loaded(url, repository)
    shop.restart(ports_on_story_clock(shop))
    _take_snapshot(shop, engine, repository)
    with reading(engine) as connection:
        size = connection.execute(sa.select(sa.func.length(snapshots.c.body))).scalar() or 0
    state = shop.state
    dump = _timed(lambda: snapshot_of(state))
    text = snapshot_of(state)
    parse = _timed(lambda: state_of(text))

    def tick() -> None:
        reconcile(shop.ports, shop.observer, repository)

    def look() -> None:
        shop.ports.journal.put_hints(repository, (Hint(kind=HintKind.EVERYTHING),))
        tick()

    comment = next(e.comment for e in recorded.change if isinstance(e, CommandAnswered))

    def effect() -> None:
        lease = shop.ports.journal.acquire(repository, shop.ports.holder, shop.clock.now())
        assert lease is not None
        react = EffectIntended(effect=React(comment=comment, content="eyes"))
        shop.ports.journal.append(lease, (react,), shop.clock.now())
        shop.ports.journal.release(lease)
        tick()

    look()
    measured = Measured(
        changes=changes,
        events=count,
        database=(shop.settings.var / "journal.db").stat().st_size,
        fold=fold,
        load=_loaded(url, repository),
        snapshot=size,
        dump=dump,
        parse=parse,
        quiet=_median(tick),
        look=_median(look),
        effect=_median(effect),
    )
    engine.dispose()
    return measured


def _take_snapshot(shop: House, engine: sa.Engine, repository: RepositoryId) -> None:
    """As it is right after one: how many events stand behind the last is chance."""
    number = shop.ports.journal.length(repository)
    SqlSnapshots(engine).take(repository, Folded(number, shop.state, base=number))


def _commits(deed: Callable[[], object]) -> Counter[str]:
    """Commits while something is done, by database."""
    found: Counter[str] = Counter()

    def note(connection: sa.Connection) -> None:
        found[Path(connection.engine.url.database or "").stem] += 1

    sa.event.listen(sa.Engine, "commit", note)
    try:
        deed()
    finally:
        sa.event.remove(sa.Engine, "commit", note)
    return found


def _play(shop: House, console: Console) -> Recorded:
    """One change from its spec to its report; says what the database was asked for."""
    before = len(shop.every_event())
    tracking = shop.plan(spec(requirement("TILL")))
    planned = len(shop.every_event())

    def approve() -> None:
        shop.ask(tracking, "/headgate approve")
        shop.work()

    commits = _commits(approve)
    repository = RepositoryId(shop.hub.repository(shop.full_name).id)
    # Every ten minutes all is looked at, as here: then it is known which comments are no news.
    shop.ports.journal.put_hints(repository, (Hint(kind=HintKind.EVERYTHING),))
    reconcile(shop.ports, shop.observer, repository)
    records = tuple(shop.ports.journal.records(repository, 0))
    (run,) = shop.state.spec_runs.values()
    recorded = Recorded(
        tuple(r.event for r in records[:before]),
        tuple(r.event for r in records[before:]),
        record_of(shop.state, run),
    )
    console.print(
        f"One change from approval to told: {commits['journal']} commits to the journal's database "
        f"for {len(records) - planned} events, and {commits['inbox']} to the inbox"
    )
    return recorded


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small journals, few repositories")
    parser.add_argument("--changes", type=int, nargs="+", default=(10, 100, 1_000, 10_000))
    parser.add_argument("--crowds", type=int, nargs="+", default=(10, 1_000, 10_000))
    parser.add_argument(
        "--quiet", type=int, default=200, help="repositories that are measured, 0: none"
    )
    parser.add_argument("--only", choices=("long", "crowds", "quiet"), default=None)
    asked = parser.parse_args()
    console = Console(width=140)
    console.print(load_now())
    with tempfile.TemporaryDirectory() as folder, house(Path(folder)) as shop:
        recorded = _play(shop, console)
        if asked.only in {None, "long"}:
            sizes = (10, 100) if asked.quick else asked.changes
            _print(console, "changes", [_measure(shop, recorded, changes) for changes in sizes])
        if asked.only in {None, "crowds"}:
            sizes = (10, 100) if asked.quick else asked.crowds
            for kind in crowds.KINDS:
                crowd = Crowd(recorded, kind, shop.clock.now())
                _print(console, kind, [_measure(shop, crowd, count + 1) for count in sizes])
        if asked.only in {None, "quiet"}:
            console.print(measure_quiet(shop, recorded, 4 if asked.quick else 20))
            if asked.quiet and not asked.quick:
                console.print(measure_all(shop, recorded, asked.quiet))
    console.print(load_now())


def _print(console: Console, kind: str, rows: list[Measured]) -> None:
    table = Table(title="One repository (processor time; MB are 1,000,000 bytes)")
    heads = (kind, "events", "database", "fold all", "a fold", "load", "memory", "snapshot")
    for head in (*heads, "dump", "parse", "quiet tick", "full look", "one effect"):
        table.add_column(head, justify="right")
    for m in rows:
        table.add_row(
            f"{m.changes - (kind != 'changes'):,}",
            f"{m.events:,}",
            f"{m.database / 1e6:,.1f} MB",
            f"{m.fold.cpu:,.2f} s",
            f"{m.fold.cpu / m.events * 1e6:,.0f} µs",
            f"{m.load.cpu:,.3f} s",
            f"{m.load.kept / 1e6:,.1f} MB",
            f"{m.snapshot / 1e6:,.2f} MB",
            *(f"{s * 1e3:,.1f} ms" for s in (m.dump, m.parse, m.quiet, m.look, m.effect)),
        )
    console.print(table)


if __name__ == "__main__":
    main()
