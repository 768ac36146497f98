"""The report of a spec run: one comment when its last change has ended.

All numbers come from the journal. An unknown price is shown as unknown, never as zero.
"""

from action.report import SandboxKind
from bot.core.journal.model_advice_state import ModelAdvice
from bot.core.journal.state import ChangeFacts, RepositoryState, SpecRun
from bot.core.prompts.digest_prompt import PLACE
from bot.core.spec.policy import Policy
from bot.core.state.coverage import Coverage
from bot.core.state.outlook import outlook, replan_check
from bot.core.state.waiting import Shown, held_back_by, shown
from bot.core.talk.acceptance_text import accepted_deviations
from bot.core.talk.agent_questions_text import clarified_lines
from bot.core.talk.attempts import stopped_by_gates
from bot.core.talk.coverage_text import coverage_text, missing_text
from bot.core.talk.flaky_text import flaky_of_run, often_flaky
from bot.core.talk.links import commit_link, issue_link
from bot.core.talk.plans import money
from bot.core.talk.replanned import cycles_text
from bot.core.talk.text import cell, code, login
from bot.core.values.price import cost, price_of
from bot.core.values.spent import ModelUse


def report(
    state: RepositoryState, policy: Policy, run: SpecRun, coverage: Coverage | None = None
) -> str:
    """The whole report as Markdown; `coverage` is None if nothing landed or the spec is missing."""
    changes = state.changes_of(run.id)
    requirements = {r for c in changes for r in c.planned.requirements}
    landed = {r for c in changes if c.landed is not None for r in c.planned.requirements}
    lines = [
        f"### Report: {len(landed)} of {len(requirements)} requirements landed",
        "",
        "| Change | Ended | Size | Attempts | Gate runs | Turns | Tokens | Estimated | On main |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for change in changes:
        on_main = "–"
        if change.landed is not None and state.facts is not None:
            on_main = commit_link(state.facts, change.landed)
        tokens = sum(r.tokens.total for r in change.agent_runs)
        turns = sum(r.turns for r in change.agent_runs)
        lines.append(
            f"| {issue_link(change)} `{change.slug}` | {shown(state, change)} | {change.size} | "
            f"{sum(not r.remade for r in change.agent_runs)} | {change.gate_runs} | {turns} | {tokens:,} | "
            f"{_estimated_tokens(run, change)} | {on_main} |"
        )
    lines += ["", *_totals(state, policy, run, changes)]
    if coverage is not None:
        why = outlook(state, replan_check(policy, run, coverage))
        texts = (missing_text(coverage, policy.covered_when), cycles_text(run, why))
        lines += ["", *(text for text in texts if text)]
        lines += ["", coverage_text(state, coverage)]
    for change in changes:
        if change.landed is None:
            lines += ["", _not_landed(state, change)]
    return "\n".join(lines)


def _totals(
    state: RepositoryState, policy: Policy, run: SpecRun, changes: tuple[ChangeFacts, ...]
) -> list[str]:
    runs = [r for c in changes for r in c.agent_runs if not r.remade]
    tokens = sum(r.tokens.total for r in runs)
    minutes = 0.0
    if run.ended_at is not None:
        minutes = (run.ended_at - run.opened_at).total_seconds() / 60
    interventions = ", ".join(cell(i) for i in run.interventions) or "none"
    lines = [
        f"- Time from the first plan to the end: {minutes:.1f} minutes",
        f"- Agent runs: {len(runs)}; gate runs: {sum(c.gate_runs for c in changes)}",
        f"- Tokens: {tokens:,}; cost: {_cost(policy, changes)}",
        *_estimate(run, tokens, minutes),
        *_planning(run),
        *_reading(state.model_advice.get(f"{PLACE}{run.id}")),
        *clarified_lines(changes),
        *flaky_of_run(changes),
        *_inherited(state, changes),
        *accepted_deviations(state, (g.name for g in policy.acceptance_gates), changes),
        *(f"- {line}" for line in often_flaky(state)),
        f"- Approved by {login(run.approved_by)}; interventions: {interventions}"
        if run.approved_by
        else f"- Interventions: {interventions}",
    ]
    if any(r.sandbox is SandboxKind.NONE and r.outcome == "finished" for r in runs):
        lines.append("- **Some agent runs had no sandbox**, because the policy allows it.")
    return lines


def _inherited(state: RepositoryState, changes: tuple[ChangeFacts, ...]) -> list[str]:
    """What failed on main, too, and was accepted before the work landed."""
    waived = (t for c in changes if c.landed for r in state.results_of(c) for t in r.waived_tests)
    names = ", ".join(code(test) for test in dict.fromkeys(waived))
    return [f"- Inherited from main and accepted: {names}"] if names else []


def _estimated_tokens(run: SpecRun, change: ChangeFacts) -> str:
    """The tokens that the plan estimated for one attempt at a change of this size."""
    estimate = run.work_estimate
    figures = estimate.by_size.get(change.size) if estimate else None
    return f"{figures.tokens:,}" if figures and figures.tokens is not None else "–"


def _estimate(run: SpecRun, tokens: int, minutes: float) -> list[str]:
    estimate = run.work_estimate
    if estimate is None or estimate.tokens is None or not tokens:
        return []
    share = round(100 * tokens / estimate.tokens) if estimate.tokens else 0
    return [
        f"- Estimate in the plan: {estimate.tokens:,} tokens, {money(estimate.dollars)}, about "
        f"{estimate.minutes} minutes; used: {share} % of the tokens, and {minutes:.1f} minutes"
    ]


def _planning(run: SpecRun) -> list[str]:
    if not run.model_use.calls:
        return []
    estimate = run.planning_estimate
    estimated = f" (estimate: {estimate.tokens:,} tokens)" if estimate else ""
    return [f"- Planning: {_used(run.model_use)}{estimated}"]


def _reading(advice: ModelAdvice | None) -> list[str]:
    """What a model's advice on the spec cost; advice on pulls is not part of the run."""
    return [f"- Reading the spec: {_used(advice.use)}"] if advice and advice.use.calls else []


def _used(use: ModelUse) -> str:
    cost = "unknown" if use.dollars is None else f"${use.dollars:.2f}"
    calls = "1 call" if use.calls == 1 else f"{use.calls} calls"
    return f"{calls} to models, {use.tokens.total:,} tokens; cost: {cost}"


def _cost(policy: Policy, changes: tuple[ChangeFacts, ...]) -> str:
    total = 0.0
    unknown: set[str] = set()
    for change in changes:
        for run in change.agent_runs:
            spent = cost(run.tokens, price_of(run.model, policy.file.prices))
            if spent is None:
                unknown.add(run.model or "unnamed model")
            total += spent or 0.0
    if unknown:
        names = ", ".join(code(name) for name in sorted(unknown))
        return f"unknown (the policy's `prices` has no price for {names})"
    return f"${total:.2f}"


def _not_landed(state: RepositoryState, change: ChangeFacts) -> str:
    where = shown(state, change)
    if where is Shown.REPLACED:
        return f"**`{change.slug}`** was planned again: {cell(change.sentence)}".rstrip(": ")
    if where is Shown.HELD_BACK:
        names = ", ".join(f"`{b}`" for b in held_back_by(state, change))
        return f"**`{change.slug}`** was held back by {names}."
    reason = f" ({change.failure.replace('_', ' ')})" if change.failure else ""
    stopped_by = stopped_by_gates(change)
    return (
        f"**`{change.slug}`** {where}{reason}: {cell(change.sentence)} {stopped_by}"
        f"To try again, comment `/headgate retry` on {issue_link(change)}."
    )
