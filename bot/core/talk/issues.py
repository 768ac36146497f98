"""The texts of the tracking issue and of the changes' issues.

Headgate edits its regions in place; what people write around them stays.
"""

from collections.abc import Mapping

from bot.core.journal.state import (
    ChangeFacts,
    RepositoryState,
    SpecRun,
    SpecRunState,
    asked_at,
)
from bot.core.plan.shown_waits import shown_waits
from bot.core.spec.identity.id_changes import Rematched
from bot.core.spec.policy import Policy
from bot.core.state.coverage import Coverage
from bot.core.state.off_main import is_off_main
from bot.core.state.reason import reason_under_way
from bot.core.state.rivals import Rival, rivals_of_all
from bot.core.state.waiting import Shown, held_back_by, shown, waits_for
from bot.core.talk import plans
from bot.core.talk.approval_text import approvals_line, approve_line
from bot.core.talk.attempts import attempt_table
from bot.core.talk.coverage_text import coverage_text
from bot.core.talk.flaky_text import often_flaky
from bot.core.talk.links import commit_link, issue_link
from bot.core.talk.mermaid import graph
from bot.core.talk.now_text import now_text
from bot.core.talk.pause_text import paused
from bot.core.talk.pull import requirement_table
from bot.core.talk.refusal_text import refusal_text
from bot.core.talk.replanned import being_planned_again, cycles_by_rules_text
from bot.core.talk.requirement_ids import at_plan
from bot.core.talk.rules_text import paragraph
from bot.core.talk.spec_digest import DigestContext, questions_text
from bot.core.talk.spec_edit_text import edit_line
from bot.core.talk.text import (
    BODY_CHARACTERS_MAX,
    REGION_CHARACTERS_MAX,
    cell,
    code,
    counted,
    cut,
    inert,
    login,
    marker,
    quoted,
    region,
    title,
)
from bot.core.values.ids import ChangeId
from bot.core.values.lifecycle import ChangeState
from bot.core.values.plan_model import Dependency, DependencyKind, Plan
from bot.core.values.spec_model import Spec

NOW, PLAN, PROGRESS, STATUS, QUESTIONS = "now", "plan", "progress", "status", "questions"
RULES = "rules"

_NO_REMATCH = Rematched()
# Room for a region's markers and the lines between them.
_MARKERS_MAX = 200


def tracking_title(run: SpecRun) -> str:
    named = title(run.title)
    is_named = named.lower().startswith(("spec:", "specification:"))
    return (named if is_named else f"Spec: {named}")[:240]


def tracking_marker(run: SpecRun) -> str:
    return marker(f"tracking {run.id}")


def tracking_body(state: RepositoryState, policy: Policy, run: SpecRun) -> str:
    asked = tracking_questions(state, policy, run)
    rules = rules_text(state, policy, run)
    parts = (
        tracking_marker(run),
        region(NOW, now_text(state, policy, run)),
        *((region(RULES, rules),) if rules else ()),
        region(PLAN, plan_region(state, policy, run)),
        *((region(QUESTIONS, asked),) if asked else ()),
        region(PROGRESS, progress_text(state, run)),
    )
    return "\n\n".join(parts)


def digest_context(state: RepositoryState, policy: Policy, run: SpecRun) -> DigestContext | None:
    """The questions and decisions about a run's spec; None before its spec was read."""
    if state.facts is None or run.commit is None:
        return None
    return DigestContext(
        facts=state.facts,
        sha=run.commit,
        asked=asked_at(state, run.path),
        decisions=state.decisions,
        strictness=policy.file.questions,
    )


def tracking_questions(state: RepositoryState, policy: Policy, run: SpecRun) -> str:
    """The spec's questions with their answers; empty if there are none."""
    context = digest_context(state, policy, run)
    return questions_text(context) if context is not None else ""


def rules_text(state: RepositoryState, policy: Policy, run: SpecRun) -> str:
    """What of GitHub's rules concerns the landings of an open run; empty if nothing does."""
    return paragraph(state, policy) if run.is_open else ""


def plan_region(state: RepositoryState, policy: Policy, run: SpecRun) -> str:
    """The text of the tracking issue's `PLAN` region."""
    rematched = state.rematched.get(run.key, Rematched())
    return plan_text(run, policy, state.changes_of(run.id), rematched)


