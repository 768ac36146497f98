"""Which effects come first: moving main, then starting runners, then other work, answers, talk, progress.

Urgency is about time and nothing else: effects may be done in any order, each names what it expects
of the world, and what is open after a crash is looked at again in whatever order. The rule: while
work is at hand no progress is told; people see each rest between, and not every step of a moment.
"""

from enum import IntEnum

from bot.core.journal.effects import (
    BuildCandidate,
    DispatchOrder,
    EditComment,
    EditIssue,
    Effect,
    ForgetRefs,
    ImportBundle,
    LandCandidate,
    OpenPull,
    PostComment,
    PostCommitComment,
    PrepareStart,
    PublishLedger,
    React,
    RevokeOrder,
)
from bot.core.journal.state import RepositoryState


class Urgency(IntEnum):
    """Lower is earlier."""

    LANDING = 1
    ORDER = 2
    WORK = 3
    IMPORT = 4
    ANSWER = 5
    TALK = 6
    PROGRESS = 7


def urgency(effect: Effect) -> Urgency:
    """When an effect's turn comes among those that are open."""
    match effect:
        case LandCandidate():
            return Urgency.LANDING
        case DispatchOrder():
            return Urgency.ORDER
        case BuildCandidate() | PrepareStart() | OpenPull():
            return Urgency.WORK
        case ImportBundle() | RevokeOrder():
            # After building: what is further on its way is not held up by what begins it.
            return Urgency.IMPORT
        case PostComment() | EditComment() | PostCommitComment() | React():
            # Somebody waits for these; a plan's hundred issues and links do not hold them up.
            return Urgency.ANSWER
        case EditIssue() | PublishLedger() | ForgetRefs():
            return Urgency.PROGRESS
        case _:
            return Urgency.TALK


def is_work(effect: Effect) -> bool:
    """Whether a change moves on by it, so that more may follow at once."""
    return urgency(effect) <= Urgency.IMPORT


def is_work_at_hand(state: RepositoryState) -> bool:
    """Whether some work is open and does not wait for a time to come."""
    return any(is_work(e) and key not in state.delays for key, e in state.open_effects.items())
