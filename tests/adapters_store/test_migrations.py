"""Migrations: they make the tables that the code knows, again and from several processes."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

import bot
from bot.adapters.store.engine import migrate, open_engine
from bot.adapters.store.tables import inbox_metadata, metadata


def test_the_migrations_make_the_tables_that_the_code_knows(engine: sa.Engine) -> None:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_the_inbox_has_a_file_of_its_own(inboxes: Callable[[], sa.Engine]) -> None:
    with inboxes().connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), inbox_metadata) == []
        assert set(sa.inspect(connection).get_table_names()) == {"deliveries", "troubles"}


def test_migrating_twice_is_harmless(engines: Callable[[], sa.Engine], tmp_path: Path) -> None:
    inbox = open_engine(f"sqlite:///{tmp_path / 'again.db'}")
    for _ in range(2):
        migrate(engines(), inbox)
    inbox.dispose()


_MIGRATE = """
import sys
from bot.adapters.store.engine import migrate, open_engine
migrate(open_engine(sys.argv[1]), open_engine(sys.argv[2]))
"""


@pytest.mark.slow
def test_several_processes_may_migrate_at_once(url: str, tmp_path: Path) -> None:
    inbox = f"sqlite:///{tmp_path / 'together.db'}"
    running = [
        subprocess.Popen(
            [sys.executable, "-c", _MIGRATE, url, inbox],
            cwd=Path(bot.__file__).parent.parent,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for one in running:
        _, said = one.communicate(timeout=60)
        assert one.returncode == 0, said
    engine = open_engine(url)
    with engine.connect() as connection:
        assert "events" in sa.inspect(connection).get_table_names()
    engine.dispose()
