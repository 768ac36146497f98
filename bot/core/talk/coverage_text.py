"""Texts about coverage: one table, and each missing requirement with its reason."""

from bot.core.journal.state import RepositoryState
from bot.core.spec.policy_file import CoveredWhen
from bot.core.state.coverage import Coverage, CoverageRow
from bot.core.talk.links import commit_link
from bot.core.talk.text import cell, code

# Three tests are enough to find the others.
_TESTS_SHOWN = 3

_ASKED = {
    CoveredWhen.LANDED: "on main",
    CoveredWhen.NAMED: "on main and named by a test",
    CoveredWhen.PASSED: "on main with a passing test that names it",
}


_EACH = {
    CoveredWhen.LANDED: "each by work on main",
    CoveredWhen.NAMED: "each by work on main and by a test that names it",
    CoveredWhen.PASSED: "each by a test that passed on main",
}


def coverage_text(state: RepositoryState, coverage: Coverage) -> str:
    """The table of requirements with status, change, commit and tests, in a closed `<details>`."""
    named = sum(1 for row in coverage.rows if row.tests)
    lines = [
        f"<details><summary>Coverage: {coverage.landed} of {len(coverage.rows)} requirements on "
        f"main, {named} named by tests</summary>",
        "",
        "| Requirement | Status | Change | On main | Tests |",
        "|---|---|---|---|---|",
    ]
    for row in coverage.rows:
        change = f"#{row.issue}" if row.issue else cell(row.change) or "–"
        landed = "–"
        if row.landed is not None and state.facts is not None:
            landed = commit_link(state.facts, row.landed)
        lines.append(
            f"| {cell(row.title, 120)} | {row.status} | {change} | {landed} | {_tests(row)} |"
        )
    return "\n".join([*lines, "", "</details>"])


def missing_text(coverage: Coverage, asked: CoveredWhen) -> str:
    """A sentence if everything is covered as the policy asks; else what is not, and why."""
    missing = coverage.missing(asked)
    total = len(coverage.rows)
    if not missing:
        return f"{total} of {total} requirements are covered, {_EACH[asked]}."
    covered = total - len(missing)
    lines = [
        f"**{covered} of {total} requirements are covered** ({_ASKED[asked]}). "
        f"These {len(missing)} are not:"
    ]
    lines += [""]
    lines += [
        f"- {cell(row.title, 120)} ({code(f'{row.path}:{row.line}')}): "
        f"{row.status}{': ' + cell(row.why, 300) if row.why else ''}"
        for row in missing
    ]
    return "\n".join(lines)


def _tests(row: CoverageRow) -> str:
    shown = "<br>".join(code(test) for test in row.tests[:_TESTS_SHOWN])
    more = len(row.tests) - _TESTS_SHOWN
    if more > 0:
        shown += f"<br>and {more} more"
    return shown or "–"
