"""What people told the agents of a change, as an order carries it."""

from datetime import datetime

from action.order import ToldWords
from bot.core.journal.state import ChangeFacts, Told

# As much as an agent's task can hold besides its requirements.
_CHARACTERS_MAX = 12_000
_RESOLVED = "(A person resolved it.)"


def told_since(change: ChangeFacts, at: datetime) -> tuple[ToldWords, ...]:
    """What an order that was placed at that time does not carry, oldest first."""
    return tuple(
        _as_words(change, number, one)
        for number, one in enumerate(change.told, start=1)
        if one.told_at > at
    )


def told_words(change: ChangeFacts) -> tuple[ToldWords, ...]:
    """What the next order carries, oldest first; where that is too much, the newest of it."""
    kept: list[ToldWords] = []
    room = _CHARACTERS_MAX
    for number, one in reversed(tuple(enumerate(change.told, start=1))):
        words = _as_words(change, number, one)
        room -= len(words.text) + len(words.answered)
        if room < 0:
            break
        kept.append(words)
    return tuple(reversed(kept))


def _as_words(change: ChangeFacts, number: int, one: Told) -> ToldWords:
    """The newest word in a thread has the number by which an agent may account for it, while it is open."""
    words = ToldWords(author=one.author, text=one.text, path=one.path, line=one.line)
    thread = change.threads.get(one.thread) if one.thread is not None else None
    if thread is None or thread.number != number:
        return words
    if thread.is_open:
        return words.replace(thread=number)
    return words.replace(answered=thread.account or _RESOLVED)
