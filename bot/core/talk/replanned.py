"""Texts about replanning: progress and reasons for people, earlier work for planners and agents."""

from collections.abc import Mapping, Sequence

from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.prompts.figures import Estimate
from bot.core.state.coverage import CoverageRow, CoverageStatus, Outlook
from bot.core.talk.plans import money
from bot.core.talk.text import cell, code
from bot.core.values.ids import RequirementId
from bot.core.values.plan_model import Planner

# Earlier work is only a reminder for a planner, so it is kept short.
_KNOWN_MAX = 24
_KNOWN_CHARACTERS_MAX = 300
_REASONS_MAX = 12


def known_of(
    changes: Sequence[ChangeFacts], rows: Mapping[RequirementId, CoverageRow]
) -> tuple[str, ...]:
    """For a planner: why each missing requirement is missing, and what is on main."""
    failed = [
        f"Failed together: {', '.join(row_ids)}. {change.sentence}"
        for change in changes
        if (row_ids := [r for r in change.planned.requirements if r in rows])
        and rows[row_ids[0]].status is CoverageStatus.FAILED
    ]
    held = [
        f"{id_}: {row.status}: {row.why}"
        for id_, row in rows.items()
        if row.status is CoverageStatus.HELD_BACK
    ]
    return _short((*failed, *held, *on_main(changes)))


def on_main(changes: Sequence[ChangeFacts]) -> tuple[str, ...]:
    """For a planner: the changes that have landed, newest first."""
    landed = [c for c in reversed(changes) if c.landed is not None]
    return _short(
        [f"On main: {c.planned.title} ({', '.join(c.planned.requirements)})" for c in landed]
    )


def under_way(changes: Sequence[ChangeFacts]) -> tuple[str, ...]:
    """For a planner: the changes that an edit of the spec does not affect."""
    return _short(
        [
            f"Under way, not yours: {c.planned.title} ({', '.join(c.planned.requirements)})"
            for c in changes
            if c.landed is None
        ]
    )


def kept_work(changes: Sequence[ChangeFacts]) -> tuple[str, ...]:
    """For a planner: the changes that an edit of the spec stopped."""
    return _short(
        [
            f"Stopped by the edit: {c.planned.title} ({', '.join(c.planned.requirements)})"
            for c in changes
        ]
    )


def _short(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(" ".join(line.split())[:_KNOWN_CHARACTERS_MAX] for line in lines[:_KNOWN_MAX])


def does_not_fit() -> str:
    """Why a model's plan was not used: it is valid alone, but not together with the plan so far."""
    return "The model's plan conflicts with the existing plan."


def being_planned_again(run: SpecRun) -> str:
    """What the tracking issue says while a model plans a part of the run again."""
    again = run.replanning
    if again is None:
        return ""
    count = len(again.requirements)
    what = "1 requirement" if count == 1 else f"{count} requirements"
    why = (
        "because the spec was edited"
        if again.edit
        else "because every change has ended and they are not covered"
    )
    estimate = again.estimate or Estimate(calls=1, tokens=0, dollars=None)
    calls = "1 prompt" if estimate.calls == 1 else f"{estimate.calls} prompts"
    then = (
        "The new revision will appear here and needs approval. All other changes continue."
        if again.edit
        else "Then the run continues with the new plan. If no model can plan, rules make the plan."
    )
    return (
        f"**A model is planning {what} again**, {why}: {calls}, about {estimate.tokens:,} tokens, "
        f"{money(estimate.dollars)}. {then}"
    )


def planned_by_rules_text(reasons: Sequence[str]) -> str:
    shown = "; ".join(cell(reason, 400) for reason in reasons[:_REASONS_MAX])
    return f"A model's plan could not be used: {shown} It was planned by rules instead."


def cycles_by_rules_text(run: SpecRun) -> tuple[str, ...]:
    """One sentence for each cycle in which the model failed."""
    return tuple(
        f"Cycle {c.number}: {planned_by_rules_text(c.beside)}" for c in run.cycles if c.beside
    )


def title_of_tests(title: str) -> str:
    """The title of a change whose requirements are already on main and only lack a test."""
    return f"Tests for {title}"


def tests_asked(ids: tuple[str, ...]) -> str:
    """For an agent: the requirements that are on main without the test that the policy asks for."""
    named = ", ".join(ids)
    return (
        f"Already on main, but no passing test of the current text names them: {named}. For these, "
        "write or fix tests that name the id. Change other code only if such a test shows that "
        "the code is wrong."
    )


def cycles_text(run: SpecRun, why: Outlook) -> str:
    """The report's lines on replanning: one for each cycle, and why there was no other."""
    lines = []
    for cycle in run.cycles:
        names = ", ".join(code(id_.partition("#")[2] or id_) for id_ in cycle.requirements[:10])
        more = f" and {len(cycle.requirements) - 10} more" if len(cycle.requirements) > 10 else ""
        by = " by a model" if cycle.planner is Planner.MODEL else ""
        lines.append(f"- Planned again, cycle {cycle.number}{by}: {names}{more}")
        if cycle.beside:
            lines.append(f"  - {planned_by_rules_text(cycle.beside)}")
    reason = _REASONS.get(why)
    return "\n".join([*lines, f"- {reason}"] if reason else lines)


_REASONS = {
    Outlook.SWITCHED_OFF: "Not planned again: `replan_cycles_max` is 0.",
    Outlook.CYCLES_USED_UP: "Not planned again: the policy allows no more cycles.",
    Outlook.NOTHING_NEW: "Not planned again: the last cycle covered nothing new.",
    Outlook.NOT_BY_PLANNING: "Not planned again: a new plan would ask for the same work.",
}
