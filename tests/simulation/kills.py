"""`make kills`: real processes killed at random moments, the web and Valkey with its data too.

localhub, `headgate up` and two runners are processes and threads of a day with a few changes; one
integer decides who is killed when, and is printed first. What must hold at the end is what a calm
day leaves: every change landed once, in history and ledger, and nothing that a person can see is
there twice. Deliberately absent: faults of GitHub; `tests.simulation` has days of those.
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

# Twice as likely as the others: what has no second of its kind.
_LONELY = ("web", "doorbell")
_PATIENCE_SECONDS = 240.0
# From the beginning of a day to its end there are so many seconds, without kills.
_PAUSES = (0.1, 1.6)


@dataclass
class Killings:
    """Who was killed, in order, and how the day ended; `wrong` is empty when all is well."""

    seed: int
    killed: list[str] = field(default_factory=list)
    wrong: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"seed {self.seed}: {', '.join(self.killed)}: {'; '.join(self.wrong) or 'all well'}"


def live_through(seed: int, changes: int, kills: int) -> Killings:
    """One day with so many changes and kills."""
    rng = random.Random(seed)
    day = Killings(seed)
    with (
        open_stage() as stage,
        tempfile.TemporaryDirectory() as scratch,
        instant.running(stage.hub_url, Path(scratch)),
    ):
        stage.push({"specs/shop.md": independent(changes)}, "Ask for work")
        _kill_some(stage, rng, day, kills // 2)
        wait_until(lambda: _is_planned(stage, changes), "the plan's issues", _PATIENCE_SECONDS)
        wait_until(lambda: not stage.state().open_effects, "quiet after the plan")
        tracking = next(r.issue for r in stage.state().spec_runs.values())
        if tracking is None:
            raise AssertionError("a plan without an issue")
        stage.approve(tracking)
        _kill_some(stage, rng, day, kills - kills // 2)
        wait_until(stage.is_over, "the end of the spec run", _PATIENCE_SECONDS)
        wait_until(lambda: not stage.state().open_effects, "the last words")
        day.wrong = tuple(_wrong(stage, changes))
    return day


def _is_planned(stage: Stage, changes: int) -> bool:
    found = stage.state().changes.values()
    return len(found) == changes and all(change.issue is not None for change in found)


def _kill_some(stage: Stage, rng: random.Random, day: Killings, kills: int) -> None:
    """SIGKILL to somebody at random, again and again; who is not back yet is spared."""
    pause = threading.Event()
    for _ in range(kills):
        pause.wait(rng.uniform(*_PAUSES))
        slot = rng.choice((*SLOTS, *_LONELY))
        victim = process_of(stage, slot)
        if victim is None:
            continue
        try:
            victim.kill()
        except psutil.Error:
            continue
        day.killed.append(slot)


def _wrong(stage: Stage, changes: int) -> Iterable[str]:
    """What is not as a calm day leaves it, as sentences."""
    state = stage.state()
    landed = [change for change in state.changes.values() if change.landed is not None]
    if len(landed) != changes:
        yield f"{len(landed)} of {changes} changes landed"
    lines = Counter(line.change for line in state.ledger if line.change is not None)
    if set(lines.values()) - {1} or len(lines) != changes:
        yield f"the ledger has {dict(lines)}"
    main = stage.api("GET", "/commits?per_page=100").json()
    subjects = Counter(commit["commit"]["message"].split("\n")[0] for commit in main)
    yield from _twice("on main", subjects)
    things = stage.api("GET", "/issues?state=all&per_page=100").json()
    issues = [thing for thing in things if "pull_request" not in thing]
    yield from _twice("an issue", Counter(issue["title"] for issue in issues))
    pulls = [thing for thing in things if "pull_request" in thing]
    yield from _twice("a pull", Counter(pull["title"] for pull in pulls))
    for issue in issues:
        comments = stage.api("GET", f"/issues/{issue['number']}/comments?per_page=100").json()
        yield from _twice(f"at #{issue['number']}", Counter(one["body"] for one in comments))
        if issue["state"] != "closed":
            yield f"#{issue['number']} is open"


def _twice(what: str, found: Counter[str]) -> Iterable[str]:
    return (f"{what} {count} times: {one[:60]}" for one, count in found.items() if count > 1)


def main() -> None:
    """So many days in a row; ends at the first that ends badly."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1, help="the first day's seed")
    parser.add_argument("--changes", type=int, default=4)
    parser.add_argument("--kills", type=int, default=12)
    asked = parser.parse_args()
    console = Console(width=160)
    for seed in range(asked.seed, asked.seed + asked.days):
        console.print(f"seed {seed} …", end="\r")
        day = live_through(seed, asked.changes, asked.kills)
        console.print(str(day), highlight=False)
        if day.wrong:
            raise SystemExit(f"`make kills ARGS='--days 1 --seed {seed}'` lives it again.")


if __name__ == "__main__":
    main()
