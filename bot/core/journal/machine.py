"""How a thing of the journal moves from state to state: a table of rows, one or more for an event."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar, cast

from bot.core.values.ids import Frozen

Facts = TypeVar("Facts")
State = TypeVar("State", bound=StrEnum)
E = TypeVar("E", bound=Frozen)


@dataclass(frozen=True, slots=True)
class Row(Generic[Facts, State]):
    """One event: what it moves, and when it is stale. `begins`: it makes the thing itself."""

    event: type[Frozen]
    moves: Mapping[State, State]
    stale: tuple[Callable[[Facts, object], bool], ...] = ()
    begins: State | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """One arrow of a machine; `before` None: the event makes the thing. `stale`: unless …"""

    event: type[Frozen]
    before: StrEnum | None
    after: StrEnum
    stale: tuple[str, ...] = ()


class Machine(Generic[Facts, State]):
    """A table of rows; several rows for one event are tried in order."""

    def __init__(
        self, state_of: Callable[[Facts], State], rows: Iterable[Row[Facts, State]]
    ) -> None:
        self.rows = tuple(rows)
        self._state_of = state_of
        self._of: dict[type[object], tuple[Row[Facts, State], ...]] = {}
        for row in self.rows:
            self._of[row.event] = (*self._of.get(row.event, ()), row)

    def knows(self, event: object) -> bool:
        return type(event) in self._of

    def after(self, facts: Facts | None, event: object) -> State | None:
        """The state after the event; None where it moves nothing. `facts` None: not there yet."""
        for row in self._of.get(type(event), ()):
            if facts is None:
                if row.begins is not None:
                    return row.begins
                continue
            after = row.moves.get(self._state_of(facts))
            if after is not None and not any(is_stale(facts, event) for is_stale in row.stale):
                return after
        return None

    def moves(self) -> tuple[Move, ...]:
        found: list[Move] = []
        for row in self.rows:
            stale = tuple((check.__doc__ or "").strip() for check in row.stale)
            if row.begins is not None:
                found.append(Move(row.event, None, row.begins, stale))
            found += [Move(row.event, at, to, stale) for at, to in row.moves.items()]
        return tuple(found)


def on(
    event: type[E], moves: Mapping[State, State], *stale: Callable[[Facts, E], bool]
) -> Row[Facts, State]:
    """A row: the event moves so, unless one of these says that it is stale."""
    # A row's checks meet events of the row's class alone.
    checks = cast("tuple[Callable[[Facts, object], bool], ...]", stale)
    return Row(event=event, moves=moves, stale=checks)


def begin(event: type[Frozen], state: State) -> Row[Facts, State]:
    """A row of an event that makes the thing itself."""
    return Row(event=event, moves={}, begins=state)


def in_place(*states: State) -> Mapping[State, State]:
    """The event changes facts in these states, and moves nothing."""
    return {state: state for state in states}
