"""What a tracking issue says of planning: who planned, what it took, what it will take, and why not.

A model's words are other people's words. Deliberately absent: the table of changes; see `issues`.
"""

from collections.abc import Sequence

from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.prompts.estimate import summed
from bot.core.prompts.figures import Estimate, SizeFigures, WorkEstimate
from bot.core.talk.text import cell, code, login
from bot.core.values.plan_model import ChangeSize, Plan, PlannedChange, Planner
from bot.core.values.repository import Role

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


def below(run: SpecRun, changes: Sequence[ChangeFacts]) -> list[str]:
    """What stands after the table: who planned, sizes, estimates, risks, what is left out."""
    plan = run.plan
    if plan is None:
        return []
    lines = ["", f"Made {_MADE_BY[plan.planner]}.{_took(run)}", *_sizes(run, plan, changes)]
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


def size_cell(change: PlannedChange, changes: Sequence[ChangeFacts]) -> str:
    """A change's size in a table, and who said it where that was a person's label."""
    said = next((c for c in changes if c.slug == change.slug and c.said_size), None)
    return f"{said.size} (label by {login(said.said_size_by)})" if said else change.size.value


def size_label_needs_role(by: str, role: Role) -> str:
    """A label of somebody who may not write."""
    return (
        f"{login(by)} labelled this change with a size, and has the role {role} here; a size is "
        "said by somebody who may write. The estimate counts."
    )


def _sizes(run: SpecRun, plan: Plan, changes: Sequence[ChangeFacts]) -> list[str]:
    """How many changes are of which size, what each may spend, and what all will take."""
    said = {c.slug: c.size for c in changes if c.said_size}
    sizes = [said.get(c.slug, c.size) for c in plan.changes]
    small = sum(1 for size in sizes if size is ChangeSize.S)
    counts = f"Sizes: {small} S, {len(sizes) - small} M."
    told = run.work_estimate
    if told is None:
        return [counts]
    if told.by_size:
        told = summed(sizes, told.by_size, told.side_by_side)
        there = [size for size in ChangeSize if size in sizes]
        counts += " " + " ".join(_allowance(size, told.by_size[size]) for size in there)
        counts += (
            " For another size, put the label `headgate:size-S` or `headgate:size-M` on a change's "
            "issue."
        )
    return [counts, _work(told)]


def _allowance(size: ChangeSize, one: SizeFigures) -> str:
    return f"{size}: at most {one.tokens_max:,} tokens of {code(one.model)} an attempt."


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
