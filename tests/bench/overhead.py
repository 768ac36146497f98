"""`make bench-overhead`: the time that Headgate adds to the critical path of a spec run.

localhub and `headgate up` are real processes; the runners take no time. `walk` computes the path.
Numbers are printed and never asserted.
"""

import argparse
import os
import tempfile
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import psutil
from rich.console import Console
from rich.table import Table

from bot.core.journal.state import change_id
from bot.core.values.ids import ChangeId
from tests.bench import instant, walk
from tests.bench.stage import Stage, open_stage, wait_until
from tests.bench.walk import OURS, Answers, Observed, Segment, Stretch
from tests.testkit.specs import requirement, spec

# The plan checks must not mistake one name for another.
_AREAS = (
    *("ALMOND", "BASKET", "CANDLE", "DRAWER", "ENGINE", "FOLDER", "GUITAR", "HAMMER"),
    *("ISLAND", "JACKET", "KETTLE", "LADDER", "MARKET", "NEEDLE", "ORANGE", "PENCIL"),
)
_TIMEOUT_SECONDS = 300.0


def independent(count: int) -> str:
    """A spec of changes without dependencies."""
    return spec(*(requirement(area) for area in _AREAS[:count]))


def chain(count: int) -> str:
    """A spec of changes, each of which depends on the one before it."""
    areas = _AREAS[:count]
    return spec(*(requirement(a, after=b) for a, b in zip(areas, ("", *areas), strict=False)))


def main() -> None:
    """Measure both shapes and print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--changes", type=int, default=6, help=f"at most {len(_AREAS)}")
    parser.add_argument("--shape", choices=("independent", "chain"), default=None)
    asked = parser.parse_args()
    console = Console(width=100)
    shapes = {"independent": independent, "chain": chain}
    for name, text in shapes.items():
        if asked.shape in (None, name):
            _measure(console, name, text(asked.changes))


def load_now() -> str:
    """The load of the machine, as a text."""
    one, five, _ = os.getloadavg()
    return f"load {one:.1f} (1 min), {five:.1f} (5 min) on {os.cpu_count()} cores"


def _measure(console: Console, name: str, text: str) -> None:
    before = load_now()
    with (
        open_stage(max_parallel=len(_AREAS)) as stage,
        tempfile.TemporaryDirectory() as scratch,
        instant.running(stage.hub_url, Path(scratch)) as runners,
    ):
        issue = stage.plan(text)
        cpu_before = _cpu_seconds(stage)
        approved_at = datetime.now(UTC)
        stage.approve(issue)
        wait_until(stage.is_over, "the end of the spec run", _TIMEOUT_SECONDS)
        turns = {t.order: t.reported_at for r in runners for t in r.turns}
        observed = Observed(approved_at, turns, _dependencies(stage))
        console.print(f"\n[bold]{name}[/bold]; {before} before, {load_now()} after")
        _report(console, stage, observed, _cpu_seconds(stage) - cpu_before)


def _dependencies(stage: Stage) -> dict[ChangeId, tuple[ChangeId, ...]]:
    return {
        c.id: tuple(change_id(c.spec_run, edge.on) for edge in c.planned.depends_on)
        for c in stage.state().changes.values()
    }


def _cpu_seconds(stage: Stage) -> Counter[str]:
    """The processor time so far of each of Headgate's programs; git counts by itself."""
    spent: Counter[str] = Counter()
    if stage.bot is None:
        return spent
    supervisor = psutil.Process(stage.bot.pid)
    for process in (supervisor, *supervisor.children(recursive=True)):
        times, words = process.cpu_times(), " ".join(process.cmdline())
        names = ("gunicorn", "worker", "sweep", "valkey", "git")
        name = next((n for n in names if n in words), "supervisor")
        spent[name] += times.user + times.system
        if name == "worker":
            spent["git"] += times.children_user + times.children_system
    return spent


def _report(console: Console, stage: Stage, observed: Observed, cpu_seconds: Counter[str]) -> None:
    records = stage.records()
    answers = Answers(
        (datetime.fromtimestamp(a.begin, UTC), datetime.fromtimestamp(a.end, UTC))
        for a in stage.answers()
    )
    path = walk.critical_path(records, observed)
    landed = len(stage.state().changes)
    total = sum(s.seconds for s in path)
    with_hub = sum(s.seconds for s in path if s.stretch in OURS)
    ours = sum(answers.own(s.begin, s.end) for s in path if s.stretch in OURS)
    console.print(
        f"{landed} changes landed in {total:.2f} s, of which runners {total - with_hub:.2f} s, "
        f"localhub answering us {with_hub - ours:.2f} s, ours {ours:.2f} s.\n"
        f"[bold]Ours per change: {ours / landed:.3f} s[/bold] "
        f"({with_hub / landed:.3f} s with localhub's answers); "
        f"processor time per change: {sum(cpu_seconds.values()) / landed:.2f} s, of which "
        + ", ".join(f"{name} {spent / landed:.2f}" for name, spent in cpu_seconds.most_common())
    )
    console.print(_stretches(walk.all_segments(records, observed), answers))
    columns = ("effect", "count", "mean ms", "localhub's", "ours on the path, ms per change")
    table = Table(*columns, title="Where it goes")
    for share in walk.shares(walk.effect_intervals(records), path, answers):
        counted = ("", "", "")
        if share.count:
            counted = (str(share.count), f"{share.mean:.0f}", f"{share.localhub:.0f}")
        table.add_row(share.kind, *counted, f"{share.on_path / landed:.0f}")
    console.print(table)


def _stretches(segments: Sequence[Segment], answers: Answers) -> Table:
    table = Table(
        "stretch",
        "count",
        "p50 ms",
        "p95 ms",
        title="Every change's stretches, without localhub's answers to us",
    )
    for stretch in Stretch:
        mine = [s for s in segments if s.stretch is stretch]
        ms = [s.seconds * 1000 for s in mine]
        if stretch in OURS:
            ms = [answers.own(s.begin, s.end) * 1000 for s in mine]
        if ms:
            whose = stretch.value if stretch in OURS else f"({stretch.value})"
            half, most = walk.percentile(ms, 0.5), walk.percentile(ms, 0.95)
            table.add_row(whose, str(len(ms)), f"{half:.0f}", f"{most:.0f}")
    return table


if __name__ == "__main__":
    main()
