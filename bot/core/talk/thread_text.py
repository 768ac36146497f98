"""Answers in threads of reviews on changes' pulls."""

from bot.core.journal.thread_state import ReviewThreadFacts
from bot.core.talk.text import code, quoted
from bot.core.values.ids import Sha


def answer(thread: ReviewThreadFacts, shown: Sha) -> str:
    """What the agent says of it, and at which commit the pull shows its work."""
    after = "" if thread.is_touched else f"\n\n{_left_open(thread.path)}"
    said = quoted(thread.account)
    return f"The agent says of its work at {shown}:\n\n{said}{after}"


def _left_open(path: str) -> str:
    return (
        f"That work does not change {code(path)}, so this thread stays open, and the next agent "
        "gets it again."
    )
