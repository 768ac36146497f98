"""A journal that lost its end: written down, so that nothing done since then is done again."""

from bot.core.decide.decision import Decision
from bot.core.journal.events import JournalRewound


def next_steps(decision: Decision) -> None:
    """From now on every create looks first (`bot.shell.perform`)."""
    known_until = decision.observed.rewound_to
    if known_until is not None:
        decision.emit(JournalRewound(known_until=known_until, seen_at=decision.now))
