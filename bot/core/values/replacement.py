"""Changed copies: of a frozen dataclass at the price of the fields that change, of a map without some keys.

To the type checker `replace` is `dataclasses.replace`, which holds each name and type. That one goes through
the constructor, field by field: at sixty fields it was half of what folding an event cost.
"""

import dataclasses
from collections.abc import Hashable
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def without(known: dict[K, V], *gone: K) -> dict[K, V]:
    """A copy without these keys, at the price of a copy; the same where it has none of them."""
    if not any(key in known for key in gone):
        return known
    left = {**known}
    for key in gone:
        left.pop(key, None)
    return left


def newest(known: dict[K, V], count: int) -> dict[K, V]:
    """So many of a map, those that were put in last."""
    return without(known, *islice(known, max(0, len(known) - count)))


def less(known: tuple[V, ...], gone: V) -> tuple[V, ...]:
    """The tuple without the first that is equal."""
    if gone not in known:
        return known
    place = known.index(gone)
    return (*known[:place], *known[place + 1 :])


if TYPE_CHECKING:
    from dataclasses import replace as replace
else:
    Known = TypeVar("Known")

    def replace(known: Known, /, **changes: object) -> Known:
        """The copy. Raises TypeError where there is no such field. `__post_init__` is not called."""
        if not hasattr(known, "__dict__"):
            return dataclasses.replace(known, **changes)
        copy = object.__new__(type(known))
        copy.__dict__.update(known.__dict__)
        copy.__dict__.update(changes)
        if len(copy.__dict__) != len(known.__dict__):
            raise TypeError(f"{type(known).__name__} has not all of {sorted(changes)}")
        return copy
