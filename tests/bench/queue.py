"""`make bench-queue`: what a long queue costs, how often work is judged, how soon and dear it lands.

Deciding and judging are counted in a scripted world without processes; landings in real ones, with
runners that take no time. Numbers are printed and never asserted.

    python -m tests.bench.queue [--entries 200] [--rounds 50] [--changes 12] [--only core]
"""

import argparse
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

from action.order import AgentOrder, GateOrder
from bot.core.decide.decide import decide
from bot.core.decide.queue.land import view_of
from bot.core.decide.queue.plan import plan
from bot.core.journal.state import LedgerKind
from bot.core.state.observed import Hint
from bot.core.state.queue_order import SERIAL, entries
from bot.core.state.queue_view import queue_view
from bot.core.state.rivals import rivals_of_all
from tests.bench import instant
from tests.bench.calls import APART, counted
from tests.bench.overhead import independent, load_now
from tests.bench.stage import open_stage, wait_until
from tests.bench.walk import Observed, Segment, Stretch, all_segments, percentile
from tests.core.kit import EVERYTHING, World, approved, read_good
from tests.core.test_stories_of_rival_specs import put
from tests.core.values import GATES, beside

_TIMEOUT_SECONDS = 300.0
_PULLS = 5
_CHANGES_A_SPEC = 10
_NOTHING: tuple[Hint, ...] = ()


@dataclass(frozen=True)
class Judged:
    """The gate orders of a story by what they judged, and what came to main by them."""

    of_changes: int
    of_pulls: int
    landings: int

    @property
    def each(self) -> float:
        return (self.of_changes + self.of_pulls) / max(self.landings, 1)


def queue_of(count: int) -> World:
    """A world with so many pulls in its queue, the first of which is being judged."""
    world = World()
    for number in range(count):
        world.say(world.open_pull(f"pull {number}"), "/headgate queue")
        world.pass_time(1)
    world.settle(ticks_max=4 * count + 40)
    return world


def judged_changes(count: int) -> Judged:
    """Changes that all come back at once."""
    return _worked(approved(beside(count), f"{GATES}max_parallel: {count}\n"))


def judged_pulls(count: int) -> Judged:
    """People's pulls that are queued at once, without any change."""
    world = World()
    _queue_pulls(world, count)
    return _worked(world)


def judged_beside(count: int) -> Judged:
    """One change, and people's pulls that are queued while its agent works."""
    world = approved(beside(1))
    _queue_pulls(world, count)
    assert world.open_orders(AgentOrder)
    return _worked(world)


def _queue_pulls(world: World, count: int) -> None:
    for number in range(count):
        world.say(world.open_pull(f"pull {number}"), "/headgate queue")
        world.settle()
        world.pass_time(1)


def _worked(world: World) -> Judged:
    """Let everybody work to the end, and count."""
    world.work()
    of_gates = [id_ for id_, order in world.orders.items() if isinstance(order, GateOrder)]
    asked = [world.state.orders[id_] for id_ in of_gates]
    return Judged(
        of_changes=sum(one.change is not None for one in asked),
        of_pulls=sum(one.pull is not None for one in asked),
        landings=sum(line.kind is LedgerKind.LANDED for line in world.state.ledger),
    )


def _microseconds(deed: Callable[[], object], rounds: int) -> float:
    """The median processor time of one deed."""
    took = []
    for _ in range(rounds):
        before = time.thread_time_ns()
        deed()
        took.append((time.thread_time_ns() - before) / 1_000)
    return statistics.median(took)


def deciding(world: World, rounds: int) -> dict[str, float]:
    """Microseconds of each thing that is asked of a queue."""
    state, now = world.state, world.now
    shown = view_of(state, now)
    full, quiet = world.observe(EVERYTHING), world.observe(_NOTHING)
    asked: dict[str, Callable[[], object]] = {
        "the queue's order": lambda: entries(state),
        "what a strategy is shown": lambda: view_of(state, now),
        "plan": lambda: plan(shown, SERIAL),
        "what each waits for": lambda: queue_view(state, now),
        "decide, nothing seen": lambda: decide(state, quiet, now),
        "decide, all seen": lambda: decide(state, full, now),
    }
    return {name: _microseconds(deed, rounds) for name, deed in asked.items()}


def print_deciding(console: Console, count: int, rounds: int) -> None:
    empty, long = World(), queue_of(count)
    empty.settle()
    bare, found = deciding(empty, rounds), deciding(long, rounds)
    console.print(f"Processor time in µs, median of {rounds} rounds; {load_now()}")
    table = Table("", "nobody", f"{len(entries(long.state))} entries", "an entry more")
    for name, took in found.items():
        more = (took - bare[name]) / max(count, 1)
        table.add_row(name, f"{bare[name]:,.0f}", f"{took:,.0f}", f"{more:.1f}")
    console.print(table)


