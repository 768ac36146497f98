"""What Headgate's commits say: the agent's work as imported, and the candidate that may land.

Somebody else's words (titles) are one line and cannot forge a trailer.
"""

from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.talk.text import login, plain

# Git tools cut subjects at about this many characters.
_SUBJECT_CHARACTERS_MAX = 72


def _subject(title: str) -> str:
    flat = plain(title) or "Untitled change"
    if len(flat) <= _SUBJECT_CHARACTERS_MAX:
        return flat
    return flat[: _SUBJECT_CHARACTERS_MAX - 1].rstrip() + "…"


def head_message(run: SpecRun, change: ChangeFacts) -> str:
    """The message of an imported head: whose attempt it is."""
    return (
        f"{_subject(change.planned.title)} (attempt {change.attempt})\n\n"
        f"Spec: {plain(run.path)}\nChange: {change.id}\n"
    )


def candidate_message(run: SpecRun, change: ChangeFacts) -> str:
    """The message of a candidate, which is what main's history will show."""
    requirements = "\n".join(f"Requirement: {plain(r)}" for r in change.planned.requirements)
    issue = f"Issue: #{change.issue}\n" if change.issue else ""
    return (
        f"{_subject(change.planned.title)}\n\n"
        f"{requirements}\n"
        f"Spec: {plain(run.path)}\n"
        f"Spec-Version: {run.version}\n"
        f"Change: {change.id}\n"
        f"{issue}"
        f"Attempt: {change.attempt}\n"
        f"Approved-by: {login(run.approved_by).removeprefix('@')}\n"
    )
