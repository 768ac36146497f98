"""What `headgate backup` and `headgate restored` say."""

from bot.core.talk.text import counted


def not_empty(folder: str) -> str:
    return f"{folder} is not empty: name a folder that is not there yet."


def nothing_there(folder: str) -> str:
    return f"There is no journal in {folder}: set HEADGATE_VAR to the server's folder."


def refused(folder: str, why: str) -> str:
    return f"{folder} cannot be written ({why}): name a folder that this user may make."


KNOWS_NOTHING = "The journal knows no repository yet: is HEADGATE_VAR the server's folder?"


def copied(folder: str, *, has_database: bool) -> str:
    if has_database:
        return f"Copied the databases and the agents' work to {folder}."
    return (
        f"Everything is in the database at DATABASE_URL: copy it with pg_dump. To {folder} went what "
        "is in HEADGATE_VAR from before there was one."
    )


def nothing_restored(folder: str) -> str:
    """`folder` is empty where a database is named."""
    if not folder:
        return "The database at DATABASE_URL knows no repository: put the dump there with pg_restore first."
    return (
        f"The journal in {folder} knows no repository: put the backup's files there first, or set "
        "HEADGATE_VAR to the folder where they are."
    )


def noted(repositories: int) -> str:
    return (
        f"Noted for {counted(repositories, 'repository', 'repositories')}: for a week, what may have been done already is "
        "looked for before it is done. Start the server now."
    )