def rival_specs(count: int, *, is_shared: bool) -> World:
    """Specs of ten changes each, so many in all; each change edits one endpoint, the same or its own."""
    world = World()
    for at in range(max(count // _CHANGES_A_SPEC, 2)):
        of = (f"orders-{at if not is_shared else 0}-{n}" for n in range(_CHANGES_A_SPEC))
        put(world, f"s{at}", *(f"The endpoint `POST /{name}` SHALL answer." for name in of))
    return world


def _waiting_for_others(world: World, rounds: int) -> tuple[float, float]:
    """Microseconds of who waits for other specs, and of a whole decision."""
    state, now, rules = world.state, world.now, read_good(GATES)
    quiet = world.observe(_NOTHING)
    return (
        _microseconds(lambda: rivals_of_all(state, rules), rounds),
        _microseconds(lambda: decide(state, quiet, now), rounds),
    )


def print_rivals(console: Console, count: int, rounds: int) -> None:
    table = Table("", "changes", "who waits", "decide, nothing seen")
    for name, is_shared in (("each edits its own", False), ("specs edit the same", True)):
        world = rival_specs(count, is_shared=is_shared)
        took = _waiting_for_others(world, rounds)
        table.add_row(name, str(len(world.state.changes)), *(f"{one:,.0f}" for one in took))
    console.print(f"Changes of several specs, processor time in µs; {load_now()}")
    console.print(table)


def print_judging(console: Console, changes: int) -> None:
    stories = {
        f"{changes} changes at once": judged_changes(changes),
        f"{_PULLS} pulls at once": judged_pulls(_PULLS),
        f"1 change and {_PULLS} pulls": judged_beside(_PULLS),
    }
    console.print("Gate orders, those of main itself not counted")
    table = Table("", "of changes", "of pulls", "landings", "orders a landing")
    for name, one in stories.items():
        counts = (one.of_changes, one.of_pulls, one.landings)
        table.add_row(name, *map(str, counts), f"{one.each:.2f}")
    console.print(table)


def print_landing(console: Console, changes: int) -> None:
    """In real processes: how soon main moves, and what GitHub is asked for."""
    before = load_now()
    with (
        open_stage(max_parallel=changes) as stage,
        tempfile.TemporaryDirectory() as scratch,
        instant.running(stage.hub_url, Path(scratch)) as runners,
    ):
        issue = stage.plan(independent(changes))
        planned = counted(stage.writes())
        approved_at = datetime.now(UTC)
        stage.approve(issue)
        wait_until(stage.is_over, "the end of the spec run", _TIMEOUT_SECONDS)
        wait_until(lambda: not stage.state().open_effects, "the last effects")
        turns = {t.order: t.reported_at for r in runners for t in r.turns}
        observed = Observed(approved_at, turns, {})
        land = [s for s in all_segments(stage.records(), observed) if s.stretch is Stretch.LAND]
        asked = [datetime.fromtimestamp(a.begin, UTC) for a in stage.answers()]
        written = counted(stage.writes()) - planned
    console.print(landings_told(land, [at for at in asked if at >= approved_at], written))
    console.print(f"{before} before, {load_now()} after")


def landings_told(land: Sequence[Segment], asked: Sequence[datetime], writes: Counter[str]) -> str:
    """How soon main moved and what was asked of GitHub, from approval to the end, in two lines."""
    seconds = [s.seconds for s in land]
    half, most = percentile(seconds, 0.5), percentile(seconds, 0.95)
    during = [sum(s.begin <= at <= s.end for at in asked) for s in land]
    written = sum(n for kind, n in writes.items() if kind not in APART)
    landed = max(len(land), 1)
    return (
        f"{len(land)} landings, last gate reported to main moved: "
        f"p50 {half:.2f} s, p95 {most:.2f} s\n"
        f"GitHub calls a landing: {sum(during) / landed:.1f} between these two, "
        f"{written / landed:.1f} writes and {len(asked) / landed:.1f} calls in all from approval on"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--changes", type=int, default=12, help="landed in real processes")
    parser.add_argument("--only", choices=("core", "landing"), default=None)
    asked = parser.parse_args()
    console = Console(width=110)
    if asked.only != "landing":
        print_deciding(console, asked.entries, asked.rounds)
        print_rivals(console, asked.entries, asked.rounds)
        print_judging(console, min(asked.changes, 6))
    if asked.only != "core":
        print_landing(console, asked.changes)


if __name__ == "__main__":
    main()
