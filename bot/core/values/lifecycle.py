"""The states of changes, people's pulls, candidates, spec runs, orders and dialogues, and who owns a change in each.

Which event moves which state stands in `bot.core.journal.transitions`.
"""

from collections.abc import Mapping
from enum import StrEnum


class ChangeState(StrEnum):
    """Where a change is. Terminal: landed, failed, stopped."""

    WAITING = "waiting"
    ORDERED = "ordered"
    WORKING = "working"
    ASKING = "asking"
    IMPORTING = "importing"
    OFFERED = "offered"
    RETRYING = "retrying"
    HELD = "held"
    LANDED = "landed"
    FAILED = "failed"
    STOPPED = "stopped"


class OfferStage(StrEnum):
    """How far an offered change is: what its newest candidate and its entry say together."""

    BUILDING = "building"
    JUDGING = "judging"
    QUEUED = "queued"
    LANDING = "landing"


class QueuedPullState(StrEnum):
    """Where a person's pull is in the queue. It may enter again from: landed, evicted, withdrawn."""

    WAITING = "waiting"
    JUDGING = "judging"
    QUEUED = "queued"
    LANDING = "landing"
    LANDED = "landed"
    EVICTED = "evicted"
    WITHDRAWN = "withdrawn"


class AfterRecall(StrEnum):
    """What becomes of an entry that was taken out of GitHub's merge queue: it stays in ours, is held there, or
    leaves it.
    """

    STAYS = "stays"
    HELD = "held"
    LEAVES = "leaves"


class EntryState(StrEnum):
    """Where an entry is, a change or a person's pull. It may enter again from: evicted, withdrawn."""

    WAITING = "waiting"
    QUEUED = "queued"
    LANDING = "landing"
    LANDED = "landed"
    EVICTED = "evicted"
    WITHDRAWN = "withdrawn"


class CandidateState(StrEnum):
    """Where a candidate is. Terminal: unbuildable, landed, void."""

    ASKED = "asked"
    BUILT = "built"
    UNBUILDABLE = "unbuildable"
    JUDGING = "judging"
    JUDGED = "judged"
    LANDED = "landed"
    VOID = "void"


class SpecRunState(StrEnum):
    """Where a spec run is. Terminal: stopped, ended."""

    PROPOSED = "proposed"
    RUNNING = "running"
    STOPPED = "stopped"
    ENDED = "ended"


class OrderState(StrEnum):
    """Where an order is. Terminal: reported, lost, deferred."""

    PLACED = "placed"
    LEASED = "leased"
    REPORTED = "reported"
    LOST = "lost"
    DEFERRED = "deferred"


class DialoguePhase(StrEnum):
    """Whose turn it is: ours, the people's, the reviewers', nobody's. Terminal: ended."""

    THINKING = "thinking"
    ASKING = "asking"
    PROPOSED = "proposed"
    ENDED = "ended"


TERMINAL = frozenset({ChangeState.LANDED, ChangeState.FAILED, ChangeState.STOPPED})

LEFT = frozenset({QueuedPullState.LANDED, QueuedPullState.EVICTED, QueuedPullState.WITHDRAWN})
IN_QUEUE = frozenset(QueuedPullState) - LEFT

# Out of the queue, and without a place in it.
GONE = frozenset({EntryState.LANDED, EntryState.EVICTED, EntryState.WITHDRAWN})

# An agent may be at work: these count against `max_parallel`.
WITH_AGENT = frozenset({ChangeState.ORDERED, ChangeState.WORKING})

# Who acts next in each state, and what ends the wait (law 12); what holds of one change is its
# reason, in `bot.core.state.reason`.
OWNERS: Mapping[ChangeState, str] = {
    ChangeState.WAITING: "Headgate: starts it when the plan is approved, its dependencies have landed "
    "and a slot is free",
    ChangeState.ORDERED: "a runner: takes the order, or the order times out and Headgate sends it again",
    ChangeState.WORKING: "the agent on a runner: reports its work, or its lease expires",
    ChangeState.ASKING: "a person: answers, or the time ends and the agent continues with its assumptions",
    ChangeState.IMPORTING: "Headgate: checks and imports the agent's bundle",
    ChangeState.OFFERED: "Headgate and a runner: build its candidate, judge it and land it; its "
    "candidate and its entry say who is next",
    ChangeState.RETRYING: "Headgate: starts the next attempt, or fails the change with a reason",
    ChangeState.HELD: "a person: pushes to its branch again, or gives it to an agent with "
    "`/headgate hand-back`",
    ChangeState.LANDED: "nothing: it is on main",
    ChangeState.FAILED: "a person: reopens it with `/headgate retry`",
    ChangeState.STOPPED: "a person: reopens it with `/headgate retry`",
}
