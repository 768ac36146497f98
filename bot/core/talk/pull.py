"""The title and body of a change's pull."""

from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.talk.text import cell, code, cut, marker
from bot.core.values.spec_model import Requirement, Spec


def pull_body(run: SpecRun, change: ChangeFacts, spec: Spec) -> str:
    """The body of the pull; written once, because nothing in it changes later."""
    wanted = set(change.planned.requirements)
    requirements = [r for r in spec.requirements if r.id in wanted]
    lines = [
        marker(f"pull {change.id}"),
        f"Implements #{change.issue}, a change of the plan in #{run.issue}.",
        "",
        requirement_table(requirements),
        "",
        "The branch shows the newest candidate: the exact commit that main will become. "
        "Headgate lands it when every required gate has passed. If you push to this branch, "
        "you take the change over: no agent works on it until `/headgate hand-back`. To stop "
        "the change, close this pull request.",
    ]
    return cut("\n".join(lines))


def requirement_table(requirements: list[Requirement]) -> str:
    rows = ["| Requirement | Text | Scenarios | Where |", "|---|---|---|---|"]
    for requirement in requirements:
        scenarios = "<br>".join(cell(s.name) for s in requirement.scenarios) or "none"
        place = code(f"{requirement.path}:{requirement.line_start}")
        name = requirement.source_id or requirement.title
        statement = " ".join(requirement.statement.split())
        if len(statement) > 300:
            statement = statement[:299] + "…"
        rows.append(f"| {cell(name)} | {cell(statement)} | {scenarios} | {place} |")
    return "\n".join(rows)
