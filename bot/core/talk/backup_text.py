"""What `headgate backup` and `headgate restored` say."""

from bot.core.talk.text import counted


def not_empty(folder: str) -> str:
    return f"{folder} is not empty. Name a folder that does not exist yet."


def nothing_there(folder: str) -> str:
    return f"There is no journal in {folder}. Set HEADGATE_VAR to the server's folder."


def refused(folder: str, why: str) -> str:
    return f"{folder} cannot be written ({why}). Name a folder that this user may create."


KNOWS_NOTHING = "The journal has no repository yet. Check that HEADGATE_VAR is the server's folder."


def copied(folder: str, *, has_database: bool) -> str:
    if has_database:
        return f"Copied the databases and the agents' work to {folder}."
    return (
        "All data is in the database at DATABASE_URL: copy it with pg_dump. Files in "
        f"HEADGATE_VAR that are older than the database were copied to {folder}."
    )


def nothing_restored(folder: str) -> str:
    """`folder` is empty where a database is named."""
    if not folder:
        return (
            "The database at DATABASE_URL has no repository. Load the dump with pg_restore first."
        )
    return (
        f"The journal in {folder} has no repository. Copy the backup's files there first, or "
        "set HEADGATE_VAR to the folder where they are."
    )


def noted(repositories: int) -> str:
    return (
        f"Noted for {counted(repositories, 'repository', 'repositories')}. For a week, Headgate "
        "checks whether each action was already done before it does it. Start the server now."
    )
