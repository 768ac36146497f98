"""Which open effects go to GitHub in one request: all that is to be changed at one issue. Pure.

GitHub takes an issue's text and its state in one edit, and people see one change where one was made.
The rule: at most one of the effects says whether the issue is open.
"""

from datetime import datetime

from bot.core.journal.effects import CloseIssue, EditIssue, Effect, ReopenIssue
from bot.core.journal.state import RepositoryState

IssueWrite = EditIssue | CloseIssue | ReopenIssue


def batched_with(state: RepositoryState, effect: Effect, now: datetime) -> tuple[Effect, ...]:
    """The effect first, then what goes with it and waits for no time to come."""
    if not isinstance(effect, IssueWrite):
        return (effect,)
    found: list[IssueWrite] = [effect]
    for other in state.open_effects.values():
        if not isinstance(other, IssueWrite) or other.issue != effect.issue or other in found:
            continue
        delay = state.delays.get(other.key)
        is_late = delay is not None and delay.until > now
        says_state = not isinstance(other, EditIssue)
        if not is_late and not (says_state and any(not isinstance(e, EditIssue) for e in found)):
            found.append(other)
    return tuple(found)
