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
    return f"The text was not sent: it may have {characters_max:,} characters at most."


def too_many(told_max: int) -> str:
    return (
        f"The text was not sent, because a change can get at most {told_max} texts. Edit its "
        "spec instead."
    )


def has_landed(changes: Sequence[ChangeFacts]) -> str:
    return (
        f"The text was not sent: {_links(changes)} is already on main, and no agent works on it "
        "again."
    )


def heard_later(changes: Sequence[ChangeFacts]) -> str:
    """The reply where no run under way reads it."""
    return (
        f"No agent on {_links(changes)} can receive a text now. The next attempt gets it, if "
        "there is one."
    )


def asked_for_changes(people: Sequence[str]) -> str:
    """What the next attempt is told of the work so far."""
    names = ", ".join(f"@{one}" for one in people)
    verb = "asks" if len(people) == 1 else "ask"
    return f"{names} {verb} for changes in a review of it. Do what the review says."


def command_in_review() -> str:
    return (
        "Write commands in a comment on an issue or a pull request. In a review they have no "
        "effect, and agents do not get them."
    )


def review_heard_later(change: ChangeFacts) -> str:
    """Once for an attempt: a review has many comments."""
    return (
        "The agent gets review comments by people with write access. No agent on "
        f"{issue_link(change)} can receive them now. The next attempt gets them, if there is "
        "one."
    )


def _links(changes: Sequence[ChangeFacts]) -> str:
    return ", ".join(issue_link(c) for c in changes)
