"""What is said about the replan: to people why it ended, to agents what a test is missing for."""

from bot.core.journal.state import SpecRun
from bot.core.spec.coverage import Outlook
from bot.core.talk.text import code


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
        lines.append(f"- Planned again, cycle {cycle.number}: {names}{more}")
    reason = _REASONS.get(why)
    return "\n".join([*lines, f"- {reason}"] if reason else lines)


_REASONS = {
    Outlook.SWITCHED_OFF: "Not planned again: `replan_cycles_max` is 0.",
    Outlook.CYCLES_USED_UP: "Not planned again: that was the last cycle that the policy allows.",
    Outlook.NOTHING_NEW: "Not planned again: the last cycle covered nothing new.",
    Outlook.NOT_BY_PLANNING: "Not planned again: another plan would ask the same work again.",
}
