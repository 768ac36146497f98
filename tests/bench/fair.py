"""`make bench-fair`: how much sound work lands where gates flake, changes share files, people merge.

Every change of every spec is sound: whatever does not land was judged unfairly. Runners, gates and git
are real; agents write what they are told, and take both sides of a conflict. Flakes are drawn from a
seed for each run of the gate. Then a repository is simulated for days, in which the same few tests flake on
(`tests.bench.fair_in_core`). Numbers are printed and never asserted; progress goes to stderr.

    python -m tests.bench.fair [--specs 4] [--changes 6] [--days 10] [--seed 1] [--minutes 15]
"""

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, product
from multiprocessing import get_context
from pathlib import Path

from rich.console import Console
from rich.table import Table

from action.order import AgentOrder, GateOrder
from action.report import AgentEnding, AgentReport, TokenUse
from bot.core.values.lifecycle import ChangeState
from gates.result import Ending, GateResult
from tests.bench.fair_in_core import Counted, live
from tests.testkit.house import House, house
from tests.testkit.hub_setup import POLICY
from tests.testkit.runner import SHARED, Lease, Runner, adds_a_route
from tests.testkit.specs import requirement, spec

_AREAS = ("TILL", "DOOR", "PRINTER", "STOCK", "LAMP", "SHELF", "CELLAR", "WINDOW")
# Whether a rule merges the file that all edit, and how often a gate flakes.
_LINES = tuple(product((True, False), (0.0, 0.02, 0.05, 0.1)))
_MERGES_BY_HAND = 5


@dataclass
class FlakyRunner(Runner):
    """Runs real gates; a green one is reported as red with the odds of a flake."""

    flakes: float = 0.0
    rng: random.Random = field(default_factory=lambda: random.Random(1))
    flaked: int = 0
    is_unchanged: bool = False

    def flake(self, result: GateResult) -> GateResult:
        is_ours = result.gate == "scope_check"
        if result.ending is not Ending.PASSED or is_ours or self.rng.random() >= self.flakes:
            return result
        self.flaked += 1
        return replace(result, ending=Ending.FAILED, sentence="It flaked.")

    def _implement(self, order: AgentOrder, lease: Lease) -> AgentReport:
        """As the harness: an agent that found nothing to change hands nothing in."""
        done = super()._implement(order, lease)
        if not self.is_unchanged:
            return done
        return AgentReport(
            order_id=order.order_id,
            ending=AgentEnding.NOTHING_CHANGED,
            sentence="The agent changed nothing.",
            model="a-model",
            turns=1,
            tokens=TokenUse(input=1_000, output=50),
            seconds=1.0,
        )

    def works(self, order: AgentOrder, tree: Path) -> None:
        """Adds a route, and notes whether there was anything left to change."""
        adds_a_route(order, tree)
        self.is_unchanged = self.git(tree, "status", "--porcelain") == ""


def play(folder: Path, flakes: float, is_union: bool, changes: int, seed: int) -> Counted:
    """One spec of independent changes that all edit one file, to its end."""
    policy = f"{POLICY}max_parallel: {changes}\n"
    if is_union:
        policy += f"merge:\n  {SHARED}: union\n"
    with house(folder, {SHARED: "home\n"}, policy) as shop:
        runner = _flaky(shop, flakes, seed)
        shop.start(spec(*(requirement(area) for area in _AREAS[:changes])))
        shop.work()
        return counted(shop, runner)


def _flaky(shop: House, flakes: float, seed: int) -> FlakyRunner:
    runner = FlakyRunner(
        shop.runner.url, shop.runner.folder, shop.http, flakes=flakes, rng=random.Random(seed)
    )
    runner.agent, runner.seems = runner.works, runner.flake
    shop.runner = runner
    return runner


def counted(shop: House, runner: FlakyRunner) -> Counted:
    made = shop.state.changes.values()
    return Counted(
        changes=len(made),
        landed=sum(c.state is ChangeState.LANDED for c in made),
        agents=sum(isinstance(o, AgentOrder) for o in runner.taken),
        conflicts=sum(
            isinstance(o, AgentOrder) and o.retry is not None and o.retry.reason == "conflict"
            for o in runner.taken
        ),
        gates=sum(isinstance(o, GateOrder) for o in runner.taken),
        flakes=runner.flaked,
    )


