"""The journal's database that this machine's settings name, read by commands."""

from collections.abc import Collection

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from bot.adapters.store.engine import open_engine
from bot.adapters.store.journal import SqlJournal
from bot.adapters.store.tables import events
from bot.core.journal.events import RetiredChange
from bot.core.journal.state import RepositoryState
from bot.core.values.ids import RepositoryId
from bot.entry.commands.before_start import store_trouble
from bot.entry.settings import Settings
from bot.ports import Retryable

# Of an address that names no database, a driver that is not there, and a database that refuses.
DATABASE_FAILURES = (SQLAlchemyError, Retryable, ModuleNotFoundError, ValueError)

JOURNAL_EMPTY = (
    "The journal is empty, because this server has no repository yet. To read another server's "
    "journal, set HEADGATE_VAR to its folder, or DATABASE_URL to its database."
)


def not_in_journal(full_name: str) -> str:
    return f"The journal has no repository {full_name}."


def open_journal() -> SqlJournal:
    """With its tables; ends the command with a sentence where the database cannot be used."""
    settings = Settings()
    if not _has_tables(settings.journal_url) and (trouble := store_trouble(settings)):
        raise SystemExit(f"{trouble.says}\n  → {trouble.how}")
    return SqlJournal(open_engine(settings.journal_url))


def _has_tables(url: str) -> bool:
    try:
        return sa.inspect(open_engine(url)).has_table(events.name)
    except DATABASE_FAILURES:
        return False


def repositories_named(journal: SqlJournal, full_name: str) -> list[RepositoryId]:
    """Repositories of that name; all if it is empty."""
    found = []
    for repository in journal.repositories():
        facts = journal.load(repository).facts
        if facts is not None and full_name in {"", facts.full_name}:
            found.append(repository)
    return found


def names_of(journal: SqlJournal, ids: Collection[str]) -> dict[str, str]:
    found = {r: journal.load(r).facts for r in journal.repositories() if str(r) in ids}
    return {str(r): facts.full_name for r, facts in found.items() if facts is not None}


def unreadable_sentences(journal: SqlJournal, repositories: list[RepositoryId]) -> list[str]:
    """Which of these repositories are stopped because an event cannot be read, and what to do."""
    return [s for r in repositories if (s := _unreadable_sentence(journal.load(r)))]


def _unreadable_sentence(state: RepositoryState) -> str:
    if state.unreadable is None:
        return ""
    name = state.facts.full_name if state.facts else "A repository"
    return f"{name}: {state.unreadable.sentence}"


def print_unreadable(journal: SqlJournal, repositories: list[RepositoryId]) -> int:
    """Returns 1 if one of the journals ends for this release before it really ends."""
    from bot.entry.terminal import Terminal

    sentences = unreadable_sentences(journal, repositories)
    for sentence in sentences:
        Terminal(stderr=True, soft_wrap=True).print(sentence)
    return 1 if sentences else 0


def landed_in(full_name: str) -> tuple[RepositoryState, tuple[RetiredChange, ...]] | None:
    """The state of a repository, and its changes that have left the state.

    None if the journal does not know it.
    """
    journal = open_journal()
    found = repositories_named(journal, full_name)
    if not found:
        return None
    retired = (change for run in journal.retired(found[0]) for change in run.changes)
    return journal.load(found[0]), tuple(retired)
