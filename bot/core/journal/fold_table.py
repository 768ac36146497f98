"""A table of folds: for an event class the function that folds it, one table for each entity."""

from collections.abc import Callable, Mapping
from typing import TypeVar, cast

from bot.core.journal.state import RepositoryState
from bot.core.values.ids import Frozen

E = TypeVar("E", bound=Frozen)

Fold = Callable[[RepositoryState, Frozen], RepositoryState]
Folds = Mapping[type[Frozen], Fold]


def on(
    event: type[E], fold: Callable[[RepositoryState, E], RepositoryState]
) -> tuple[type[Frozen], Fold]:
    """A row. The fold meets events of this class alone."""
    return event, cast(Fold, fold)


def folds(*rows: tuple[type[Frozen], Fold]) -> Folds:
    """The table of the rows. Raises ValueError where an event has two."""
    table = dict(rows)
    if len(table) != len(rows):
        raise ValueError("an event class has two rows")
    return table