def plan_text(
    run: SpecRun,
    policy: Policy,
    changes: tuple[ChangeFacts, ...] = (),
    rematched: Rematched = _NO_REMATCH,
) -> str:
    """The plan as a person approves it; sizes from labels on the changes' issues included."""
    if run.planning is not None:
        return plans.planning_text(run)
    proposed_edit = run.proposed_edit if run.state is SpecRunState.RUNNING else None
    plan = (proposed_edit.plan if proposed_edit else run.plan) or Plan(revision=0, changes=())
    total = sum(len(c.requirements) for c in plan.changes)
    head = [
        f"### Plan of {code(run.path)}, revision {plan.revision}",
        "",
        *plans.above(run),
        f"{counted(total, 'requirement')} in {counted(len(plan.changes), 'change')} "
        f"(plan `{plan.hash}`, "
        f"spec at `{(proposed_edit or run).version[:10]}`).",
        "",
    ]
    details = [
        *_plan_table(run, plan, changes),
        *plans.below(run, changes),
        *at_plan(rematched),
        "",
    ]
    if run.replanning is not None and run.replanning.edit is not None:
        return "\n".join((*head, *details, being_planned_again(run)))
    if proposed_edit is not None:
        return "\n".join((*head, *details, edit_line(run, proposed_edit)))
    approval = _approval_line(run, policy)
    if run.state is SpecRunState.PROPOSED:
        return "\n".join((*head, *details, approval))
    return "\n".join((*head, approval, *plans.folded(details))).rstrip()


def _plan_table(run: SpecRun, plan: Plan, changes: tuple[ChangeFacts, ...]) -> list[str]:
    lines = [
        "| Change | Type | Size | Requirements | After | Because |",
        "|---|---|---|---|---|---|",
    ]
    waits = shown_waits(plan)
    for change in plan.changes:
        after = "<br>".join(map(_after, waits[change.slug])) or "–"
        because = "<br>".join(_short(run, d.evidence) for d in waits[change.slug]) or "–"
        names = "<br>".join(cell(r.partition("#")[2] or r) for r in change.requirements)
        kind = change.type.replace("_", " ")
        size = plans.size_cell(change, changes)
        lines.append(
            f"| `{change.slug}` {cell(change.title)} | {kind} | {size} | {names} | {after} | "
            f"{because} |"
        )
    return lines


def _after(wait: Dependency) -> str:
    return f"`{wait.on}`" + (" (order only)" if wait.kind == DependencyKind.ORDERED else "")


def _short(run: SpecRun, evidence: str) -> str:
    """A reason in a cell, without the spec's folder: that is named above the table."""
    return cell(evidence.replace(f"{run.path}/", ""))


_NO_GATES = (
    " This repository has no required gate, so no change can land. Merge the pull request that "
    "proposes a first `.github/headgate.yml`, or write that file."
)


def _approval_line(run: SpecRun, policy: Policy) -> str:
    if run.state is not SpecRunState.PROPOSED:
        given = run.approvals.get(run.plan.revision, ()) if run.plan else ()
        by = ", ".join(map(login, dict.fromkeys((*given, run.approved_by))))
        line = f"Approved by {by}." if run.approved_by else ""
        if run.is_open and not policy.required_gates:
            line += _NO_GATES
        return line
    plan = run.plan or Plan(revision=0, changes=())
    revision = plan.revision
    line = (
        f"No work has started yet. To start revision {revision}, comment "
        f"`{approve_line(plan, policy)}` (needs the role {policy.file.approver}). Then each "
        f"change gets its issue.{approvals_line(run, plan, policy)}"
    )
    return line if policy.required_gates else line + _NO_GATES


_MOVED_BACK = (
    "Since then, main was moved back and no longer contains this commit. Push the landed "
    "commit again, or start the spec again with `/headgate run`."
)


