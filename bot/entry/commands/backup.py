"""`headgate backup FOLDER` while everything runs, and `headgate restored` before it runs again."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.adapters.store.engine import open_engine
from bot.adapters.store.journal import SqlJournal
from bot.core.talk import backup_text
from bot.entry.commands.before_start import store_trouble
from bot.entry.settings import Settings
from bot.entry.terminal import Terminal

_DATABASES = ("journal.db", "inbox.db")


def run_backup(folder: Path) -> int:
    """Returns 1 if there is nothing to copy, or the folder is not empty."""
    console = Terminal(stderr=True, soft_wrap=True, highlight=False)
    settings = Settings()
    if folder.is_dir() and any(folder.iterdir()):
        console.print(backup_text.not_empty(str(folder)))
        return 1
    if not settings.database_url and not (settings.var / _DATABASES[0]).is_file():
        console.print(backup_text.nothing_there(str(settings.var)))
        return 1
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
    except OSError as failure:
        console.print(backup_text.refused(str(folder), failure.strerror or ""))
        return 1
    # The journal before the blobs: it names none that is not there yet.
    if not settings.database_url:
        for name in _DATABASES:
            _copy_database(settings.var / name, folder / name)
    if (settings.var / "blobs").is_dir():
        shutil.copytree(settings.var / "blobs", folder / "blobs")
    console.print(backup_text.copied(str(folder), has_database=not settings.database_url))
    if not settings.database_url and not _knows_repositories(folder / _DATABASES[0]):
        console.print(backup_text.KNOWS_NOTHING)
    return 0


def _knows_repositories(journal: Path) -> bool:
    engine = open_engine(f"sqlite:///{journal}")
    known = SqlJournal(engine).repositories()
    engine.dispose()
    return bool(known)


def _copy_database(source: Path, target: Path) -> None:
    """A copy as of one moment, while other processes write."""
    with closing(sqlite3.connect(source)) as live, closing(sqlite3.connect(target)) as copy:
        live.backup(copy)


def run_restored() -> int:
    """Leave word in each repository that its journal is older than what was done there.

    Returns 1 where there is no journal, or one that knows no repository: no copy was put back.
    """
    console = Terminal(stderr=True, soft_wrap=True, highlight=False)
    settings = Settings()
    if trouble := store_trouble(settings):
        console.print(trouble.sentence)
        return 1
    engine, inbox = open_engine(settings.journal_url), open_engine(settings.inbox_url)
    journal = SqlJournal(engine)
    repositories = journal.repositories()
    for repository in repositories:
        journal.note_rewound(repository)
    engine.dispose()
    inbox.dispose()
    if not repositories:
        console.print(
            backup_text.nothing_restored("" if settings.database_url else str(settings.var))
        )
        return 1
    console.print(backup_text.noted(len(repositories)))
    return 0
