"""docs/state_bounds.md: what keeps each field of a repository's state from growing for ever."""

from collections.abc import Mapping
from dataclasses import fields

from bot.core.decide.people.retire_issues import ENDED_ISSUES_KEPT
from bot.core.decide.specs.retire_spec_runs import ENDED_CHANGES_KEPT
from bot.core.journal.evolve_evidence import EVIDENCE_KEPT
from bot.core.journal.evolve_main import LINES_KEPT
from bot.core.journal.evolve_pull_queue import KEPT_OUT_MAX, LEFT_AT_ONCE, LEFT_KEPT
from bot.core.journal.evolve_questions import DECISIONS_KEPT
from bot.core.journal.retired_issues import WITHOUT_SPEC_KEPT
from bot.core.journal.state import RepositoryState

_RUNS = (
    f"Open work, and ended spec runs with {ENDED_CHANGES_KEPT} ended changes, or with failures of the "
    "last month (`SpecRunRetired`)."
)
_WITH_RUN = (
    f"Goes with its spec run, or with its pull when {LEFT_KEPT} others have left the queue since."
)
_ONE = "One value."
_OPEN = "What is open or waits."

# Maps and lists of the state; all other fields are one value.
BOUNDS: Mapping[str, str] = {
    "ledger": f"The newest {LINES_KEPT} to {2 * LINES_KEPT} lines, and those that are not published yet.",
    "on_line": "The kept lines of the ledger.",
    "adoptions": "Those on the kept lines of the ledger, those that main rests on, those without a verdict.",
    "freezes": "One for each cause.",
    "queued_pulls": f"Those in the queue, and the newest {LEFT_KEPT} to {LEFT_KEPT + LEFT_AT_ONCE} that left it.",
    "left_pulls": f"The newest {LEFT_KEPT} to {LEFT_KEPT + LEFT_AT_ONCE}.",
    "kept_out": f"The newest {KEPT_OUT_MAX:,}.",
    "entries": _WITH_RUN,
    "in_line": "What is in the queue.",
    "changes": _RUNS,
    "spec_runs": _RUNS,
    "spec_versions": "Specs on main: what is gone is taken out when that was handled.",
    "spec_keys": "Specs on main, and those of spec runs in the state.",
    "refusals": "Specs on main that cannot be read, and the policy.",
    "retired": "**Stays**: 15 bytes for each spec run, so that no id is given twice.",
    "retired_issues": f"The newest {WITHOUT_SPEC_KEPT:,} issues that led to no spec, a line (60 bytes) each: the same "
    "label must not begin its dialogue again. **Stays**: a line for each issue that led to a spec, which comes back at "
    "its path.",
    "candidates": "The newest of each entry, and those that are being built.",
    "incidents": "The newest 20.",
    "orders": "Those of changes and pulls in the state, of kept adoptions, of the newest smoke test, and open ones.",
    "workflows": "One for each workflow file that an order was ever dispatched with; the policy names it.",
    "open_orders": _OPEN,
    "lost_orders": "Of `orders`, until a late report is told.",
    "open_pulls": _WITH_RUN,
    "run_of_issue": _WITH_RUN,
    "change_of_number": _WITH_RUN,
    "evidence": f"The newest {EVIDENCE_KEPT}.",
    "covered": "**Stays**: one digest for each requirement that landed, as it must not be planned again.",
    "register_now": "**Stays**: one entry for each requirement that ever had an id, as no id is given twice; it is "
    "the register in the repository.",
    "waivers": "Those in force, and those over for less than 30 days; **stays**: one that a person gave for good.",
    "pauses": "One for each cause.",
    "flaky": "The newest 200 tests, for 30 days.",
    "register_filed": "One digest for each file of the register.",
    "rematched": "Specs on main, and those of spec runs in the state.",
    "asked": "Specs on main, and spec runs and pulls in the state.",
    "decisions": f"Those about questions of specs on main and of spec runs and pulls in the state, and the newest "
    f"{DECISIONS_KEPT:,}: one counts again where the same text comes back.",
    "spec_issues": f"Specs that are offered, and the newest of {ENDED_ISSUES_KEPT} issues that are over (`IssuesRetired`).",
    "dialogues": f"Those that are open, and the newest of {ENDED_ISSUES_KEPT} issues that are over (`IssuesRetired`).",
    "pull_digests": "Open pulls that touch specs (`SpecPullForgotten`).",
    "model_advice": "Goes with its spec run, pull or candidate.",
    "review_places": "Goes with its change.",
    "noticed": "The newest texts, up to a number.",
    "heard": _OPEN,
    "answered": "The last four days: an older comment is not news (`CommentsRead`).",
    "strangers_asked": "The last hour.",
    "published": "Goes with what it is about: a spec run, a pull, an issue, a commit, an order, a refused spec, a "
    "candidate. Of a series the newest stays; what nobody asks for is not kept.",
    "series": "Texts of `published`: of candidates, and of what is told again and again.",
    "open_checks": _OPEN,
    "open_effects": _OPEN,
    "delays": _OPEN,
    "refused": "Goes with what it is about, as `published` does; the newest 2,000.",
    "branches": "One for each branch that ever had a queue of its own.",
}


def state_page() -> str:
    """The page."""
    rows = (
        f"| `{field.name}` | {BOUNDS.get(field.name, _ONE)} |" for field in fields(RepositoryState)
    )
    return (
        "# What the state holds\n\n"
        "The state of a repository is the fold of its journal. Nothing in it grows with the age of the "
        "repository alone: each map is bounded by what is open now, by time, or by a number; what **stays** "
        "is small, and the table says why it stays. All that has left is in the journal. `make bench-growth` prints what remains.\n\n"
        "What is kept of a thing (the attempts of a change, the questions of a dialogue) goes with the thing.\n\n"
        "| Field | What bounds it |\n|---|---|\n" + "\n".join(rows) + "\n"
    )


def collections() -> set[str]:
    """The fields that may hold many things."""
    begins = ("dict[", "tuple[", "RetiredRuns", "RetiredIssues", "Register")
    return {f.name for f in fields(RepositoryState) if str(_name(f.type)).startswith(begins)}


def _name(type_: object) -> object:
    return type_.__name__ if isinstance(type_, type) and not hasattr(type_, "__args__") else type_
