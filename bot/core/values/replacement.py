"""A copy of a frozen dataclass with some fields replaced, at the price of those fields.

To the type checker it is `dataclasses.replace`, which holds each name and type. That one goes through
the constructor, field by field: at sixty fields it was half of what folding an event cost.
"""

import dataclasses
from typing import TYPE_CHECKING, TypeVar

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
