"""Where a change's own files lie: the only ones in its spec's folder that its agent may edit.

Only the agent's tree has them in that folder. A candidate has them in the archive, because the folder on
main is the spec.
"""

from bot.core.journal.state import ChangeFacts, SpecRun
from bot.core.spec.archive.delta import archive_folder

# Not a name that OpenSpec gives to anything in a change's folder.
_OURS = "headgate"


def artefact_paths(run: SpecRun, change: ChangeFacts) -> tuple[str, ...]:
    """The list of tasks and the design; none where there is no archive."""
    if not run.is_delta or run.archive_date is None:
        return ()
    place = f"{run.path}/{_OURS}/{change.slug}"
    return f"{place}/tasks.md", f"{place}/design.md"


def archived_artefacts(run: SpecRun, change: ChangeFacts) -> dict[str, str]:
    """Where a candidate shows each of them, and where an agent finds it."""
    if run.archive_date is None:
        return {}
    folder = run.path.rstrip("/")
    archive = archive_folder(folder.rpartition("/")[2], run.archive_date)
    return {path.replace(folder, archive, 1): path for path in artefact_paths(run, change)}
