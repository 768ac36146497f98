"""The one rule by which a candidate is void: what it lacks, and how far its judgement has come.

Void is nobody's fault: another candidate is built. What a person did to an entry (a push, a close, a
hold) stands in the tables of moves, and is no matter of this rule.
"""

from collections.abc import Mapping, Set
from enum import StrEnum

from bot.core.journal.state import LedgerKind, RepositoryState
from bot.core.values.ids import Sha


class Kind(StrEnum):
    """Whose candidate it is."""

    CHANGE = "change"
    PULL = "pull"


class Phase(StrEnum):
    """How far the judgement of a candidate has come.

    `built`: not begun. `placed`: no runner has taken its order. `repeated`: red gates, once more, and no runner
    has taken that. `running`: with a runner, or with others whose word is awaited. `red`: by what it brings
    itself, with no repetition left. `of main`: red by what main fails. `passed`: and the front of the queue.
    """

    BUILT = "built"
    PLACED = "placed"
    REPEATED = "repeated"
    RUNNING = "running"
    RED = "red"
    OF_MAIN = "of main"
    PASSED = "passed"


class Lack(StrEnum):
    """Why it could not land as it is. What landed since its base was judged as it was; what somebody pushed
    was not.
    """

    LANDED_SINCE = "landed since"
    PUSHED_SINCE = "pushed since"
    OTHER_CONTENT = "other content"
    NO_SIGNATURE = "no signature"
    OTHER_GATES = "other gates"


_NOTHING: Set[Lack] = frozenset()
_PUSHED: Set[Lack] = frozenset({Lack.PUSHED_SINCE})
_MOVED: Set[Lack] = frozenset({Lack.LANDED_SINCE, Lack.PUSHED_SINCE})
_ANY: Set[Lack] = frozenset(Lack)

# What makes it void in each phase. Gates that run are not stopped: what passes holds for the same content.
VOIDS: Mapping[Kind, Mapping[Phase, Set[Lack]]] = {
    Kind.CHANGE: {
        Phase.BUILT: _MOVED,
        Phase.PLACED: _MOVED,
        # A flake would be built anew for nothing.
        Phase.REPEATED: _NOTHING,
        Phase.RUNNING: _NOTHING,
        # The base was as sound as what landed since: an agent fixes it either way.
        Phase.RED: _PUSHED,
        Phase.OF_MAIN: _MOVED,
        Phase.PASSED: _ANY,
    },
    Kind.PULL: {
        Phase.BUILT: _MOVED,
        Phase.PLACED: _MOVED,
        Phase.REPEATED: _MOVED,
        Phase.RUNNING: _NOTHING,
        Phase.RED: _MOVED,
        Phase.OF_MAIN: _MOVED,
        Phase.PASSED: _ANY,
    },
}


def is_void(kind: Kind, phase: Phase, lacks: Set[Lack]) -> bool:
    """Whether another candidate is built in its place."""
    return not VOIDS[kind][phase].isdisjoint(lacks)


def moved_since(state: RepositoryState, base: Sha) -> Set[Lack]:
    """What came to main since a candidate's base."""
    if base == state.main:
        return _NOTHING
    for line in reversed(state.ledger):
        if line.sha == base:
            return frozenset({Lack.LANDED_SINCE})
        if line.kind is not LedgerKind.LANDED:
            break
    return _PUSHED
