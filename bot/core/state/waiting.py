"""The state of a change as people see it, and what it waits for."""

from datetime import datetime, timedelta
from enum import StrEnum

from bot.core.journal.state import ChangeFacts, RepositoryState, change_id
from bot.core.spec.policy import Policy
from bot.core.values.clarification import Clarification
from bot.core.values.ids import ChangeId
from bot.core.values.lifecycle import ChangeState
from bot.core.values.plan_model import DependencyKind


class Shown(StrEnum):
    """The states that people see; several internal states are one of these."""

    WAITING = "waiting"
    HELD_BACK = "held back"
    WORKING = "working"
    ASKING = "waits for an answer"
    IN_HAND = "in a person's hands"
    JUDGING = "judging"
    QUEUED = "queued"
    LANDED = "landed"
    FAILED = "failed"
    STOPPED = "stopped"
    REPLACED = "planned again"


_SHOWN = {
    ChangeState.WAITING: Shown.WAITING,
    ChangeState.ORDERED: Shown.WORKING,
    ChangeState.WORKING: Shown.WORKING,
    ChangeState.ASKING: Shown.ASKING,
    ChangeState.IMPORTING: Shown.WORKING,
    # Until it has passed its gates: then it is in the queue.
    ChangeState.OFFERED: Shown.JUDGING,
    ChangeState.RETRYING: Shown.WORKING,
    ChangeState.HELD: Shown.IN_HAND,
    ChangeState.LANDED: Shown.LANDED,
    ChangeState.FAILED: Shown.FAILED,
    ChangeState.STOPPED: Shown.STOPPED,
}


def shown(state: RepositoryState, change: ChangeFacts) -> Shown:
    if state.is_replaced(change):
        return Shown.REPLACED
    if held_back_by(state, change):
        return Shown.HELD_BACK
    if state.entry_of(change).entered is not None and not change.is_ended:
        return Shown.QUEUED
    return _SHOWN[change.state]


def held_back_by(state: RepositoryState, change: ChangeFacts) -> tuple[str, ...]:
    """The failed or stopped changes that a waiting change needs, directly or not.

    What is only ordered before it by the author holds nothing back.
    """
    if change.state not in {ChangeState.WAITING, ChangeState.RETRYING}:
        return ()
    found: list[str] = []
    seen: set[ChangeId] = set()
    left = [change]
    while left:
        one = left.pop()
        # Each change once: a plan has many more paths than changes.
        if one.id in seen:
            continue
        seen.add(one.id)
        if one.state in {ChangeState.FAILED, ChangeState.STOPPED}:
            found.append(one.slug)
        elif one.state in {ChangeState.WAITING, ChangeState.RETRYING}:
            needed = [e for e in one.planned.depends_on if e.kind != DependencyKind.ORDERED]
            left += [state.changes[change_id(one.spec_run, e.on)] for e in reversed(needed)]
    return tuple(found)


def comes_after(state: RepositoryState, change: ChangeFacts) -> tuple[ChangeFacts, ...]:
    """The changes before it in the plan, but for what is only ordered so and will not land."""
    edges = [
        (state.changes[change_id(change.spec_run, e.on)], e.kind) for e in change.planned.depends_on
    ]
    return tuple(
        other
        for other, kind in edges
        if kind != DependencyKind.ORDERED or not _will_not_land(state, other)
    )


def _will_not_land(state: RepositoryState, change: ChangeFacts) -> bool:
    has_failed = change.state in {ChangeState.FAILED, ChangeState.STOPPED}
    return has_failed or bool(held_back_by(state, change))


def waits_for(state: RepositoryState, change: ChangeFacts) -> tuple[ChangeFacts, ...]:
    """The changes that must land before a waiting change starts."""
    return tuple(o for o in comes_after(state, change) if o.state is not ChangeState.LANDED)


def answers_by(policy: Policy, asked: Clarification) -> datetime:
    return asked.asked_at + timedelta(hours=policy.file.agent.clarify_within_hours)


def is_waited_for(change: ChangeFacts, asked: Clarification) -> bool:
    """Whether answers to these questions still count."""
    return change.state is ChangeState.ASKING and asked == change.clarifications[-1]