def progress_text(
    state: RepositoryState,
    run: SpecRun,
    covered: Coverage | None = None,
    first: Mapping[ChangeId, tuple[Rival, ...]] | None = None,
) -> str:
    """The progress: counts, the graph, the table of changes; coverage once something has landed.

    `first`: what `rivals_of_all` says, where it was asked already.
    """
    changes = state.changes_of(run.id)
    landed = sum(1 for c in changes if shown(state, c) is Shown.LANDED)
    lines = [f"### Progress: {landed} of {len(changes)} landed", ""]
    if gone := [f"`{c.slug}`" for c in changes if is_off_main(state, c)]:
        lines += [f"**No longer on main:** {', '.join(gone)}. {_MOVED_BACK}", ""]
    if state.frozen is not None and run.is_open:
        lines += [f"**The queue is frozen:** {state.frozen}", ""]
    if run.is_open:
        lines += [line for said in paused(state) for line in (said, "")]
        lines += [line for said in often_flaky(state) for line in (said, "")]
    drawing = (
        graph(run.plan, {c.slug: shown(state, c).value for c in changes}) if run.plan else None
    )
    if drawing:
        lines += ["```mermaid", drawing.rstrip("\n"), "```", ""]
    lines.append(progress_table(state, changes, first))
    if run.replanning is not None and run.replanning.edit is None:
        lines += ["", being_planned_again(run)]
    for sentence in cycles_by_rules_text(run):
        lines += ["", sentence]
    if covered is not None:
        lines += ["", coverage_text(state, covered)]
    return "\n".join(lines)


def progress_table(
    state: RepositoryState,
    changes: tuple[ChangeFacts, ...],
    first: Mapping[ChangeId, tuple[Rival, ...]] | None = None,
) -> str:
    if first is None:
        first = rivals_of_all(state, None)
    rows = ["| Change | State | Attempts | Pull request | Waits for |", "|---|---|---|---|---|"]
    for change in changes:
        pull = f"#{change.pull}" if change.pull else "–"
        before = waits_for(state, change) or [r.change for r in first.get(change.id, ())]
        waits = ", ".join(issue_link(other) for other in before) or "–"
        if change.state is ChangeState.ASKING:
            waits = f"an answer in {issue_link(change)}"
        if change.is_ended:
            waits = "–"
        rows.append(
            f"| {issue_link(change)} {cell(change.planned.title)} | {shown(state, change)} | "
            f"{change.attempt} | {pull} | {waits} |"
        )
    return "\n".join(rows)


def change_title(change: ChangeFacts) -> str:
    """The title of a change's issue and of its pull; GitHub allows 256 characters."""
    return title(change.planned.title) or change.slug


def change_marker(change: ChangeFacts) -> str:
    return marker(f"change {change.id}")


def change_body(state: RepositoryState, run: SpecRun, change: ChangeFacts, spec: Spec) -> str:
    wanted = set(change.planned.requirements)
    requirements = [r for r in spec.requirements if r.id in wanted]
    parts = [
        change_marker(change),
        f"A change of the plan in #{run.issue}, from {code(run.path)}.",
        requirement_table(requirements),
    ]
    for requirement in requirements:
        for scenario in requirement.scenarios:
            parts.append(f"**{cell(scenario.name)}**\n\n{quoted(scenario.text)}")
    top = cut("\n\n".join(parts), BODY_CHARACTERS_MAX - REGION_CHARACTERS_MAX - _MARKERS_MAX)
    return f"{top}\n\n{region(STATUS, status_text(state, change))}"


def status_text(state: RepositoryState, change: ChangeFacts) -> str:
    lines = [f"### {shown(state, change).capitalize()}", ""]
    if change.landed is not None and state.facts is not None:
        by = f", merged by {login(change.merged_by)}" if change.merged_by else ""
        if is_off_main(state, change):
            lines += [f"It landed as {code(change.landed[:12])}. {_MOVED_BACK}", ""]
        else:
            lines += [f"On main as {commit_link(state.facts, change.landed)}{by}.", ""]
            lines += [cell(change.sentence), ""] if change.sentence else []
    elif change.sentence:
        lines += [cell(change.sentence), ""]
    reason = reason_under_way(state, change)
    refusal = reason.refusal if reason else None
    if refusal is not None:
        lines += [
            f"{refusal_text(refusal)} The work is kept, and this does not count as an attempt.",
            "",
        ]
    blockers = held_back_by(state, change)
    if blockers:
        names = ", ".join(f"`{b}`" for b in blockers)
        lines += [f"Held back by {names}. It continues when that has landed.", ""]
    lines += attempt_table(change)
    if change.retry is not None and not change.is_ended and change.state is not ChangeState.HELD:
        lines += ["", f"Reason for this attempt: {inert(change.retry.sentence)}"]
        named = (*change.retry.refused_files, *change.retry.conflicting_files)
        if named:
            lines.append(f"Files: {', '.join(code(f) for f in named[:20])}")
    return "\n".join(lines).rstrip()
