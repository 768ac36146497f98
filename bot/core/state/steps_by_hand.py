"""Which manual steps of a change are still to be done, and who waits for them."""

from collections.abc import Container

from bot.core.journal.state import ChangeFacts, RepositoryState
from bot.core.state.waiting import comes_after
from bot.core.values.ids import IssueNumber
from bot.core.values.lifecycle import ChangeState
from bot.core.values.manual_step import ManualStep


def open_steps(change: ChangeFacts) -> tuple[ManualStep, ...]:
    return tuple(step for step in change.steps if step.key not in change.steps_done)


def due_steps(change: ChangeFacts) -> tuple[ManualStep, ...]:
    """The open ones that a person can do now: those after the work wait for its landing."""
    if change.state in {ChangeState.STOPPED, ChangeState.FAILED}:
        return ()
    has_landed = change.state is ChangeState.LANDED
    return tuple(step for step in open_steps(change) if step.is_before or has_landed)


def waits_for_steps(state: RepositoryState, change: ChangeFacts) -> tuple[ChangeFacts, ...]:
    """The changes on whose issues stands what the change waits for: itself, and those before it."""
    own = (change,) if any(step.is_before for step in open_steps(change)) else ()
    return (*own, *(one for one in comes_after(state, change) if open_steps(one)))


def issues_with_steps(
    state: RepositoryState, asked: Container[IssueNumber] | None
) -> tuple[IssueNumber, ...]:
    """Of these issues (None: all), those where a person may have ticked a step."""
    waiting = (c.issue for c in state.changes.values() if c.issue is not None and open_steps(c))
    return tuple(n for n in waiting if asked is None or n in asked)
