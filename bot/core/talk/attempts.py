"""The table of a change's attempts: how each ended, and what stopped it."""

from bot.core.journal.change_state import FINISHED
from bot.core.journal.evolve_change_candidate import red_gate
from bot.core.journal.state import AgentRun, ChangeFacts, RedGate, WorkFate
from bot.core.talk.text import code, counted, inert

_RESULTS = {
    WorkFate.REFUSED: "refused",
    WorkFate.CONFLICT: "conflict with main",
    WorkFate.RED: "gates red",
    WorkFate.PASSED: "passed",
    WorkFate.LANDED: "landed",
}
_TESTS_SHOWN = 3


def attempt_table(change: ChangeFacts) -> list[str]:
    """A row for each agent run; one that was lost is no attempt, and has no number."""
    if not change.agent_runs:
        return []
    rows = ["| Attempt | Result | Reason | Turns | Tokens |", "|---|---|---|---|---|"]
    for run in change.agent_runs:
        number = str(run.attempt) if is_attempt(run) else "–"
        rows.append(
            f"| {number} | {result_of(run)} | {_reason(change, run)} | {run.turns} | {run.tokens.total:,} |"
        )
    return rows


def is_attempt(run: AgentRun) -> bool:
    """Whether it has a number: one that was lost or deferred is nobody's attempt."""
    return run.outcome not in {"lost", "deferred"}


def result_of(run: AgentRun) -> str:
    return _RESULTS.get(run.fate, run.outcome.replace("_", " "))


def _reason(change: ChangeFacts, run: AgentRun) -> str:
    """Why an attempt ended as it did, and what of its tree is no part of the work."""
    names = ", ".join(code(path) for path in run.left_out)
    left_out = f"Removed from the work: {names}" if names else ""
    ticked = f"{run.ticked} of {counted(run.tasks, 'task')} ticked." if run.tasks else ""
    remade = ", ".join(code(path) for path in run.remade)
    command = f"Without an agent: a command generates {remade} again." if remade else ""
    why = reason_of_end(run) or _why_not_judged(change, run)
    return sentences(command, why, ticked, left_out) or "–"


def sentences(*parts: str) -> str:
    """In a row; a full stop stands between each two of them."""
    said = [part for part in parts if part]
    return " ".join(
        part if n == len(said) or part.endswith((".", "!", "?", "…")) else f"{part}."
        for n, part in enumerate(said, start=1)
    )


def _why_not_judged(change: ChangeFacts, run: AgentRun) -> str:
    """What came between finished work and the gates; empty where nothing did, or not yet."""
    if run.outcome != FINISHED or run.fate is not WorkFate.OPEN:
        return ""
    is_replaced = change.head is not None and change.head.order != run.order
    if is_replaced and change.order != run.order:
        return "It was not judged, because newer work replaced it."
    is_last = change.is_ended and run == change.agent_runs[-1]
    return inert(change.sentence, 300) if is_last else ""


def reason_of_end(run: AgentRun) -> str:
    """The gates and tests, the files, or what was said of it; empty where all went well."""
    if run.red:
        return "; ".join(red_gate_text(gate) for gate in run.red)
    if run.files:
        return ", ".join(code(f) for f in run.files)
    return inert(run.sentence)


def red_gate_text(red: RedGate) -> str:
    """`test` failed: `tests/test_till.py::test_sum`; what main fails, too, stands apart."""
    head = f"{code(red.gate)} {red.ending.replace('_', ' ')}"
    introduced = _first(red.tests, red.tests_failed) or inert(red.error.rstrip("."))
    if not red.inherited:
        return f"{head}: {introduced}" if introduced else head
    inherited = f"inherited from main: {_first(red.inherited, len(red.inherited))}"
    if not red.tests:
        return f"{head}, {inherited}"
    return f"{head}, introduced by this change: {introduced}; {inherited}"


def _first(tests: tuple[str, ...], count: int) -> str:
    shown = ", ".join(code(test) for test in tests[:_TESTS_SHOWN])
    more = count - min(len(tests), _TESTS_SHOWN)
    return shown + (f" and {more} more" if more > 0 else "")


def stopped_by_gates(change: ChangeFacts) -> str:
    """A sentence about the gates that stopped the newest work; empty if none did."""
    stopped = [run.red for run in change.agent_runs if run.red]
    red = stopped[-1] if stopped else ()
    if change.head is not None and change.head.order is None:
        # A person's work: no run of an agent tells of it.
        red = tuple(red_gate(r) for r in change.retry.failed_gates) if change.retry else ()
    if not red:
        return ""
    return f"The gates said: {'; '.join(red_gate_text(gate) for gate in red)}. "
