"""What the queue does next, as a strategy over plain values; the serial one.

A strategy may be wrong: `land` carries out what it says only where that is safe, so that a wrong one is slow.
"""

from typing import NamedTuple

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


def plan(view: QueueView) -> tuple[Act, ...]:
    """One at a time: the first that nothing keeps is built on main, and lands when it is judged there."""
    for entry in view.entries:
        if entry.is_landing:
            return ()
        if entry.is_aside:
            continue
        lands = entry.is_judged_on_main and view.may_land
        return (Land(entry.id) if lands else Build(entry.id),)
    return ()
