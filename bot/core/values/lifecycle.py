"""The lifecycle of a change: a table from (state, event) to the next state, and nothing else.

Everything about when a change moves lives here; `docs/states.md` is drawn from this table. An event
that the table does not know for a state leaves the state as it is: a late event never moves
anything backwards. Deliberately absent: why an event happens; that is decided elsewhere.
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
    BUILDING = "building"
    JUDGING = "judging"
    QUEUED = "queued"
    LANDING = "landing"
    RETRYING = "retrying"
    LANDED = "landed"
    FAILED = "failed"
    STOPPED = "stopped"


TERMINAL = frozenset({ChangeState.LANDED, ChangeState.FAILED, ChangeState.STOPPED})

# An agent may be at work: these count against `max_parallel`.
WITH_AGENT = frozenset({ChangeState.ORDERED, ChangeState.WORKING})

# Who owns the next step in each state, and what ends the wait; shown by `why` and `explain`.
OWNERS: Mapping[ChangeState, str] = {
    ChangeState.WAITING: "Headgate: starts when approved, its dependencies landed, a slot free",
    ChangeState.ORDERED: "a runner: takes the order, or the order is given up and placed again",
    ChangeState.WORKING: "the agent on a runner: hands in, or its lease ends",
    ChangeState.ASKING: "a person: answers, or the time is up and the agent goes on as it assumes",
    ChangeState.IMPORTING: "Headgate: checks the bundle",
    ChangeState.BUILDING: "Headgate: builds the candidate on main",
    ChangeState.JUDGING: "a runner: runs the gates on the candidate, or its lease ends",
    ChangeState.QUEUED: "Headgate: lands it when its turn comes",
    ChangeState.LANDING: "Headgate: moves main, or puts it back to the front",
    ChangeState.RETRYING: "Headgate: orders the next attempt, or gives up with a reason",
    ChangeState.LANDED: "nobody: it is on main",
    ChangeState.FAILED: "a person: `/headgate retry` reopens it",
    ChangeState.STOPPED: "a person: `/headgate retry` reopens it",
}

_S = ChangeState

# Where work that was handed in waits to become a candidate: also after it was reopened.
_BUILT_FROM = (_S.BUILDING, _S.QUEUED, _S.RETRYING)

# Where half of the work of an agent that asked is still to be kept: it moves nothing.
_KEPT_MEANWHILE = {_S.ASKING: _S.ASKING, _S.RETRYING: _S.RETRYING}

# Event type -> {state before: state after}.
TRANSITIONS: Mapping[str, Mapping[ChangeState, ChangeState]] = {
    "AgentOrdered": {_S.WAITING: _S.ORDERED, _S.RETRYING: _S.ORDERED},
    "OrderLeased": {_S.ORDERED: _S.WORKING},
    "WorkHandedIn": {_S.ORDERED: _S.IMPORTING, _S.WORKING: _S.IMPORTING},
    "WorkFailed": {_S.ORDERED: _S.RETRYING, _S.WORKING: _S.RETRYING},
    "AgentLost": {_S.ORDERED: _S.RETRYING, _S.WORKING: _S.RETRYING},
    "AgentAsked": {_S.ORDERED: _S.ASKING, _S.WORKING: _S.ASKING},
    "ClarificationEnded": {_S.ASKING: _S.RETRYING},
    "HeadImported": {_S.IMPORTING: _S.BUILDING, **_KEPT_MEANWHILE},
    "BundleRefused": {_S.IMPORTING: _S.RETRYING, **_KEPT_MEANWHILE},
    "CandidateBuilt": dict.fromkeys(_BUILT_FROM, _S.JUDGING),
    "CandidateConflicted": dict.fromkeys(_BUILT_FROM, _S.RETRYING),
    "ArchiveRefused": dict.fromkeys((_S.WAITING, *_BUILT_FROM), _S.RETRYING),
    "CandidatePassed": {_S.JUDGING: _S.QUEUED},
    "CandidateFailed": {_S.JUDGING: _S.RETRYING},
    "CandidateVoided": {_S.JUDGING: _S.BUILDING, _S.QUEUED: _S.BUILDING},
    "LandIntended": {_S.QUEUED: _S.LANDING},
    "LandAborted": {_S.LANDING: _S.QUEUED},
    "Landed": {_S.LANDING: _S.LANDED},
    "MergedByHand": {s: _S.LANDED for s in _S if s not in TERMINAL and s is not _S.LANDING},
    "ChangeFailed": {s: _S.FAILED for s in _S if s not in TERMINAL},
    "ChangeStopped": {s: _S.STOPPED for s in _S if s not in TERMINAL and s is not _S.LANDING},
    "ChangeReopened": {_S.FAILED: _S.RETRYING, _S.STOPPED: _S.RETRYING},
}


def next_state(state: ChangeState, event_type: str) -> ChangeState:
    """The state after the event; the same state where the table says nothing."""
    return TRANSITIONS.get(event_type, {}).get(state, state)


def can_move(state: ChangeState, event_type: str) -> bool:
    """Whether the table knows the event for the state."""
    return state in TRANSITIONS.get(event_type, {})
