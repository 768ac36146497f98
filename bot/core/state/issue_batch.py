"""Which open effects go to GitHub in one request: all edits of one issue.

GitHub takes an issue's text and state in one request, and then people see one change. At most one
effect of a batch opens or closes the issue.
"""

from datetime import datetime

from bot.core.journal.effects import CloseIssue, EditIssue, Effect, ReopenIssue
from bot.core.journal.state import RepositoryState

IssueWrite = EditIssue | CloseIssue | ReopenIssue


def batched_with(state: RepositoryState, effect: Effect, now: datetime) -> tuple[Effect, ...]:
    """The effect first, then those that can go with it; without effects that are delayed."""
    if not isinstance(effect, IssueWrite):
        return (effect,)
    found: list[IssueWrite] = [effect]
    for other in state.open_effects.values():
        if not isinstance(other, IssueWrite) or other.issue != effect.issue or other in found:
            continue
        delay = state.delays.get(other.key)
        is_late = delay is not None and not delay.is_over(now)
        says_state = not isinstance(other, EditIssue)
        if not is_late and not (says_state and any(not isinstance(e, EditIssue) for e in found)):
            found.append(other)
    return tuple(found)
