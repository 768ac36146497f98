"""What a tracking issue says of planning: who planned, what it took, what it will take, and why not.

A model's words are other people's words. Deliberately absent: the table of changes; see `issues`.
"""

from bot.core.journal.state import SpecRun
from bot.core.plan.asking.figures import Estimate, WorkEstimate
from bot.core.plan.model import ChangeSize, Plan, Planner
from bot.core.talk.text import cell, code

_MADE_BY = {
    Planner.DETERMINISTIC: "by rules",
    Planner.MODEL: "by a model, and checked",
    Planner.PERSON: "by a person's edits, and checked",
}
_LINES_MAX = 12


def money(dollars: float | None) -> str:
    """US dollars; an unknown price is said to be unknown."""
    if dollars is None:
        return "an unknown cost (a price is missing in the policy's `prices`)"
    return f"about ${dollars:.2f}"


def planning_text(run: SpecRun) -> str:
    """What the issue shows while a model plans."""
    estimate = run.planning_estimate or Estimate(calls=1, tokens=0, dollars=None)
    calls = "1 question" if estimate.calls == 1 else f"{estimate.calls} questions"
    lines = [
        f"### {code(run.path)} is being planned by a model",
        "",
        f"{calls}, about {estimate.tokens:,} tokens, {money(estimate.dollars)}. The plan is checked "
        "and shown here; nothing starts before somebody approves it.",
    ]
    if run.plan is not None:
        lines += ["", f"Revision {run.plan.revision} is for an older text and can no longer start."]
    return "\n".join(lines)


def above(run: SpecRun) -> list[str]:
    """What stands before the table: why this is not the plan that was asked for, and what is off."""
    lines: list[str] = []
    if run.beside:
        lines += ["> [!WARNING]", "> A model's plan could not be used:"]
        lines += [f"> - {cell(reason, 400)}" for reason in run.beside[:_LINES_MAX]]
        lines += [
            ">",
            "> Below stands the plan by rules instead. Approve it, edit it (`/headgate plan …`), or "
            "have the model asked again: `/headgate plan again`.",
            "",
        ]
    if run.off:
        lines += [f"> [!NOTE]\n> {run.off}", ""]
    return lines


def below(run: SpecRun) -> list[str]:
    """What stands after the table: who planned, sizes, estimates, risks, what is left out."""
    plan = run.plan
    if plan is None:
        return []
    lines = ["", f"Made {_MADE_BY[plan.planner]}.{_took(run)} {_sizes(plan)}"]
    if run.work_estimate is not None:
        lines.append(_work(run.work_estimate))
    lines += _scopes(plan)
    lines += _listed("Risks", plan.risks)
    lines += _listed("Left out", plan.left_out)
    return lines


def _took(run: SpecRun) -> str:
    use = run.model_use
    if not use.calls:
        return ""
    cost = "cost unknown" if use.dollars is None else f"${use.dollars:.2f}"
    return f" Asking models took {use.calls} calls, {use.tokens.total:,} tokens, {cost}."


def _sizes(plan: Plan) -> str:
    small = [c.slug for c in plan.changes if c.size is ChangeSize.S]
    named = ", ".join(f"`{slug}`" for slug in small[:_LINES_MAX])
    counts = f"Sizes: {len(small)} S{f' ({named})' if small else ''}, "
    return f"{counts}{len(plan.changes) - len(small)} M."


def _work(estimate: WorkEstimate) -> str:
    return (
        f"Estimate for the work, first attempts: {estimate.tokens:,} tokens, "
        f"{money(estimate.dollars)}, about {estimate.minutes} minutes."
    )


def _scopes(plan: Plan) -> list[str]:
    told = [c for c in plan.changes if c.scope or c.left_out or c.done]
    if not told:
        return []
    lines = ["", "<details><summary>What each change builds, and when it is done</summary>", ""]
    for change in told:
        line = f"- `{change.slug}`: {cell(change.scope, 400)}"
        if change.left_out:
            line += f" Not: {cell(change.left_out, 400)}"
        if change.done:
            line += f" Done when: {'; '.join(cell(d, 200) for d in change.done)}"
        lines.append(line)
    return [*lines, "", "</details>"]


def _listed(title: str, sentences: tuple[str, ...]) -> list[str]:
    if not sentences:
        return []
    return ["", f"**{title}**", "", *(f"- {cell(s, 400)}" for s in sentences[:_LINES_MAX])]
