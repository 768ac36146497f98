"""A delta folder from which landed requirements were removed: that is told once, and nothing else follows.

What landed stays in the code and in the main specs. If nothing of the folder is left to land, no landing
moves it to the archive any more.
"""

from bot.core.decide.decision import Decision
from bot.core.journal.effects import PostComment
from bot.core.journal.state import SpecRun
from bot.core.state.observed import SpecReading
from bot.core.talk import spec_edit_text


def tell_what_stays(decision: Decision, path: str, reading: SpecReading) -> None:
    """In the tracking issue of the folder's newest run, if it took landed requirements away."""
    runs = [r for r in decision.state.spec_runs.values() if r.path == path and r.is_delta]
    if not runs or runs[-1].issue is None:
        return
    run = runs[-1]
    gone = _gone(decision, run, reading)
    subject = f"landed stays {run.id} {reading.version}"
    if not gone or f"comment:{subject}" in decision.state.published:
        return
    changes = decision.state.changes_of(run.id)
    is_last = all(c.landed is not None or decision.state.is_replaced(c) for c in changes)
    text = spec_edit_text.landed_stays(path, gone, stays_in_changes=is_last)
    decision.intend(PostComment(issue=runs[-1].issue, subject=subject, text=text))


def _gone(decision: Decision, run: SpecRun, reading: SpecReading) -> tuple[str, ...]:
    there = {r.id for r in reading.spec.requirements}
    landed = {
        r
        for change in decision.state.changes_of(run.id)
        if change.landed is not None
        for r in change.planned.requirements
    }
    return tuple(r for r in run.requirements if r in landed and r not in there)
