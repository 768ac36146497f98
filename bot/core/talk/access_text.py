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
    AwayReason.NO_ISSUES: "issues are disabled in the repository's settings",
    AwayReason.NOT_SERVED: "this server does not serve the repository's owner (`HEADGATE_OWNERS`)",
}


_FIXES = {
    AwayReason.SUSPENDED: "An owner unsuspends it on the installation's page",
    AwayReason.PERMISSIONS: "An owner accepts the permissions on the installation's page",
    AwayReason.REMOVED: "An owner gives the App access to it on the installation's page",
    AwayReason.ARCHIVED: "Unarchive it in its settings, or remove the App from it",
    AwayReason.NO_ISSUES: "Enable issues: Settings, General, Features",
    AwayReason.NOT_SERVED: "Add the owner to that setting, or remove the App from the repository",
}


def why(away: Away) -> str:
    """Why Headgate waits: one sentence, for issues, logs and runners."""
    if away.reason is AwayReason.PERMISSIONS:
        lacks = ", ".join(f"`{one}`" for one in away.lacks)
        return f"Headgate is paused here: its installation lacks {lacks}."
    return f"Headgate is paused here: {_WHY[away.reason]}."


def why_and_fix(away: Away) -> str:
    """Why we cannot work there and how to fix it, for the server's operator."""
    return f"{why(away)} {_FIXES[away.reason]}. Then the work in progress continues."


def away(away: Away) -> str:
    return (
        f"{why(away)} The work in progress waits. It continues when an owner accepts the "
        "permissions on the installation's page."
    )


def back(away: Away) -> str:
    return (
        f"Headgate was paused here from {moment(away.since)}: {why(away).partition(': ')[2]} "
        "Work continues now."
    )
