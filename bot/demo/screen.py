"""What the demo prints: live progress in a terminal, plain lines elsewhere, and the verdict.

A line that a person may grep or click is never broken; tables fit 80 columns and show more in wider
terminals.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from rich import box
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from bot.core.journal.state import AgentRun, ChangeFacts, RepositoryState
from bot.core.state.waiting import Shown, shown, waits_for
from bot.demo.processes import MemoryPeak
from bot.demo.verdict import MainCommit, Verdict

# In wider terminals the live table shows pulls and titles, too.
_WIDE_COLUMNS = 110

# Longer slugs are cut in the live table.
_SLUG_COLUMNS_MAX = 24

_STYLES = {
    Shown.LANDED: "green",
    Shown.FAILED: "red",
    Shown.STOPPED: "red",
    Shown.WAITING: "dim",
    Shown.HELD_BACK: "red",
}

SCRIPTED = "The model was a script. Everything else was real."


class Screen(Protocol):
    """Shows progress: sentences stay, the line with the state is redrawn."""

    def say(self, sentence: str) -> None: ...

    def show(self, state: RepositoryState, seconds: float) -> None: ...


@dataclass
class LiveScreen:
    """A terminal: a table that is updated, and sentences above it."""

    title: str
    console: Console
    live: Live

    def say(self, sentence: str) -> None:
        say(self.console, sentence)

    def show(self, state: RepositoryState, seconds: float) -> None:
        self.live.update(progress_view(self.title, state, seconds, self.console.width))


@dataclass
class PlainScreen:
    """No terminal: a line each time that a change has moved."""

    console: Console
    _seen: dict[str, str] = field(default_factory=dict)

    def say(self, sentence: str) -> None:
        say(self.console, sentence)

    def show(self, state: RepositoryState, seconds: float) -> None:
        for slug, where in states_of_changes(state).items():
            if self._seen.get(slug, Shown.WAITING.value) != where:
                self.say(f"{seconds:6.1f} s  {slug}: {where}")
            self._seen[slug] = where
        if state.frozen and self._seen.get("") != state.frozen:
            self.say(f"{seconds:6.1f} s  The queue is frozen: {state.frozen}")
        self._seen[""] = state.frozen or ""


@contextlib.contextmanager
def open_screen(console: Console, title: str) -> Iterator[Screen]:
    """The right screen for a console; a live table is removed at the end."""
    if not console.is_terminal:
        yield PlainScreen(console)
        return
    with Live(console=console, refresh_per_second=4, transient=True) as live:
        yield LiveScreen(title, console, live)


def say(console: Console, sentence: str, style: str = "") -> None:
    """Print a sentence without highlighting; lines are wrapped only in a terminal."""
    console.print(Text(sentence, style=style), soft_wrap=not console.is_terminal)


def states_of_changes(state: RepositoryState) -> dict[str, str]:
    return {change.slug: _where(state, change) for change in state.changes.values()}


def _where(state: RepositoryState, change: ChangeFacts) -> str:
    where = shown(state, change).value
    return f"{where} (attempt {change.attempt})" if change.attempt > 1 else where


def _slugs(state: RepositoryState) -> list[str]:
    return [change.slug for change in state.changes.values()]


def progress_view(
    title: str, state: RepositoryState, seconds: float, columns: int
) -> RenderableType:
    """One row a change, as of now."""
    landed = sum(1 for c in state.changes.values() if c.landed is not None)
    head = f"{title}: {landed} of {len(state.changes)} landed, {seconds:.0f} s"
    is_wide = columns >= _WIDE_COLUMNS
    table = Table(title=head, title_justify="left", box=box.SIMPLE_HEAD, expand=is_wide)
    longest = max((len(slug) for slug in _slugs(state)), default=0)
    table.add_column("Change", no_wrap=True, min_width=min(longest, _SLUG_COLUMNS_MAX))
    table.add_column("State", no_wrap=True, min_width=20)
    table.add_column("Waits for", no_wrap=True, min_width=min(longest, _SLUG_COLUMNS_MAX))
    if is_wide:
        table.add_column("Pull", no_wrap=True, min_width=4)
        # Gets the rest of the width, and is cut first.
        table.add_column("Title", no_wrap=True, ratio=1)
    for change in state.changes.values():
        style = _STYLES.get(shown(state, change), "cyan")
        waits = ", ".join(w.slug for w in waits_for(state, change))
        row: list[RenderableType] = [change.slug, Text(_where(state, change), style=style)]
        row.append("" if change.is_ended else waits)
        if is_wide:
            row += [f"#{change.pull}" if change.pull else "", change.planned.title]
        table.add_row(*row)
    if state.frozen:
        return Group(table, Text(f"The queue is frozen: {state.frozen}", style="red"))
    return table


def print_verdict(console: Console, verdict: Verdict, peak: MemoryPeak, is_scripted: bool) -> None:
    """Changes with attempts, gate runs and tokens; main's history; incidents; the verdict."""
    console.print(_changes_table(verdict.state))
    say(console, "main, oldest first:", "bold")
    for commit in verdict.history:
        say(console, _history_line(console, commit))
    if verdict.recovered:
        say(console, "What went wrong, and how it ended:", "bold")
    for sentence in verdict.recovered:
        say(console, f"  {sentence}")
    say(console, memory_line(peak))
    if is_scripted:
        say(console, SCRIPTED)
    for problem in verdict.problems:
        say(console, f"Not good: {problem}", "red")
    if verdict.is_good:
        number = len(verdict.state.changes)
        say(
            console,
            f"Good: {number} {'change' if number == 1 else 'changes'} landed through the queue within "
            f"{verdict.seconds:.0f} s of the push, main's own tests pass, history is linear, and "
            "the ledger accounts for every commit.",
            "green",
        )


def _history_line(console: Console, commit: MainCommit) -> str:
    line = f"  {commit.sha[:7]} {commit.author}: {commit.subject}"
    if console.is_terminal and len(line) > console.width:
        return line[: console.width - 1] + "…"
    return line


def memory_line(peak: MemoryPeak) -> str:
    """The peak and its parts, the largest first."""
    if not peak.total_bytes:
        return "Peak memory: not measured (this system has no /proc)."
    parts = sorted(peak.parts.items(), key=lambda part: -part[1])
    shown_parts = ", ".join(f"{name} {_mib(size)}" for name, size in parts if size)
    return (
        f"Peak memory of all processes together (PSS): {_mib(peak.total_bytes)} MiB ({shown_parts})"
    )


def _mib(size: int) -> int:
    return round(size / 2**20)


def _changes_table(state: RepositoryState) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("Change", no_wrap=True)
    table.add_column("Ended")
    table.add_column("Attempts")
    for name in ("Gate runs", "Agent s", "Tokens"):
        table.add_column(name, justify="right")
    for change in state.changes.values():
        table.add_row(
            change.slug,
            shown(state, change).value,
            ", ".join(_attempts(change)),
            str(change.gate_runs),
            f"{sum(r.seconds for r in change.agent_runs):.0f}",
            f"{sum(r.tokens.total for r in change.agent_runs):,}",
        )
    return table


def _attempts(change: ChangeFacts) -> Iterator[str]:
    """Each agent run in a word: its outcome, or what became of its work."""
    last: AgentRun | None = change.agent_runs[-1] if change.agent_runs else None
    for run in change.agent_runs:
        if run.outcome != "finished":
            yield run.outcome
        elif run is last and change.landed is not None:
            yield "landed"
        else:
            yield "sent back"
