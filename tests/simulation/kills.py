"""`make kills`: real processes are killed at random, the web and Valkey with its data, too.

localhub, `headgate up` and two runners work on a few changes; one seed decides which process is killed
when. At the end every change has landed once, in history and ledger, and nothing that a person sees
exists twice.
"""

import argparse
import random
import tempfile
import threading
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from rich.console import Console

from tests.bench import instant
from tests.bench.overhead import independent
from tests.bench.recovery import SLOTS, process_of
from tests.bench.stage import Stage, open_stage, wait_until

# They are in SLOTS, too: twice as likely as the others, because each is a single process.
_SINGLETONS = ("web", "doorbell")
_TIMEOUT_SECONDS = 240.0
# Seconds between two kills.
_PAUSES = (0.1, 1.6)


@dataclass
class KillRun:
    """The killed processes in order, and what was wrong at the end."""

    seed: int
    killed: list[str] = field(default_factory=list)
    wrong: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"seed {self.seed}: {', '.join(self.killed)}: {'; '.join(self.wrong) or 'all well'}"


def run_day(seed: int, changes: int, kills: int) -> KillRun:
    """One run with so many changes and kills."""
    rng = random.Random(seed)
    day = KillRun(seed)
    with (
        open_stage() as stage,
        tempfile.TemporaryDirectory() as scratch,
        instant.running(stage.hub_url, Path(scratch)),
    ):
        stage.push({"specs/shop.md": independent(changes)}, "Ask for work")
        _kill_some(stage, rng, day, kills // 2)
        wait_until(lambda: _is_planned(stage, changes), "the plan's issue", _TIMEOUT_SECONDS)
        wait_until(lambda: not stage.state().open_effects, "the end of the plan's effects")
        tracking = next(r.issue for r in stage.state().spec_runs.values())
        if tracking is None:
            raise AssertionError("a plan without an issue")
        stage.approve(tracking)
        _kill_some(stage, rng, day, kills - kills // 2)
        wait_until(stage.is_over, "the end of the spec run", _TIMEOUT_SECONDS)
        wait_until(lambda: not stage.state().open_effects, "the last effects")
        day.wrong = tuple(_wrong(stage, changes))
    return day


def _is_planned(stage: Stage, changes: int) -> bool:
    """The changes themselves have issues from the approval on."""
    state = stage.state()
    runs = state.spec_runs.values()
    return len(state.changes) == changes and all(run.issue is not None for run in runs)


def _kill_some(stage: Stage, rng: random.Random, day: KillRun, kills: int) -> None:
    """SIGKILL to random processes; one that has not started again yet is left out."""
    pause = threading.Event()
    for _ in range(kills):
        pause.wait(rng.uniform(*_PAUSES))
        slot = rng.choice((*SLOTS, *_SINGLETONS))
        process = process_of(stage, slot)
        if process is None:
            continue
        try:
            process.kill()
        except psutil.Error:
            continue
        day.killed.append(slot)


def _wrong(stage: Stage, changes: int) -> Iterable[str]:
    """Differences from a run without kills, as sentences."""
    state = stage.state()
    landed = [change for change in state.changes.values() if change.landed is not None]
    if len(landed) != changes:
        yield f"{len(landed)} of {changes} changes landed"
    lines = Counter(line.change for line in state.ledger if line.change is not None)
    if set(lines.values()) - {1} or len(lines) != changes:
        yield f"the ledger has {dict(lines)}"
    main = stage.api("GET", "/commits?per_page=100").json()
    subjects = Counter(commit["commit"]["message"].split("\n")[0] for commit in main)
    yield from _duplicates("on main", subjects)
    things = stage.api("GET", "/issues?state=all&per_page=100").json()
    issues = [thing for thing in things if "pull_request" not in thing]
    yield from _duplicates("an issue", Counter(issue["title"] for issue in issues))
    pulls = [thing for thing in things if "pull_request" in thing]
    yield from _duplicates("a pull", Counter(pull["title"] for pull in pulls))
    for issue in issues:
        comments = stage.api("GET", f"/issues/{issue['number']}/comments?per_page=100").json()
        yield from _duplicates(f"at #{issue['number']}", Counter(one["body"] for one in comments))
        if issue["state"] != "closed":
            yield f"#{issue['number']} is open"


def _duplicates(what: str, found: Counter[str]) -> Iterable[str]:
    return (f"{what} {count} times: {one[:60]}" for one, count in found.items() if count > 1)


def main() -> None:
    """Run the days in a row, up to the first that fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1, help="the first day's seed")
    parser.add_argument("--changes", type=int, default=4)
    parser.add_argument("--kills", type=int, default=12)
    asked = parser.parse_args()
    console = Console(width=160)
    for seed in range(asked.seed, asked.seed + asked.days):
        console.print(f"seed {seed} …", end="\r")
        day = run_day(seed, asked.changes, asked.kills)
        console.print(str(day), highlight=False)
        if day.wrong:
            raise SystemExit(f"`make kills ARGS='--days 1 --seed {seed}'` runs it again.")


if __name__ == "__main__":
    main()
