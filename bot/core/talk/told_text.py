"""Sentences about what people tell agents."""

from collections.abc import Sequence

from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.talk.links import issue_link


def needs_change_and_text(run: SpecRun, changes: Sequence[ChangeFacts]) -> str:
    names = ", ".join(f"`{c.slug}`" for c in changes) or "none"
    return (
        "`/headgate tell CHANGE TEXT` needs a change, or `all`, and a text. "
        f"Changes of #{run.issue}: {names}."
    )


def too_long(characters_max: int) -> str:
    return f"Nothing was told: a text may have {characters_max:,} characters at most."


def too_many(told_max: int) -> str:
    return f"Nothing was told: a change is told {told_max} things at most. Edit its spec instead."


def has_landed(changes: Sequence[ChangeFacts]) -> str:
    return (
        f"Nothing was told: {_links(changes)} is on main already, and no agent works on it again."
    )


def heard_later(changes: Sequence[ChangeFacts]) -> str:
    """The reply where no run under way reads it."""
    return (
        f"No agent that can be spoken to works on {_links(changes)} now. The next attempt reads this, "
        "if there is one."
    )


def asked_for_changes(people: Sequence[str]) -> str:
    """What the next attempt is told of the work so far."""
    names = ", ".join(f"@{one}" for one in people)
    verb = "asks" if len(people) == 1 else "ask"
    return f"{names} {verb} for changes in a review of it. Do what was said there."


def command_in_review() -> str:
    return (
        "Commands count in comments on an issue or a pull. In a review they do nothing, and no agent is "
        "told of them."
    )


def review_heard_later(change: ChangeFacts) -> str:
    """Once for an attempt: a review has many comments."""
    return (
        "Comments of reviews by people who may write here are told to the agent. None that can be spoken "
        f"to works on {issue_link(change)} now: the next attempt reads them, if there is one."
    )


def _links(changes: Sequence[ChangeFacts]) -> str:
    return ", ".join(issue_link(c) for c in changes)
