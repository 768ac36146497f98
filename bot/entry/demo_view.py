"""What the demo shows in the terminal: live progress, and the table at the end."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from bot.core.journal.state import ChangeFacts, RepositoryState
from bot.core.talk.places import Shown, shown, waits_for
from bot.entry.demo_stage import Stage
from bot.entry.demo_verdict import Verdict

_STYLES = {
    Shown.LANDED: "green",
    Shown.FAILED: "red",
    Shown.STOPPED: "red",
    Shown.WAITING: "dim",
    Shown.HELD_BACK: "red",
}


def progress_view(stage: Stage, state: RepositoryState, seconds: float) -> RenderableType:
    """One row a change, as of now."""
    landed = sum(1 for c in state.changes.values() if c.landed is not None)
    title = f"{stage.repository}: {landed} of {len(state.changes)} landed, {seconds:.0f} s"
    table = Table("Change", "Where", "Attempt", "Pull", "Waits for", title=title, expand=False)
    for change in state.changes.values():
        where = shown(state, change)
        waits = ", ".join(w.slug for w in waits_for(state, change))
        table.add_row(
            change.slug,
            Text(where.value, style=_STYLES.get(where, "cyan")),
            str(change.attempt or ""),
            f"#{change.pull}" if change.pull else "",
            "" if change.is_ended else waits,
        )
    if state.frozen:
        return Group(table, Text(f"The queue is frozen: {state.frozen}", style="red"))
    return table


def verdict_view(stage: Stage, verdict: Verdict) -> RenderableType:
    """Changes, attempts, gates, time, tokens; main's history; the verdict."""
    table = Table("Change", "Ended", "Attempts", "Gate runs", "Seconds", "Tokens")
    for change in verdict.state.changes.values():
        table.add_row(*_row(verdict.state, change))
    parts: list[RenderableType] = [table, Text("main, oldest first:", style="bold")]
    parts += [Text(f"  {line}") for line in verdict.history]
    if verdict.is_good:
        parts.append(
            Text(
                f"Good: everything landed through the queue in {verdict.seconds:.0f} s after the "
                "push, main's own tests pass, history is linear, and the ledger accounts for "
                "every commit.",
                style="green",
            )
        )
    else:
        parts += [Text(f"Not good: {p}", style="red") for p in verdict.problems]
        parts.append(Text(f"Logs are in {stage.folder}."))
    return Group(*parts)


def _row(state: RepositoryState, change: ChangeFacts) -> tuple[str, ...]:
    runs = change.agent_runs
    outcomes = ", ".join(r.outcome for r in runs)
    seconds = sum(r.seconds for r in runs)
    tokens = sum(r.tokens.total for r in runs)
    return (
        change.slug,
        shown(state, change).value,
        f"{len(runs)} ({outcomes})",
        str(change.gate_runs),
        f"{seconds:.0f}",
        f"{tokens:,}",
    )
