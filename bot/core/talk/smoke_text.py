"""What people are told of smoke gates: the check run on main, the freeze, and its issue."""

from collections.abc import Sequence

from bot.core.journal.smoke_state import Smoke
from bot.core.journal.state import LedgerKind, LedgerLine, RepositoryState
from bot.core.talk.checks import gate_table
from bot.core.talk.incident_text import how_to_unfreeze, incident_marker
from bot.core.talk.links import commit_link
from bot.core.talk.text import code, cut, inert, main_or
from bot.core.values.check_run import CheckRunText, Conclusion
from bot.core.values.incident import Incident
from bot.core.values.repository import RepositoryFacts
from bot.core.values.smoke import SmokeOutcome

SMOKE_NAME = "headgate/smoke"
_LANDINGS_NAMED = 20

_CONCLUSIONS = {
    SmokeOutcome.GREEN: Conclusion.SUCCESS,
    SmokeOutcome.RED: Conclusion.FAILURE,
    # Nothing is known of the commit, and a person may have to repair a runner.
    SmokeOutcome.NOT_RUN: Conclusion.ACTION_REQUIRED,
}


def smoke_check(smoke: Smoke, outcome: SmokeOutcome) -> CheckRunText:
    return CheckRunText(
        name=SMOKE_NAME,
        conclusion=_CONCLUSIONS.get(outcome),
        title=smoke.sentence[:250],
        summary=cut(gate_table(smoke.results), 65_000) if smoke.results else smoke.sentence,
    )


def smoke_title(state: RepositoryState, landings: Sequence[LedgerLine]) -> str:
    """`landings` are newest first, and never none."""
    more = f" and {len(landings) - 1} before it" if len(landings) > 1 else ""
    return f"Smoke gates are red after {_what(state, landings[0])}{more}"


def smoke_body(
    state: RepositoryState,
    facts: RepositoryFacts,
    smoke: Smoke,
    landings: Sequence[LedgerLine],
    incident: Incident,
) -> str:
    named = [
        f"- {commit_link(facts, line.sha)} {_what(state, line)}{_who(state, line)}"
        for line in landings[:_LANDINGS_NAMED]
    ]
    more = len(landings) - len(named)
    named += [f"- … and {more} before them"] if more > 0 else []
    since = "since they were last green" if smoke.passed else "last"
    return "\n\n".join(
        (
            incident_marker(incident.slug),
            f"After a landing, the smoke gates ran on {commit_link(facts, smoke.sha)}. "
            f"{inert(smoke.sentence, 500)}",
            f"New commits on {code(facts.default_branch)} {since}:",
            "\n".join(named),
            "**The queue is frozen.** Gates and agents continue, but no change lands until the "
            f"smoke gates pass, or until a person comments {how_to_unfreeze(incident.branch)}. "
            f"The smoke gates run at once on a later {code(facts.default_branch)}, and from "
            "time to time on this one. To land a fix through the queue, unfreeze it; the smoke "
            "gates then run on the fix, too.",
            cut(gate_table(smoke.results), 30_000),
        )
    )


def smoke_is_over(state: RepositoryState) -> str:
    smoke = state.smoke
    is_green = smoke is not None and smoke.outcome is SmokeOutcome.GREEN
    passed = (
        f"The smoke gates pass at {code(smoke.sha[:12])}." if smoke is not None and is_green else ""
    )
    return f"{passed} The freeze has ended, and the queue continues.".strip()


def why_frozen(state: RepositoryState, smoke: Smoke, landings: Sequence[LedgerLine]) -> str:
    """The end of a sentence, without a full stop."""
    newest = landings[0]
    more = f", and {len(landings) - 1} before it" if len(landings) > 1 else ""
    return (
        f"the smoke gates are red on {main_or(state.on_branch)} at {smoke.sha[:12]} after {_what(state, newest)}"
        f"{_who(state, newest)}{more}"
    )


def not_run_text(state: RepositoryState) -> str:
    """A paragraph for the queue issue; empty where the smoke gates ran, or none are due."""
    smoke = state.smoke
    if smoke is None or smoke.outcome is not SmokeOutcome.NOT_RUN:
        return ""
    return (
        f"**The smoke gates did not run** on {main_or(state.on_branch)} at "
        f"{code(smoke.sha[:12])}, so their result is unknown: {inert(smoke.sentence, 500)} "
        "Headgate runs them again from time to time. To run them at once, press *Re-run* at "
        f"the check run {code(SMOKE_NAME)}."
    )


def _what(state: RepositoryState, line: LedgerLine) -> str:
    """What brought a commit to main."""
    if line.pull is not None:
        return f"the landing of pull request #{line.pull}"
    change = state.changes.get(line.change) if line.change else None
    if change is not None and change.pull is not None:
        return f"the landing of change {change.slug} (#{change.pull})"
    if line.kind is LedgerKind.LANDED:
        return f"the landing of change {line.change}"
    return f"a push of {line.sha[:12]}"


def _who(state: RepositoryState, line: LedgerLine) -> str:
    if line.pull is not None:
        return f", queued by @{line.author}" if line.author else ""
    change = state.changes.get(line.change) if line.change else None
    run = state.spec_runs.get(change.spec_run) if change else None
    if run is not None and run.approved_by:
        return f", approved by @{run.approved_by}"
    return f" by {code(line.author)}" if line.author else ""
