"""Texts about what people push to the branch of a change."""

from bot.core.journal.state import ChangeFacts, Push
from bot.core.talk.attempts import stopped_by_gates
from bot.core.talk.text import cell, code, inert
from bot.core.values.ids import Ref

_HAND_BACK = "`/headgate hand-back` gives the change to an agent again."


def hand_or_hand_back() -> str:
    """How a change in a person's hands goes on."""
    return f"It continues with a push to its branch. {_HAND_BACK}"


def why_ended() -> str:
    return "A person pushed to the change's branch, and that work takes precedence."


def taken_over(push: Push, kept: Ref, branch: str) -> str:
    """The comment about a push that is the change's work now."""
    return (
        f"**Taken over.** `{push.sha[:12]}` by {_name(push)} is now the work of this change. "
        "The gates judge it, and it lands like any other work, with its author. No agent works "
        f"on the change now. {_HAND_BACK}\n\n"
        "This branch shows what would land: that work on main, in one commit. To continue from "
        f"it, run {code(f'git fetch && git reset --hard origin/{branch}')}. The push itself is "
        f"kept at {code(kept)}."
    )


def refused(push: Push) -> str:
    """The comment about a push that cannot become the work."""
    return (
        f"**Not taken over.** `{push.sha[:12]}` by {_name(push)} cannot become the work of this "
        f"change. {cell(push.sentence)} Headgate does not overwrite it. Correct this and push "
        f"again, or leave the change to an agent: {_HAND_BACK}"
    )


def too_late(push: Push, branch: str) -> str:
    """The comment about a push that came after the landing."""
    return (
        f"**This change had landed already** when `{push.sha[:12]}` was pushed, so that commit is "
        f"not on the default branch. It stays on {code(branch)}."
    )


def while_stopped(push: Push, branch: str) -> str:
    """The comment about a push to the branch of a change that a person stopped."""
    return (
        f"**This change is stopped**, so `{push.sha[:12]}` stays on {code(branch)} as it is, "
        "and Headgate ignores it. To use it as the change's work, comment `/headgate retry`."
    )


def left(change: ChangeFacts) -> str:
    """The comment when a person's work did not pass, or does not merge."""
    files = change.retry.conflicting_files[:20] if change.retry else ()
    named = f" Files: {', '.join(code(f) for f in files)}." if files else ""
    return (
        f"**Please fix this.** {inert(change.sentence)}{named} {stopped_by_gates(change)}Push "
        f"again to this branch. No agent works here now. {_HAND_BACK}"
    )


def hand_back_done(change: ChangeFacts) -> str:
    return f"`{change.slug}` belongs to an agent again. The agent continues from the current work."


def nothing_to_hand_back() -> str:
    """The reply to `hand-back` for a change that no person holds."""
    return "There is nothing to hand back, because no person has taken this over."


def in_hand(change: ChangeFacts) -> str:
    """The reply to `retry` for a change that waits for a person."""
    return (
        f"`{change.slug}` was taken over by {cell(change.held_by)}. To continue it, push to its "
        f"branch. {_HAND_BACK}"
    )


def _name(push: Push) -> str:
    return cell(push.author.rpartition(" <")[0] or push.author)