def gate_orders_of_merges(folder: Path) -> int:
    """The gate orders of one change during which people merge, main's own counted."""
    with house(folder, {SHARED: "home\n"}) as shop:
        runner = _flaky(shop, 0.0, 1)
        shop.start(spec(requirement("TILL")))
        before = len(runner.taken)
        runner.do_all()
        for number in range(_MERGES_BY_HAND):
            shop.push({f"by-hand-{number}.txt": "A person's.\n"}, f"Merge {number}")
            shop.settle()
            lease = runner.take()
            if lease is not None:
                runner.do(lease)
            shop.settle()
        shop.work()
        (change,) = shop.state.changes.values()
        assert change.state is ChangeState.LANDED
        return sum(isinstance(o, GateOrder) for o in runner.taken[before:])


@dataclass(frozen=True)
class _Game:
    """One spec of one line of the table."""

    is_union: bool
    flakes: float
    changes: int
    seed: int

    def play(self) -> Counted:
        with tempfile.TemporaryDirectory(prefix="headgate-fair-") as folder:
            return play(Path(folder), self.flakes, self.is_union, self.changes, self.seed)


def _play_all(games: Sequence[_Game], processes: int, seconds: float) -> dict[_Game, Counted]:
    """Every game that begins within the time, each with a line of progress."""
    console, played = Console(stderr=True), {}
    until = time.monotonic() + seconds
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        waiting = iter(games)
        asked = {pool.submit(game.play): game for game in islice(waiting, processes)}
        while asked:
            done, _ = wait(asked, return_when=FIRST_COMPLETED)
            for future in done:
                game = asked.pop(future)
                played[game] = future.result()
                said = f"{len(played)} of {len(games)}: {game} {played[game]}"
                console.print(said, soft_wrap=True)
                after = next(waiting, None) if time.monotonic() < until else None
                if after is not None:
                    asked[pool.submit(after.play)] = after
    return played


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--specs", type=int, default=4, help="specs for each line")
    parser.add_argument("--changes", type=int, default=6, help="changes of a spec")
    parser.add_argument("--days", type=int, default=10, help="of a simulated repository")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--minutes",
        type=float,
        default=15,
        help="begin no spec, and no simulated day, after so long",
    )
    asked = parser.parse_args()
    games = [
        _Game(is_union, rate, asked.changes, asked.seed + number)
        for number in range(asked.specs)
        for is_union, rate in _LINES
    ]
    played = _play_all(games, asked.processes, asked.minutes * 60)
    table = _table("Sound changes that all edit one file")
    for is_union, rate in _LINES:
        line = [c for g, c in played.items() if (g.is_union, g.flakes) == (is_union, rate)]
        if not line:
            continue
        table.add_row(*_row(is_union, rate, line))
    console = Console(width=140)
    console.print(table)
    if len(played) < len(games):
        console.print(f"The time was up: {len(played)} of {len(games)} specs were played.")
    lived = partial(live, days=asked.days, changes=asked.changes, seed=asked.seed)
    bounded = partial(lived, seconds=asked.minutes * 60 * asked.processes / len(_LINES))
    console.print(_simulated(bounded, asked.days, asked.processes))
    with tempfile.TemporaryDirectory(prefix="headgate-fair-") as folder:
        orders = gate_orders_of_merges(Path(folder))
    console.print(f"One change and {_MERGES_BY_HAND} merges by people: {orders} gate orders")


def _simulated(lived: Callable[..., Counted], days: int, processes: int) -> Table:
    """The life of a repository for each line."""
    table = _table(f"Simulated: at most {days} days of one repository, a spec a day")
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        lives = [pool.submit(lived, rate, is_union=is_union) for is_union, rate in _LINES]
        for (is_union, rate), life in zip(_LINES, lives, strict=True):
            table.add_row(*_row(is_union, rate, [life.result()]))
    return table


def _table(title: str) -> Table:
    table = Table(title=title, title_justify="left")
    for heading in ("merged by", "a gate flakes", "flakes", "sound", "landed", "share"):
        table.add_column(heading, justify="right")
    for heading in ("agent runs", "of conflicts", "others a landed", "gate orders a landed"):
        table.add_column(heading, justify="right")
    return table


def _row(is_union: bool, rate: float, line: Sequence[Counted]) -> tuple[str, ...]:
    total = sum(line, Counted())
    landed = max(total.landed, 1)
    return (
        "a rule" if is_union else "agents",
        f"{rate:.0%}",
        str(total.flakes),
        str(total.changes),
        str(total.landed),
        f"{total.landed / total.changes:.1%}",
        str(total.agents),
        str(total.conflicts),
        f"{(total.agents - total.conflicts) / landed:.2f}",
        f"{total.gates / landed:.2f}",
    )


if __name__ == "__main__":
    main()
