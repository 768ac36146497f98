"""`make bench-calls`: the App's writes to GitHub for a spec run, counted by localhub.

Git pushes count too, and refused writes. Numbers are printed and never asserted.
"""

import argparse
import re
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.bench import instant
from tests.bench.overhead import chain, independent
from tests.bench.stage import WriteExchange, open_stage, wait_until

_TIMEOUT_SECONDS = 300.0

# The name of each write; the first pattern that matches counts.
_KINDS = (
    ("push", r"POST /\S+\.git/git-receive-pack"),
    ("move main", r"POST .*/graphql"),
    ("create a token", r"POST /app/installations/\d+/access_tokens"),
    ("open an issue", r"POST .*/issues"),
    ("link a sub-issue", r"POST .*/issues/\d+/sub_issues"),
    ("link a blocker", r"POST .*/issues/\d+/dependencies/blocked_by"),
    ("comment", r"POST .*/issues/\d+/comments"),
    ("react", r"POST .*/comments/\d+/reactions"),
    ("edit or close an issue", r"PATCH .*/issues/\d+"),
    ("open a pull", r"POST .*/pulls"),
    ("edit or close a pull", r"PATCH .*/pulls/\d+"),
    ("create a check run", r"POST .*/check-runs"),
    ("update a check run", r"PATCH .*/check-runs/\d+"),
    ("dispatch a workflow", r"POST .*/dispatches"),
)

# Not related to a change: a token lasts an hour.
APART = ("create a token",)


def kind_of(write: WriteExchange) -> str:
    """The write's name, or its method and path where no pattern matches."""
    line = f"{write.method} {write.path}"
    named = (name for name, pattern in _KINDS if re.fullmatch(pattern, line))
    return next(named, re.sub(r"\d+", "N", line))


def counted(writes: Iterable[WriteExchange]) -> Counter[str]:
    """The App's writes by kind, without those of people and runners."""
    return Counter(kind_of(w) for w in writes if w.by in {"installation", "app_jwt"})


def main() -> None:
    """Run both shapes and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--changes", type=int, default=6)
    asked = parser.parse_args()
    console = Console(width=100)
    for name, shape in (("independent", independent), ("chain", chain)):
        with (
            open_stage() as stage,
            tempfile.TemporaryDirectory() as scratch,
            instant.running(stage.hub_url, Path(scratch)),
        ):
            issue = stage.plan(shape(asked.changes))
            planned = counted(stage.writes())
            stage.approve(issue)
            wait_until(stage.is_over, "the end of the spec run", _TIMEOUT_SECONDS)
            wait_until(lambda: not stage.state().open_effects, "the last effects")
            total = counted(stage.writes())
        _print(console, name, asked.changes, planned, total)


def _print(
    console: Console, name: str, changes: int, planned: Counter[str], total: Counter[str]
) -> None:
    table = Table("write", "for the plan", "after it", "after it, per change", title=name)
    after = total - planned
    for kind, _ in total.most_common():
        table.add_row(kind, str(planned[kind]), str(after[kind]), f"{after[kind] / changes:.1f}")
    whole = sum(n for kind, n in after.items() if kind not in APART)
    table.add_row("all but tokens", "", str(whole), f"{whole / changes:.1f}", style="bold")
    console.print(table)


if __name__ == "__main__":
    main()
