"""Commit messages: of imported agent work, and of candidates.

Titles come from specs, so they are put on one line and cannot add a trailer.
"""

from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.talk.text import login, plain, signature

# Git tools cut subjects at about this many characters.
_SUBJECT_CHARACTERS_MAX = 72


def subject(title: str) -> str:
    """A title on one line, cut as git tools would."""
    flat = plain(title) or "Untitled change"
    if len(flat) <= _SUBJECT_CHARACTERS_MAX:
        return flat
    return flat[: _SUBJECT_CHARACTERS_MAX - 1].rstrip() + "…"


def head_message(run: SpecRun, change: ChangeFacts) -> str:
    """The message of the commit that holds an agent's imported work."""
    return (
        f"{subject(change.planned.title)} (attempt {change.attempt})\n\n"
        f"Spec: {plain(run.path)}\nChange: {change.id}\n"
    )


def author_of(change: ChangeFacts) -> str:
    """Whose work a candidate is (`Name <mail>`); empty: an agent's, whoever helped before it."""
    return change.authors[0] if change.held_by and change.authors else ""


def taken_over_message(run: SpecRun, change: ChangeFacts) -> str:
    """The message of the commit that holds what a person pushed to the branch."""
    return (
        f"{subject(change.planned.title)} (pushed by a person)\n\n"
        f"Spec: {plain(run.path)}\nChange: {change.id}\n"
    )


def candidate_message(run: SpecRun, change: ChangeFacts, author: str) -> str:
    """The message of a candidate; main's history shows it once the candidate has landed.

    `author` is who the commit names; whose work it is besides is named in the message.
    """
    requirements = "\n".join(f"Requirement: {plain(r)}" for r in change.planned.requirements)
    issue = f"Issue: #{change.issue}\n" if change.issue else ""
    helped = "".join(f"Co-authored-by: {author}\n" for author in _co_authors(change, author))
    return (
        f"{subject(change.planned.title)}\n\n"
        f"{requirements}\n"
        f"Spec: {plain(run.path)}\n"
        f"Spec-Version: {run.version}\n"
        f"Change: {change.id}\n"
        f"{issue}"
        f"Attempt: {change.attempt}\n"
        f"Approved-by: {login(run.approved_by).removeprefix('@')}\n"
        f"{helped}"
    )


def _co_authors(change: ChangeFacts, author: str) -> tuple[str, ...]:
    """People whose work is in it and who are not its author; each name is one line."""
    lines = (signature(a) for a in change.authors if a != author)
    return tuple(line for line in lines if line)
