"""What the queue does next, as a strategy over plain values; the serial one.

A strategy may be wrong: `land` carries out what it says only where that is safe, so that a wrong one is slow.
"""

from itertools import islice
from typing import NamedTuple

from bot.core.state.queue_order import Tuning
from bot.core.values.ids import EntryId


class Waiting(NamedTuple):
    """An entry. `is_aside`: a person holds it, it waits for people, or GitHub has just refused it."""

    id: EntryId
    is_landing: bool
    is_aside: bool
    is_judged_on_main: bool


class QueueView(NamedTuple):
    """`entries`: first who lands first. `may_land`: nothing is frozen, and main is known as sound."""

    entries: tuple[Waiting, ...]
    may_land: bool


class Build(NamedTuple):
    """Have its candidate made on main, if it has none there."""

    entry: EntryId


class Land(NamedTuple):
    """Move main to its candidate."""

    entry: EntryId


Act = Build | Land


def plan(view: QueueView, tuning: Tuning) -> tuple[Act, ...]:
    """The first that nothing keeps, as many as the window has room for, are built on main and land when they are
    judged there; one lands at a time.
    """
    if any(entry.is_landing for entry in view.entries):
        return ()
    under_way = islice((e for e in view.entries if not e.is_aside), tuning.window)
    return tuple(
        Land(e.id) if e.is_judged_on_main and view.may_land else Build(e.id) for e in under_way
    )
