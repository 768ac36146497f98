"""What entry points must not import at start, because they would not use it."""

import subprocess
import sys

import pytest

# Used by single commands, by the first call of a model, or by nothing that serves.
COMMANDS = {"rich", "typer", "alembic", "anthropic", "bot.demo", "bot.localhub"}
ADAPTERS = {"sqlalchemy", "github", "requests", "redis", "rq", "jwt", "cryptography", "flask"}
CORE = {"pydantic", "bot.core", "bot.shell", "bot.adapters"}

DOORS = [
    ("bot.entry.cli", CORE | ADAPTERS | COMMANDS - {"typer"}),
    ("bot.entry.worker", COMMANDS | ADAPTERS | {"markdown_it"}),
    ("bot.entry.rq_worker", COMMANDS | {"sqlalchemy", "github", "flask"}),
    ("bot.entry.sweep", COMMANDS | {"flask", "gunicorn"}),
    ("bot.entry.web.gunicorn_server", COMMANDS),
    ("bot.entry.wiring", COMMANDS | {"sqlalchemy.dialects.postgresql", "flask", "gunicorn"}),
]


@pytest.mark.parametrize(("door", "unwanted"), DOORS, ids=[door for door, _ in DOORS])
def test_entry_points_start_without_unneeded_imports(door: str, unwanted: set[str]) -> None:
    program = f"import sys, {door}; print(*sys.modules)"
    done = subprocess.run(
        (sys.executable, "-c", program), capture_output=True, text=True, check=True
    )
    assert unwanted & set(done.stdout.split()) == set()
