"""The journal's database that this machine's settings name, read by commands."""

from sqlalchemy.exc import OperationalError

from bot.adapters.store.engine import open_engine
from bot.adapters.store.journal import SqlJournal
from bot.core.journal.state import RepositoryState
from bot.core.values.ids import RepositoryId
from bot.entry.settings import Settings


def open_journal() -> SqlJournal:
    return SqlJournal(open_engine(Settings().journal_url))


def repositories_named(journal: SqlJournal, full_name: str) -> list[RepositoryId]:
    """Those with that name; all where it is empty."""
    found = []
    for repository in journal.repositories():
        facts = journal.load(repository).facts
        if facts is not None and full_name in {"", facts.full_name}:
            found.append(repository)
    return found


def state_of(full_name: str) -> RepositoryState | None:
    """The state of a repository; None if the journal does not know it or there is no journal."""
    journal = open_journal()
    try:
        found = repositories_named(journal, full_name)
    except OperationalError:
        return None
    return journal.load(found[0]) if found else None
