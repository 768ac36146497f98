"""What people told the agents of a change, as an order carries it."""

from datetime import datetime

from action.order import ToldWords
from bot.core.journal.state import ChangeFacts, Told

# As much as a task can hold beside its requirements.
_CHARACTERS_MAX = 12_000


def told_since(change: ChangeFacts, at: datetime) -> tuple[Told, ...]:
    """What an order that was placed at that time does not carry, oldest first."""
    return tuple(one for one in change.told if one.told_at > at)


def told_words(change: ChangeFacts) -> tuple[ToldWords, ...]:
    """What the next order carries, oldest first; where that is too much, the newest of it."""
    kept: list[ToldWords] = []
    room = _CHARACTERS_MAX
    for one in reversed(change.told):
        room -= len(one.text)
        if room < 0:
            break
        kept.append(as_words(one))
    return tuple(reversed(kept))


def as_words(one: Told) -> ToldWords:
    return ToldWords(author=one.author, text=one.text, path=one.path, line=one.line)
