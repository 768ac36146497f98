"""What a tracking issue says around the table of changes: who planned, costs, sizes, warnings.

A model's words are escaped like other people's words.
"""

from collections.abc import Sequence

from bot.core.journal.state import ChangeFacts, SpecRun, SpecRunState
from bot.core.prompts.estimate import figures_of, summed
from bot.core.prompts.figures import Estimate, SizeFigures, WorkEstimate
from bot.core.talk.text import REGION_CHARACTERS_MAX, cell, code, counted, cut, login
from bot.core.values.plan_model import ChangeSize, Plan, PlannedChange, Planner
from bot.core.values.repository import Role

_MADE_BY = {
    Planner.DETERMINISTIC: "by rules",
    Planner.MODEL: "by a model, and checked",
    Planner.PERSON: "by a person's edits, and checked",
}
_LINES_MAX = 12
# What is folded away is cut by itself: a region that is cut would lose the end of the fold.
_FOLDED_CHARACTERS_MAX = REGION_CHARACTERS_MAX - 8_000


def money(dollars: float | None) -> str:
    """US dollars; None means that a price is unknown."""
    if dollars is None:
        return "an unknown cost (a price is missing in the policy's `prices`)"
    return f"about ${dollars:.2f}"


def planning_text(run: SpecRun) -> str:
    estimate = run.planning_estimate or Estimate(calls=1, tokens=0, dollars=None)
    calls = "1 prompt" if estimate.calls == 1 else f"{estimate.calls} prompts"
    lines = [
        f"### A model is planning {code(run.path)}",
        "",
        f"{calls}, about {estimate.tokens:,} tokens, {money(estimate.dollars)}. Headgate checks "
        "the plan and shows it here. No work starts before somebody approves it.",
    ]
    if run.plan is not None:
        lines += [
            "",
            f"Revision {run.plan.revision} was made for an older text of the spec and can no "
            "longer be approved.",
        ]
    return "\n".join(lines)


def above(run: SpecRun) -> list[str]:
    """The lines above the table: why this is not a model's plan, and which features are off."""
    lines: list[str] = []
    if run.beside:
        lines += ["> [!WARNING]", "> A model's plan could not be used:"]
        lines += [f"> - {cell(reason, 400)}" for reason in run.beside[:_LINES_MAX]]
        lines += [
            ">",
            "> The plan below was made by rules instead. Approve it, edit it (`/headgate plan …`), "
            "or ask the model again (`/headgate plan again`).",
            "",
        ]
    if run.off:
        lines += [f"> [!NOTE]\n> {run.off}", ""]
    return lines


def below(run: SpecRun, changes: Sequence[ChangeFacts]) -> list[str]:
    """The lines below the table: who planned, sizes, estimates, risks, what is left out."""
    plan = run.plan
    if plan is None:
        return []
    lines = ["", f"Made {_MADE_BY[plan.planner]}.{_took(run)}", *_sizes(run, plan, changes)]
    lines += _scopes(plan)
    lines += _listed("Risks", plan.risks)
    lines += _listed("Left out", plan.left_out)
    return lines


def folded(lines: Sequence[str]) -> list[str]:
    """The details of an approved plan, folded away."""
    kept = cut("\n".join(lines), _FOLDED_CHARACTERS_MAX)
    return ["", "<details><summary>The plan in detail</summary>", "", kept, "", "</details>"]


def _took(run: SpecRun) -> str:
    use = run.model_use
    if not use.calls:
        return ""
    cost = "cost unknown" if use.dollars is None else f"${use.dollars:.2f}"
    calls = "1 call" if use.calls == 1 else f"{use.calls} calls"
    return f" Models used for planning: {calls}, {use.tokens.total:,} tokens, {cost}."


def size_cell(change: PlannedChange, changes: Sequence[ChangeFacts]) -> str:
    """A change's size, and who set it if it comes from a label."""
    labelled = next((c for c in changes if c.slug == change.slug and c.said_size), None)
    if labelled is None:
        return change.size.value
    return f"{labelled.size} (label by {login(labelled.said_size_by)})"


def size_label_needs_role(by: str, role: Role) -> str:
    """The comment on a size label that a person without the role write has set."""
    return (
        f"{login(by)} labelled this change with a size. That needs the role {Role.WRITE}, and "
        f"{login(by)} has the role {role} here. The size stays as the plan estimated it."
    )


def _sizes(run: SpecRun, plan: Plan, changes: Sequence[ChangeFacts]) -> list[str]:
    """How many changes have which size, their token limits, and the estimate for all of them."""
    labelled = {c.slug: c.size for c in changes if c.said_size}
    sizes = [labelled.get(c.slug, c.size) for c in plan.changes]
    of_size = {size: sizes.count(size) for size in ChangeSize}
    shown = (f"{n} {size}" for size, n in of_size.items() if n or size is not ChangeSize.L)
    counts = f"Sizes: {', '.join(shown)}."
    estimate = run.work_estimate
    if estimate is None:
        return [counts]
    if estimate.by_size:
        estimate = summed(sizes, estimate.by_size, estimate.side_by_side)
        present = [size for size in ChangeSize if size in sizes]
        counts += " " + " ".join(
            _allowance(size, figures_of(size, estimate.by_size)) for size in present
        )
        counts += (
            " To change a size, comment `/headgate plan size CHANGE S` (or `M`, `L`)."
            if run.state is SpecRunState.PROPOSED
            else " To change a size, put the label `headgate:size-S`, `headgate:size-M` or "
            "`headgate:size-L` on the change's issue."
        )
    return [counts, *_work(estimate)]


def _allowance(size: ChangeSize, one: SizeFigures) -> str:
    model = code(one.model)
    tokens = f"{one.tokens_max:,} weighted tokens"
    if one.dollars_max is not None:
        return f"{size}: at most ${one.dollars_max:.2f} of {model} for each attempt, and {tokens}."
    why = "" if one.dollars is not None else " (no limit in dollars: its price is not known)"
    return f"{size}: at most {tokens} of {model} for each attempt{why}."


def _work(estimate: WorkEstimate) -> list[str]:
    """Nothing before this repository's own attempts say something."""
    if estimate.tokens is None:
        return []
    runs = sum(one.runs for one in estimate.by_size.values())
    learned = f" (learned from {counted(runs, 'attempt')} here)" if runs else ""
    return [
        f"Estimate for the first attempts: {estimate.tokens:,} tokens, "
        f"{money(estimate.dollars)}, about {estimate.minutes} minutes{learned}."
    ]


def _scopes(plan: Plan) -> list[str]:
    described = [c for c in plan.changes if c.scope or c.left_out or c.done]
    if not described:
        return []
    lines = ["", "<details><summary>What each change builds, and when it is done</summary>", ""]
    for change in described:
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
