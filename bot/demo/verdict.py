"""The demo's verdict: main's own tests on a fresh clone, main's history, the ledger.

It does not trust Headgate's own account. Only the list of changes is from its journal; commits,
trees and the ledger are read from git, verdicts from check runs, and main's tests are run here.
"""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.core.journal.state import ChangeFacts, LedgerKind, RepositoryState
from bot.demo.system import DemoSystem, person_git

BOT = "headgate[bot]"
VERDICT = "headgate/verdict"
LEDGER_REF = "refs/headgate/ledger"
LEDGER_FILE = "ledger.jsonl"

_TESTS_SECONDS = 300
_LINES_SHOWN = 5


class LedgerEntry(BaseModel):
    model_config = ConfigDict(frozen=True)

    number: int
    kind: LedgerKind
    sha: str
    tree: str
    previous: str | None
    change: str | None
    gates: tuple[str, ...]


@dataclass(frozen=True)
class MainCommit:
    sha: str
    tree: str
    parents: tuple[str, ...]
    author: str
    subject: str


@dataclass(frozen=True)
class Verdict:
    """The result; `recovered` are incidents that ended well, `problems` everything that is wrong."""

    state: RepositoryState
    history: tuple[MainCommit, ...]
    seconds: float
    recovered: tuple[str, ...]
    problems: tuple[str, ...]

    @property
    def is_good(self) -> bool:
        return not self.problems


def problems_of(system: DemoSystem, tracking: int, clone: Path) -> tuple[str, ...]:
    """Everything that is wrong, checked on a fresh clone of main."""
    state = system.state()
    line, ledger = main_line(clone), published_ledger(clone)
    changes = tuple(state.changes.values())
    found = [] if system.is_closed(tracking) else ["the tracking issue is still open"]
    found += history_problems(line)
    found += ledger_problems(line, ledger)
    found += landing_problems(changes, ledger)
    found += verdict_problems({c.slug: _verdict_at(system, c.landed) for c in changes if c.landed})
    found += own_test_problems(clone, system.scenario.tests)
    return tuple(found)


def main_line(clone: Path) -> tuple[MainCommit, ...]:
    form = "%H%x09%T%x09%P%x09%an%x09%s"
    text = person_git(clone, "log", "--first-parent", "--reverse", f"--format={form}", "main")
    rows = (row.split("\t", 4) for row in text.splitlines())
    return tuple(
        MainCommit(sha, tree, tuple(parents.split()), author, subject)
        for sha, tree, parents, author, subject in rows
    )


def published_ledger(clone: Path) -> tuple[LedgerEntry, ...] | None:
    """The published ledger; None if it is missing or unreadable."""
    try:
        person_git(clone, "fetch", "-q", "origin", LEDGER_REF)
        text = person_git(clone, "show", f"FETCH_HEAD:{LEDGER_FILE}")
        return tuple(LedgerEntry.model_validate_json(row) for row in text.splitlines())
    except (subprocess.CalledProcessError, ValidationError):
        return None


def history_problems(line: Iterable[MainCommit]) -> list[str]:
    return [
        f"main's history is not linear: {c.sha[:12]} is a merge" for c in line if len(c.parents) > 1
    ]


def ledger_problems(
    line: tuple[MainCommit, ...], ledger: tuple[LedgerEntry, ...] | None
) -> list[str]:
    """Where the ledger differs from main since the installation."""
    if not ledger or ledger[0].kind is not LedgerKind.GENESIS:
        return ["there is no published ledger that begins at the installation"]
    found = []
    for place, entry in enumerate(ledger):
        before = ledger[place - 1].sha if place else None
        if entry.number != place or entry.previous != before:
            found.append(f"the ledger is broken before its line for {entry.sha[:12]}")
    shas = [commit.sha for commit in line]
    start = shas.index(ledger[0].sha) if ledger[0].sha in shas else 0
    counted = Counter(entry.sha for entry in ledger)
    entries = {entry.sha: entry for entry in ledger}
    for commit in line[start:]:
        if counted[commit.sha] != 1:
            found.append(f"{commit.sha[:12]} ({commit.subject}) has {counted[commit.sha]} lines")
        else:
            found += _entry_problems(commit, entries[commit.sha])
    unknown = [sha for sha in counted if sha not in shas]
    return found + [f"the ledger has {sha[:12]}, which is not on main" for sha in unknown]


def _entry_problems(commit: MainCommit, entry: LedgerEntry) -> list[str]:
    found = []
    if entry.tree != commit.tree:
        found.append(f"{commit.sha[:12]} has a different tree in the ledger")
    is_landed = entry.kind is LedgerKind.LANDED
    if is_landed != (commit.author == BOT) and entry.kind is not LedgerKind.GENESIS:
        found.append(f"{commit.sha[:12]} by {commit.author} is in the ledger as {entry.kind}")
    if is_landed and not (entry.change and entry.gates):
        found.append(f"{commit.sha[:12]} landed without a change or without gates")
    return found


def landing_problems(
    changes: Iterable[ChangeFacts], ledger: tuple[LedgerEntry, ...] | None
) -> list[str]:
    """Changes that did not land, or not through the queue."""
    landed = {e.change: e.sha for e in ledger or () if e.kind is LedgerKind.LANDED}
    found = []
    for change in changes:
        if change.landed is None:
            why = f": {change.sentence}" if change.sentence else ""
            found.append(f"{change.slug} has not landed: {change.state}{why}")
        elif landed.get(change.id) != change.landed:
            found.append(f"{change.slug} is not in the ledger as landed at {change.landed[:12]}")
    if not landed:
        found.append("nothing landed")
    return found


def verdict_problems(conclusions: Mapping[str, str]) -> list[str]:
    """Landed changes whose commit does not carry our green verdict, by slug."""
    return [
        f"{slug} landed at a commit whose {VERDICT} is {conclusion or 'missing'}"
        for slug, conclusion in conclusions.items()
        if conclusion != "success"
    ]


def _verdict_at(system: DemoSystem, sha: str) -> str:
    """The conclusion of our App's check run at a commit; empty if it has none."""
    path = f"/commits/{sha}/check-runs?check_name={VERDICT}"
    runs = system.api("GET", path).json()["check_runs"]
    return next((str(r["conclusion"]) for r in runs if r["app"]["slug"] == "headgate"), "")


def own_test_problems(clone: Path, tests: tuple[str, ...]) -> list[str]:
    """Main's own tests, run on its tree as it is in a clone."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    try:
        done = subprocess.run(
            tests,
            cwd=clone,
            capture_output=True,
            text=True,
            check=False,
            timeout=_TESTS_SECONDS,
            env={"PATH": path, "HOME": str(clone), "PYTHONDONTWRITEBYTECODE": "1"},
            start_new_session=True,
        )
    except subprocess.TimeoutExpired:
        return [f"main's own tests did not end within {_TESTS_SECONDS} s"]
    if done.returncode == 0:
        return []
    output = (done.stdout + done.stderr).strip().splitlines()[-_LINES_SHOWN:]
    return ["main's own tests fail: " + "; ".join(output)]


def editors_of(clone: Path, path: str) -> int:
    authors = person_git(clone, "log", "--format=%an", "main", "--", path).splitlines()
    return authors.count(BOT)
