"""The demo's verdict, counted for itself: main's own tests on a fresh clone, history, the ledger."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from bot.core.journal.state import LedgerKind, RepositoryState
from bot.entry.demo_stage import Stage


@dataclass(frozen=True)
class Verdict:
    """What was found; `problems` is empty where all is well."""

    state: RepositoryState
    history: tuple[str, ...]
    seconds: float
    problems: tuple[str, ...]

    @property
    def is_good(self) -> bool:
        """Whether the demo did what it says."""
        return not self.problems


def judge_demo(stage: Stage, tracking: int, seconds: float) -> Verdict:
    """Look at the end as a stranger would."""
    state = stage.state()
    clone = stage.clone()
    problems = []
    if not stage.is_closed(tracking):
        problems.append("the tracking issue is still open")
    changes = state.changes.values()
    problems += [f"{c.slug} has not landed: {c.state}" for c in changes if c.landed is None]
    lines = stage.git(clone, "log", "--first-parent", "--format=%H %p", "main").splitlines()
    shas = [line.split()[0] for line in lines]
    if any(len(line.split()) > 2 for line in lines):
        problems.append("main's history is not linear")
    problems += _ledger_problems(stage, clone, shas)
    problems += _test_problems(clone)
    log = stage.git(clone, "log", "--reverse", "--format=%h %an: %s", "main").splitlines()
    return Verdict(state, tuple(log), seconds, tuple(problems))


def _ledger_problems(stage: Stage, clone: Path, shas: list[str]) -> list[str]:
    """The published ledger, line by line, against main's first-parent line."""
    stage.git(clone, "fetch", "-q", "origin", "refs/headgate/ledger")
    text = stage.git(clone, "show", "FETCH_HEAD:ledger.jsonl")
    ledger = [json.loads(line) for line in text.splitlines()]
    kinds = {line["sha"]: line["kind"] for line in ledger}
    problems = [f"no ledger line for {sha[:12]}" for sha in shas if sha not in kinds]
    authors = stage.git(clone, "log", "--format=%H %an", "main").splitlines()
    for line in authors:
        sha, _, author = line.partition(" ")
        ours = author == "headgate[bot]"
        if ours != (kinds.get(sha) == LedgerKind.LANDED):
            problems.append(f"{sha[:12]} by {author} is in the ledger as {kinds.get(sha)}")
    return problems


def _test_problems(clone: Path) -> list[str]:
    if not (clone / "tests").is_dir():
        return []
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q"],
        cwd=clone,
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "/usr/bin:/bin", "HOME": str(clone), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    if done.returncode == 0:
        return []
    return [f"main's own tests fail: {done.stdout.strip().splitlines()[-1:]}"]
