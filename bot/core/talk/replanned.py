"""What is said about the replan: to people how it goes and why it ended, to planners and agents what
they must know of earlier work.

Deliberately absent: what is planned again; see `bot.core.decide.specs.replan_uncovered` and `bot.core.decide.specs.spec_edit`.
"""

from collections.abc import Mapping, Sequence

from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.prompts.figures import Estimate
from bot.core.state.coverage import CoverageRow, CoverageStatus, Outlook
from bot.core.talk.plans import money
from bot.core.talk.text import cell, code
from bot.core.values.ids import RequirementId
from bot.core.values.plan_model import Planner

# What a planner is told of earlier work is a reminder; the requirements are what it plans.
_KNOWN_MAX = 24
_KNOWN_CHARACTERS_MAX = 300
_REASONS_MAX = 12


def known_of(
    changes: Sequence[ChangeFacts], rows: Mapping[RequirementId, CoverageRow]
) -> tuple[str, ...]:
    """What a planner is told: why each of the missing is missing, and what is on main."""
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
    """What a planner is told of changes that have landed, the newest first."""
    landed = [c for c in reversed(changes) if c.landed is not None]
    return _short(
        [f"On main: {c.planned.title} ({', '.join(c.planned.requirements)})" for c in landed]
    )


def going_on(changes: Sequence[ChangeFacts]) -> tuple[str, ...]:
    """What a planner is told of changes that an edit leaves alone."""
    return _short(
        [
            f"Under way, not yours: {c.planned.title} ({', '.join(c.planned.requirements)})"
            for c in changes
            if c.landed is None
        ]
    )


def kept_work(changes: Sequence[ChangeFacts]) -> tuple[str, ...]:
    """What a planner is told of changes that an edit stopped."""
    return _short(
        [
            f"Stopped by the edit: {c.planned.title} ({', '.join(c.planned.requirements)})"
            for c in changes
        ]
    )


def _short(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(" ".join(line.split())[:_KNOWN_CHARACTERS_MAX] for line in lines[:_KNOWN_MAX])


def does_not_fit() -> str:
    """A model's plan that is lawful in itself, and not beside what is there."""
    return "The model's plan does not fit beside the plan so far."


def being_planned_again(run: SpecRun) -> str:
    """What the tracking issue says while a model plans a part of the run once more."""
    again = run.replanning
    if again is None:
        return ""
    count = len(again.requirements)
    what = "1 requirement" if count == 1 else f"{count} requirements"
    why = "touched by an edit of the spec" if again.edit else "missing when every change had ended"
    estimate = again.estimate or Estimate(calls=1, tokens=0, dollars=None)
    calls = "1 question" if estimate.calls == 1 else f"{estimate.calls} questions"
    then = (
        "The revision will be shown here, and waits for approval; everything else goes on."
        if again.edit
        else "The run goes on with the plan, or with the plan by rules where no model gives one."
    )
    return (
        f"**A model is planning {what} again**, {why}: {calls}, about {estimate.tokens:,} tokens, "
        f"{money(estimate.dollars)}. {then}"
    )


def beside_text(reasons: Sequence[str]) -> str:
    """Why a part was planned by rules though a model was asked."""
    told = "; ".join(cell(reason, 400) for reason in reasons[:_REASONS_MAX])
    return f"A model's plan could not be used: {told} It was planned by rules instead."


def cycles_beside(run: SpecRun) -> tuple[str, ...]:
    """For each cycle whose model failed, why."""
    return tuple(f"Cycle {c.number}: {beside_text(c.beside)}" for c in run.cycles if c.beside)


def title_of_tests(title: str) -> str:
    """The title of a change whose requirements are on main already."""
    return f"Tests for {title}"


def tests_asked(ids: tuple[str, ...]) -> str:
    """What an agent is told of requirements that are on main without the test that is asked."""
    named = ", ".join(ids)
    return (
        f"On main already, but no passing test of today's text names them: {named}. For these, "
        "write or mend tests that name the id; change other code only where such a test shows "
        "that it is wrong."
    )


def cycles_text(run: SpecRun, why: Outlook) -> str:
    """One line a cycle for the report: what was asked and what of it is on main now."""
    lines = []
    for cycle in run.cycles:
        names = ", ".join(code(id_.partition("#")[2] or id_) for id_ in cycle.requirements[:10])
        more = f" and {len(cycle.requirements) - 10} more" if len(cycle.requirements) > 10 else ""
        by = " by a model" if cycle.planner is Planner.MODEL else ""
        lines.append(f"- Planned again, cycle {cycle.number}{by}: {names}{more}")
        if cycle.beside:
            lines.append(f"  - {beside_text(cycle.beside)}")
    reason = _REASONS.get(why)
    return "\n".join([*lines, f"- {reason}"] if reason else lines)


_REASONS = {
    Outlook.SWITCHED_OFF: "Not planned again: `replan_cycles_max` is 0.",
    Outlook.CYCLES_USED_UP: "Not planned again: that was the last cycle that the policy allows.",
    Outlook.NOTHING_NEW: "Not planned again: the last cycle covered nothing new.",
    Outlook.NOT_BY_PLANNING: "Not planned again: another plan would ask the same work again.",
}
