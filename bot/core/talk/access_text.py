"""Sentences about a repository in which Headgate may not work for a while."""

from bot.core.journal.state import Away
from bot.core.talk.text import moment
from bot.core.values.repository import AwayReason

# Who stopped a run: it stands after "Stopped by".
REMOVAL = "the removal of Headgate from this repository"

_WHY = {
    AwayReason.SUSPENDED: "its installation is suspended",
    AwayReason.REMOVED: "it was removed from this repository",
    AwayReason.ARCHIVED: "the repository is archived",
    AwayReason.NO_ISSUES: "issues are switched off in the repository's settings",
    AwayReason.NOT_SERVED: "this server does not serve the repository's owner (`HEADGATE_OWNERS`)",
}


_FIXES = {
    AwayReason.SUSPENDED: "An owner unsuspends it on the installation's page",
    AwayReason.PERMISSIONS: "An owner accepts the permissions on the installation's page",
    AwayReason.REMOVED: "An owner gives the App access to it on the installation's page",
    AwayReason.ARCHIVED: "Unarchive it in its settings, or take the App off it",
    AwayReason.NO_ISSUES: "Switch them on: Settings, General, Features",
    AwayReason.NOT_SERVED: "Add the owner there, or take the App off the repository",
}


def why(away: Away) -> str:
    """Why Headgate waits: one sentence, for issues, logs and runners."""
    if away.reason is AwayReason.PERMISSIONS:
        lacks = ", ".join(f"`{one}`" for one in away.lacks)
        return f"Headgate is paused here: its installation lacks {lacks}."
    return f"Headgate is paused here: {_WHY[away.reason]}."


def why_and_fix(away: Away) -> str:
    """Why we cannot work there and how to fix it, for the server's operator."""
    return f"{why(away)} {_FIXES[away.reason]}; what is under way goes on then."


def away(away: Away) -> str:
    return (
        f"{why(away)} What is under way waits, and goes on when an owner has accepted the "
        "permissions on the installation's page."
    )


def back(away: Away) -> str:
    return (
        f"Headgate was paused here from {moment(away.since)}: "
        f"{why(away).partition(': ')[2]} It goes on."
    )
